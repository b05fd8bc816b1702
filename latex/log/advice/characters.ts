/** Characters and fonts. */
import { adviseMissingCharacter } from '../suggest.ts';
import { type AdviceRule, say } from './advice-rule.ts';

export const charactersAdvice: AdviceRule[] = [
  {
    pattern: /^Missing character: There is no (.+?) \(?(?:U\+|")([0-9A-Fa-f]+)\)? in font (\S+)/,
    advise: (match) => adviseMissingCharacter(match[1]!, match[3]!),
  },
  {
    pattern: /Unicode character (\S+)/,
    advise: (match) => ({
      explanation: `pdfLaTeX cannot write the character ${match[1]} as it stands.`,
      suggestion: 'Use its LaTeX command, or compile with xelatex (remove the % !TEX program line).',
    }),
  },
  {
    pattern: /Package fontspec Error: The font "(.+?)" cannot be found/,
    advise: (match) => ({
      explanation: `The font ${match[1]} is not installed here.`,
      suggestion:
        'Remove the line, or use an installed one: TeX Gyre Termes, TeX Gyre Pagella, Latin Modern Roman, Liberation Sans, DejaVu Sans.',
    }),
  },
  {
    pattern: /^Font .* not loadable/,
    advise: say('This font is not installed here.', 'Repair the error before it, or leave the font out.'),
  },
];
