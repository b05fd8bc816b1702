/** For lists that need a program which is not run here: a warning that names it, instead of only an empty place. */
import type { LogMessage } from '#shared/api/errors.ts';
import { findLine } from './find-line.ts';
import type { Compiled, HelperPlan } from './helper.ts';

interface NotRun {
  /** What is missing from the pages, worded to begin a sentence. */
  what: string;
  program: string;
  line: number | null;
  /** What to do instead, if there is something. */
  instead?: string;
}

export function notRun({ what, program, line, instead }: NotRun): LogMessage {
  return {
    level: 'warning',
    file: 'main.tex',
    line,
    message: `${what} is missing: ${program} makes it, which is not run here.`,
    explanation:
      'Between TeX’s passes MakeIndex, BibTeX and Biber are run, and no other program. The rest of the document is set as it is.',
    ...(instead && { suggestion: instead }),
  };
}

/** Programs recognised by the files that a document leaves for them. */
const programs: readonly { file: RegExp; what: string; program: string; asks: RegExp; instead?: string }[] = [
  { file: /\.asy$/, what: 'A drawing', program: 'Asymptote', asks: /\\begin\{asy\}|\{asymptote\}/ },
  { file: /\.pytxcode$/, what: 'What Python prints', program: 'PythonTeX', asks: /\{pythontex\}/ },
  { file: /\.sagetex\.sage$/, what: 'What Sage computes', program: 'SageMath', asks: /\{sagetex\}/ },
  {
    file: /\.gnuplot$/,
    what: 'A plot',
    program: 'gnuplot',
    asks: /gnuplot|plot\s*(?:\[[^\]]{0,200}\]\s*)?function\b/,
    instead: 'Let pgfplots compute it: \\addplot {…} without the word gnuplot or function.',
  },
  { file: /\.mp$/, what: 'A drawing', program: 'MetaPost', asks: /\{(?:emp|mpgraphics|feynmp)\}/ },
];

export function planNotRun({ latex, left }: Compiled): HelperPlan {
  const names = [...left.keys()];
  const messages = programs
    .filter(({ file }) => names.some((name) => file.test(name)))
    .map(({ what, program, asks, instead }) =>
      notRun({ what, program, line: findLine(latex, asks), ...(instead && { instead }) }),
    );
  return { tasks: [], messages };
}
