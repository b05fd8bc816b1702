/** Characters and fonts. */
import { fixCharacter, fixFont } from '../fixes/packages.ts';
import { type Advice, type LogRule, say } from '../rule.ts';

export const charactersRules: LogRule[] = [
  {
    pattern: /^Missing character: There is no (.+?) \(?(?:U\+|")([0-9A-Fa-f]+)\)? in font (\S+)/,
    advise: (match) => adviseMissingCharacter(match[1]!, match[3]!),
  },
  {
    pattern: /Unicode character (\S+)/,
    fixes: [fixCharacter],
    advise: (match) => ({
      explanation: `pdfLaTeX cannot write the character ${match[1]} as it stands.`,
      suggestion: 'Use its LaTeX command, or compile with xelatex (remove the % !TEX program line).',
    }),
  },
  {
    pattern: /Package fontspec Error: The font "(.+?)" cannot be found/,
    fixes: [fixFont],
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

function adviseMissingCharacter(character: string, font: string): Advice {
  const explanation = `The font has no ${character}; it is left out of the PDF.`;
  // an old 8-bit encoding under xelatex: é is there by luck, œ and the rest are lost
  if (/^(?:ec|t1|cork|sf|ts1)[-\w]/i.test(font) || /^(?:ptm|phv|pcr)\w*8/i.test(font))
    return {
      explanation,
      suggestion: 'Remove \\usepackage[T1]{fontenc}: xelatex does not need it, and loses characters with it.',
    };
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character))
    return {
      explanation,
      suggestion: 'Chinese, Japanese and Korean fonts are not installed on this server.',
    };
  if (/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]/u.test(character))
    return {
      explanation,
      suggestion: 'Add \\usepackage{fontspec}\\setmainfont{DejaVu Sans} to the preamble.',
    };
  return { explanation, suggestion: `Use a LaTeX command for ${character}, or a font that has it.` };
}
