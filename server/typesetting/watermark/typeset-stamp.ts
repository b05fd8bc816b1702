/** Sets the watermark's text once, by our own engine, as a one-page PDF just as large as the text. */
import { invalidInput } from '../../platform/errors.ts';
import { requireCompiled } from '../answers.ts';
import type { Typesetter } from '../typesetter.ts';
import { chooseFonts } from './choose-fonts.ts';

/** OpenType script tags that shaping needs to be told; others shape by default. */
const scripts: [RegExp, string][] = [
  [/\p{Script=Arabic}/u, 'arab'],
  [/\p{Script=Hebrew}/u, 'hebr'],
  [/\p{Script=Devanagari}/u, 'dev2'],
  [/\p{Script=Bengali}/u, 'bng2'],
  [/\p{Script=Tamil}/u, 'tml2'],
  [/\p{Script=Thai}/u, 'thai'],
  [/\p{Script=Cyrillic}/u, 'cyrl'],
  [/\p{Script=Greek}/u, 'grek'],
];
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

interface StampRequest {
  text: string;
  owner: string;
  signal: AbortSignal;
}

/**
 * @returns a one-page PDF; its media box is the text's own.
 * @throws ApiError INVALID_INPUT naming the characters that no installed font has; BUSY
 */
export async function typesetStamp(
  typesetter: Typesetter,
  { text, owner, signal }: StampRequest,
): Promise<Uint8Array> {
  const line = text
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (line === '') throw invalidInput('watermark_text: write the text that is to be stamped.');
  const choice = await chooseFonts(line);
  if (choice.kind === 'missing')
    throw invalidInput(
      `No font on this server can write ${choice.characters.slice(0, 10).join(' ')}. Use other characters for the watermark.`,
    );
  const fonts = choice.runs.map(({ fontFile, text: part }, index) => {
    const script = scripts.find(([pattern]) => pattern.test(part))?.[1];
    return `\\font\\f${roman(index)}="[${fontFile}]${script ? `:script=${script}` : ''}" at 48pt`;
  });
  const isRightToLeft = rightToLeft.test(line);
  const set = choice.runs.map(({ text: part }, index) => {
    const body = escapeText(part);
    const directed = rightToLeft.test(part)
      ? `\\beginR ${body}\\endR`
      : isRightToLeft
        ? `\\beginL ${body}\\endL`
        : body;
    return `{\\f${roman(index)} ${directed}}`;
  });
  const latex = [
    '\\documentclass{article}\\begin{document}\\TeXXeTstate=1 \\hoffset=-1in \\voffset=-1in',
    ...fonts,
    // a mostly strong grey: the page's own opacity makes it faint
    `\\setbox0\\hbox{\\special{color push gray 0.3}${isRightToLeft ? '\\beginR ' : ''}${set.join('')}${isRightToLeft ? '\\endR' : ''}\\special{color pop}}`,
    '\\pdfpagewidth=\\wd0 \\pdfpageheight=\\dimexpr\\ht0+\\dp0\\relax',
    '\\shipout\\box0',
    '\\end{document}',
  ].join('\n');
  const result = await typesetter.compile({ latex, engine: 'xelatex', owner, signal, timeoutMs: 15_000 });
  return requireCompiled(result, 'server').pdf;
}

/** Font numbers in letters: TeX's command names have no digits. */
function roman(index: number): string {
  return [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

/** TeX's own characters as character codes; everything else stands for itself. */
function escapeText(text: string): string {
  return text.replace(/[\\{}$&#^_~%]/g, (character) => `\\char${character.codePointAt(0)} `);
}
