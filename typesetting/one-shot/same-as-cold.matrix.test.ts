/** An edit compiled by an engine that waited gives what a cold compile of it gives: messages, lines, pages, places. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StrategyJob } from '../engines/strategy.ts';
import { look, openPair, type Pair } from './testing/open-pair.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await openPair();
});
afterAll(() => pair?.close());

const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\\begin{document}\n${body}\n\\end{document}\n`;
const sections = (names: string[]) =>
  `\\tableofcontents\\newpage\n${names.map((name) => `\\section{${name}}\\label{${name}}\n`).join('')}See \\ref{${names[0]}} on page~\\pageref{${names[0]}}.`;
const figure = {
  name: 'figure-p1-1.png',
  bytes: readFileSync(
    new URL('../../fixtures/images/physics-mechanics-tikz-p1-crop-16bit.png', import.meta.url),
  ),
};

interface Case {
  name: string;
  before: string;
  after: string;
  job?: Partial<StrategyJob>;
  /** What every pass of the edit began with: `fresh` is an engine that waited. */
  began: string[];
}

const beginAgain = '\\let\\oldbegin\\begin\\renewcommand\\begin[1]{\\oldbegin{#1}}\n';
const long = (word: string) => `${`${word} and so on and on. `.repeat(12)}\n\n`.repeat(400);
const cases: Case[] = [
  { name: 'text and a date', before: wrap('a \\today'), after: wrap('b \\today'), began: ['fresh'] },
  {
    name: 'an error in the preamble',
    before: wrap('a', '\\usepackage{amsmath}\n\\wrong\n'),
    after: wrap('b $\\text{x}$', '\\usepackage{amsmath}\n\\wrong\n'),
    began: ['fresh'],
  },
  {
    name: 'a missing package',
    before: wrap('a', '\\usepackage{no-such-package}\n'),
    after: wrap('b', '\\usepackage{no-such-package}\n'),
    began: ['fresh'],
  },
  {
    name: 'errors and warnings in the body',
    before: wrap('a', '\\usepackage{amsmath}\n'),
    after: wrap(
      'b\n\n\\wrong x $\\frac{1}{2}\n\nc \\ref{nowhere}\\begin{itemize}x',
      '\\usepackage{amsmath}\n',
    ),
    began: ['fresh'],
  },
  {
    name: 'contents that stay',
    before: wrap(sections(['One', 'Two'])),
    after: wrap(`${sections(['One', 'Two'])} More.`),
    began: ['fresh'],
  },
  {
    name: 'contents that change',
    before: wrap(sections(['One', 'Two']), '\\usepackage{hyperref,cleveref}\n'),
    after: wrap(sections(['Three', 'One', 'Two']), '\\usepackage{hyperref,cleveref}\n'),
    began: ['fresh'],
  },
  {
    name: 'contents that are new, and a label that is gone',
    before: wrap('\\section{A}\\label{a} \\ref{a}'),
    after: wrap('\\tableofcontents\\section{A} \\ref{a}'),
    began: ['fresh'],
  },
  {
    name: 'an error where references were known',
    before: wrap('\\section{A}\\label{a} \\ref{a}'),
    after: wrap('\\section{A}\\label{a} \\ref{a} \\wrong'),
    // once with what was known, once as if nothing were
    began: ['fresh', 'fresh'],
  },
  {
    name: 'a macro of the body that the kept contents still use',
    before: wrap('\\newcommand\\mine{x}\\tableofcontents\\section{A \\protect\\mine}'),
    after: wrap('\\tableofcontents\\section{A}'),
    began: ['fresh', 'fresh'],
  },
  {
    name: 'a figure',
    before: wrap('a', '\\usepackage{graphicx}\n'),
    after: wrap('b \\includegraphics[width=5cm]{figure-p1-1}', '\\usepackage{graphicx}\n'),
    job: { assets: [figure] },
    began: ['fresh'],
  },
  {
    name: 'a preamble in a file of its own',
    before: wrap('a', '\\input{mine}\n'),
    after: wrap('b \\mine', '\\input{mine}\n'),
    job: { assets: [{ name: 'mine.tex', bytes: Buffer.from('\\newcommand\\mine{of a file}\n') }] },
    began: ['fresh'],
  },
  {
    name: 'pdflatex with references',
    before: wrap(sections(['One', 'Two']), '\\usepackage[T1]{fontenc}\n'),
    after: wrap(sections(['One', 'Deux é', 'Two']), '\\usepackage[T1]{fontenc}\n'),
    job: { engine: 'pdflatex' },
    began: ['fresh'],
  },
  {
    name: 'files written in the preamble',
    before: `\\begin{filecontents}{x.tex}\nold\n\\end{filecontents}\n${wrap('\\input{x}')}`,
    after: `\\begin{filecontents}{x.tex}\nnew\n\\end{filecontents}\n${wrap('\\input{x}')}`,
    began: ['cold'],
  },
  {
    name: 'files written in the preamble, an edit after it',
    before: `\\begin{filecontents}{x.tex}\nold\n\\end{filecontents}\n${wrap('\\input{x}')}`,
    after: `\\begin{filecontents}{x.tex}\nold\n\\end{filecontents}\n${wrap('b \\input{x}')}`,
    began: ['fresh'],
  },
  {
    name: 'an index opened in the preamble',
    before: wrap('a\\index{a}\\section{A}\\label{a} \\ref{a}', '\\usepackage{makeidx}\\makeindex\n'),
    after: wrap('b\\index{b}\\section{B}\\label{b} \\ref{b}', '\\usepackage{makeidx}\\makeindex\n'),
    began: ['fresh'],
  },
  {
    name: '\\begin made anew',
    before: wrap('\\begin{center}a\\end{center}', beginAgain),
    after: wrap('\\begin{center}b\\end{center}\\wrong', beginAgain),
    began: ['fresh'],
  },
  {
    name: 'a comment with \\begin{document}',
    before: wrap('a', '% \\begin{document}\n\\usepackage{amsmath}\n'),
    after: wrap('$\\text{b}$', '% \\begin{document}\n\\usepackage{amsmath}\n'),
    began: ['fresh'],
  },
  {
    name: 'a document that began before it seems to',
    before: `\\documentclass{article}\n\\def\\go{\\begin}\\go{document}\n\\section{A}\\label{a}\\ref{a}\n\\iffalse\n\\begin{document}\n\\fi\na\n\\end{document}\n`,
    after: `\\documentclass{article}\n\\def\\go{\\begin}\\go{document}\n\\section{A}\\label{a}\\ref{a}\n\\iffalse\n\\begin{document}\n\\fi\n\\section{B}\\label{b}\\ref{b}\n\\end{document}\n`,
    began: ['fresh'],
  },
  {
    name: 'an end before the document begins',
    before: '\\documentclass{article}\n\\endinput\n\\begin{document}\na\n\\end{document}\n',
    after: '\\documentclass{article}\n\\endinput\n\\begin{document}\nb\n\\end{document}\n',
    began: ['cold'],
  },
  {
    name: 'no beginning',
    before: '\\documentclass{article}\na\n',
    after: '\\documentclass{article}\nb\n',
    began: ['cold'],
  },
  {
    name: 'no end',
    before: '\\documentclass{article}\n\\begin{document}\na\n',
    after: '\\documentclass{article}\n\\begin{document}\nb\n\n{c',
    began: ['fresh'],
  },
  {
    name: 'all on one line',
    before: '\\documentclass{article}\\begin{document}a\\end{document}',
    after: '\\documentclass{article}\\begin{document}b\\end{document}',
    began: ['fresh'],
  },
  {
    name: 'a byte order mark and line ends of Windows',
    before: `\uFEFF${wrap('a\n\nü', '% x\n')}`.replaceAll('\n', '\r\n'),
    after: `\uFEFF${wrap('b\n\nü \\wrong', '% x\n')}`.replaceAll('\n', '\r\n'),
    began: ['fresh'],
  },
  {
    name: 'a document that prints itself',
    before: wrap('a \\verbatiminput{main.tex}', '\\usepackage{verbatim}\n'),
    after: wrap('b \\verbatiminput{main.tex}', '\\usepackage{verbatim}\n'),
    began: ['fresh'],
  },
  {
    name: 'the time of day',
    before: wrap('a \\the\\time'),
    after: wrap('b \\the\\time'),
    began: ['cold'],
  },
  {
    name: 'more than a pipe holds, on both sides',
    before: wrap(long('a'), `% ${'x'.repeat(60)}\n`.repeat(2_000)),
    after: wrap(`${long('b')}\\wrong`, `% ${'x'.repeat(60)}\n`.repeat(2_000)),
    began: ['fresh'],
  },
];

test.each(cases)('$name', async ({ before, after, job, began, name }) => {
  const mine = { ...job, owner: name };
  await pair.compileOneShot(before, mine);
  await pair.oneShot.whenReady();
  pair.told.splice(0);
  const warm = await pair.compileOneShot(after, mine);
  const starts = pair.told.filter((told) => !told.startsWith('evicted'));
  expect(look(warm)).toEqual(look(await pair.compileCold(after, job)));
  expect(starts).toEqual(began);
  // and once more, with what that compile left
  await pair.oneShot.whenReady();
  expect(look(await pair.compileOneShot(`${after}\n%`, mine))).toEqual(
    look(await pair.compileCold(`${after}\n%`, job)),
  );
});
