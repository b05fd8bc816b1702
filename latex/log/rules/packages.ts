/** Files, packages, their options and engines. */
import { fixItem } from '../fixes/lists.ts';
import { dropOption, fixClash, fixMissingFile } from '../fixes/packages.ts';
import { fixKey } from '../fixes/pictures.ts';
import { type Advice, type LogRule, say } from '../rule.ts';

export const packagesRules: LogRule[] = [
  {
    pattern: /Unable to load picture or PDF file '(.+?)'|Package \S+ Error: File `(.+?)' not found/,
    fixes: [fixMissingFile],
    advise: (match) => adviseMissingFile((match[1] ?? match[2])!),
  },
  {
    pattern:
      /Package (?:keyval|kvsetkeys|enumitem|xkeyval|caption|hyperref|listings|siunitx|geometry|kvoptions) Error: (?:Undefined key )?[`'"]?([\w\s-]+?)['"]? ?(?:undefined|\.|$)/,
    fixes: [fixKey, fixItem],
    advise: (match) => ({
      explanation: `No option is called ${match[1]} here.`,
      suggestion: `Check the spelling of ${match[1]}, or remove it.`,
    }),
  },
  {
    pattern: /Unknown option [`'](.+?)' for (?:package|class) [`'](.+?)'/,
    fixes: [dropOption],
    advise: (match) => ({
      explanation: `${match[2]} has no option ${match[1]}.`,
      suggestion: `Check its spelling, or remove ${match[1]}.`,
    }),
  },
  {
    pattern: /Invalid number '(.*?)'/,
    advise: (match) => ({
      explanation: `siunitx cannot read “${match[1]}” as a number.`,
      suggestion: 'Write digits, a decimal point and an exponent as in 1.5e3; text belongs outside.',
    }),
  },
  {
    pattern: /^hyperref: Token not allowed in a PDF string/,
    advise: say(
      'A heading holds a formula or command, which the PDF’s bookmarks cannot show; the page itself is right.',
      'Give both: \\texorpdfstring{$\\alpha$}{alpha}.',
    ),
  },
  {
    pattern: /^LaTeX Error: File `(.+?)' not found/,
    fixes: [fixMissingFile],
    advise: (match) => adviseMissingFile(match[1]!),
  },
  {
    pattern: /Option clash for package (\S+?)\.?$/,
    fixes: [fixClash],
    advise: (match) => ({
      explanation: `The package ${match[1]} is loaded twice with different options.`,
      suggestion: `Load ${match[1]} once, first, with all options together.`,
    }),
  },
  {
    pattern: /Package minted Error/,
    advise: () => ({
      explanation: 'minted runs a program of its own, which is not allowed here.',
      suggestion: replacements.minted!,
    }),
  },
  {
    pattern: /shell[- ]escape/i,
    advise: say('This package wants to run other programs, which is not allowed here.', 'Do without it.'),
  },
  {
    pattern: /Package babel Error: Unknown option [`'](.+?)'/,
    fixes: [dropOption],
    advise: (match) => ({
      explanation: `The language ${match[1]} is not installed here.`,
      suggestion:
        'Check its name in babel, or remove it: the text still compiles, only hyphenation and fixed words are missing.',
    }),
  },
  {
    pattern: /Package babel Error/,
    advise: say(
      'A language of this document is not installed here.',
      'Remove it from babel’s options: the text still compiles, only hyphenation and fixed words are missing.',
    ),
  },
  {
    pattern: /^inputenc package ignored/,
    advise: say('XeLaTeX and LuaLaTeX read UTF-8 by themselves.', 'Remove \\usepackage[utf8]{inputenc}.'),
  },
];

/** Packages that cannot work here or have a better replacement. */
const replacements: Record<string, string> = {
  minted: 'Use the package listings instead: \\begin{lstlisting}[language=Python] … \\end{lstlisting}.',
  pythontex: 'Code cannot be run here; paste its output instead.',
  epsfig: 'Use \\includegraphics of the package graphicx instead.',
  subfigure: 'Use the package subcaption instead.',
  bbm: 'Use \\mathbb of the package amssymb instead.',
  dsfont: 'Use \\mathbb of the package amssymb instead.',
  fontawesome5: 'Icon fonts are not installed; leave the icons out.',
  fontawesome: 'Icon fonts are not installed; leave the icons out.',
  newtxtext: 'Use \\usepackage{tgtermes}, a Times of the same widths.',
  newtxmath: 'Leave it out, or set the text in \\usepackage{mathptmx}.',
  stix2: 'Leave it out; the default fonts have the same symbols.',
  libertine: 'Leave it out, or use \\usepackage{tgpagella}.',
  ctex: 'Chinese fonts are not installed on this server.',
  xeCJK: 'Chinese, Japanese and Korean fonts are not installed on this server.',
};

function adviseMissingFile(name: string): Advice {
  const style = /^(.*)\.(sty|cls)$/.exec(name);
  if (style) {
    const kind = style[2] === 'sty' ? 'package' : 'document class';
    const replacement = replacements[style[1]!];
    const otherwise =
      style[2] === 'sty'
        ? `Check the spelling, or remove \\usepackage{${style[1]}}.`
        : 'Use article, report or book instead.';
    return {
      explanation: `The ${kind} ${style[1]} is not installed here.`,
      suggestion: replacement ?? otherwise,
    };
  }
  return {
    explanation: `The file ${name} is not part of this document.`,
    suggestion: /\.(?:tex|ltx)$/.test(name)
      ? `Paste the content of ${name} in its place.`
      : 'Check its name, or remove the command that includes it.',
  };
}
