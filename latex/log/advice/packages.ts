/** Files, packages, their options and engines. */
import { adviseMissingFile, replacements } from '../suggest.ts';
import { type AdviceRule, say } from './advice-rule.ts';

export const packagesAdvice: AdviceRule[] = [
  {
    pattern: /Unable to load picture or PDF file '(.+?)'|Package \S+ Error: File `(.+?)' not found/,
    advise: (match) => adviseMissingFile((match[1] ?? match[2])!),
  },
  {
    pattern:
      /Package (?:keyval|kvsetkeys|enumitem|xkeyval|caption|hyperref|listings|siunitx|geometry|kvoptions) Error: (?:Undefined key )?[`'"]?([\w\s-]+?)['"]? ?(?:undefined|\.|$)/,
    advise: (match) => ({
      explanation: `No option is called ${match[1]} here.`,
      suggestion: `Check the spelling of ${match[1]}, or remove it.`,
    }),
  },
  {
    pattern: /Unknown option [`'](.+?)' for (?:package|class) [`'](.+?)'/,
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
    pattern: /Cannot be run with pdftex|requires (?:either )?(?:XeTeX|LuaTeX|XeLaTeX)/i,
    advise: say(
      'This package does not work with pdfLaTeX.',
      'Compile with xelatex: remove the line % !TEX program = pdflatex.',
    ),
  },
  { pattern: /^LaTeX Error: File `(.+?)' not found/, advise: (match) => adviseMissingFile(match[1]!) },
  {
    pattern: /Option clash for package (\S+?)\.?$/,
    advise: (match) => ({
      explanation: `The package ${match[1]} is loaded twice with different options.`,
      suggestion: `Load ${match[1]} once, first, with all options together.`,
    }),
  },
  {
    pattern: /fontspec package requires either XeTeX or LuaTeX|cannot-use-pdftex/,
    advise: say(
      'fontspec does not work with pdfLaTeX.',
      'Compile with xelatex: remove the line % !TEX program = pdflatex.',
    ),
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
    advise: say('xelatex reads UTF-8 by itself.', 'Remove \\usepackage[utf8]{inputenc}.'),
  },
];
