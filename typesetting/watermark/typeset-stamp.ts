/** Typesets the watermark's text once, with our own engine, as a one-page PDF exactly as large as the text. */
import { invalidInput } from '#platform/errors.ts';
import { requireCompiled } from '../require-compiled.ts';
import type { Typesetter } from '../typesetter.ts';
import { breakLines } from './break-lines.ts';
import { chooseFonts, type FontRun } from './choose-fonts.ts';
import { orderText } from './order-text.ts';

/** OpenType script tags that shaping needs explicitly; others are shaped by default. */
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
/**
 * Space above and below each baseline, whatever its letters, so that a full stop alone is not enlarged to fill
 * a page.
 */
const strut = '\\vrule height 43pt depth 15pt width 0pt';

interface StampRequest {
  text: string;
  owner: string;
  signal: AbortSignal;
}

export interface Stamp {
  /** One page; its media box is the text's own. */
  pdf: Uint8Array;
  lineCount: number;
}

/** @throws ApiError INVALID_INPUT naming the characters that no installed font has; BUSY */
export async function typesetStamp(
  typesetter: Typesetter,
  { text, owner, signal }: StampRequest,
): Promise<Stamp> {
  const lines = breakLines(text.normalize('NFC'));
  const all = lines.join(' ');
  if (/^[\p{Default_Ignorable_Code_Point}\s]*$/u.test(all))
    throw invalidInput('watermark_text: write the text that is to be stamped.');
  const choice = await chooseFonts(all);
  if (choice.kind === 'missing')
    throw invalidInput(
      `No font on this server can write ${choice.characters.slice(0, 10).join(' ')}. Use other characters for the watermark.`,
    );
  const fonts = new Map<string, string>();
  /** One piece in its font, which is given a name at its first use. */
  const setRun = ({ text: part, fontFile }: FontRun): string => {
    const script = scripts.find(([pattern]) => pattern.test(part))?.[1];
    const font = `"[${fontFile}]${script ? `:script=${script}` : ''}" at 48pt`;
    const name = fonts.get(font) ?? `\\f${roman(fonts.size)}`;
    fonts.set(font, name);
    return `{${name} ${escapeText(part)}}`;
  };
  const rows = lines.map((line) =>
    orderText(line)
      .map(({ text: part, isRightToLeft }) => {
        const set = choice.split(part).map(setRun).join('');
        return isRightToLeft ? `\\beginR ${set}\\endR{}` : set;
      })
      .join(''),
  );
  const latex = [
    '\\documentclass{article}\\begin{document}\\TeXXeTstate=1 \\hoffset=-1in \\voffset=-1in',
    ...[...fonts].map(([font, name]) => `\\font${name}=${font}`),
    // a middle grey, which the page's own opacity makes faint: visible on white as well as on black
    `\\setbox0\\vbox{\\offinterlineskip\\halign{\\hfil\\special{color push gray 0.5}#\\special{color pop}\\hfil${strut}\\cr`,
    ...rows.map((row) => `${row}\\cr`),
    '}}',
    '\\pdfpagewidth=\\wd0 \\pdfpageheight=\\dimexpr\\ht0+\\dp0\\relax',
    '\\shipout\\box0',
    '\\end{document}',
  ].join('\n');
  const result = await typesetter.compile({ latex, engine: 'xelatex', owner, signal, cpuMs: 15_000 });
  return { pdf: requireCompiled(result, 'server').pdf, lineCount: lines.length };
}

/** Font numbers in letters: TeX's command names have no digits. */
function roman(index: number): string {
  return [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

/** TeX's special characters as character codes, and spaces that stay at an edge; everything else unchanged. */
function escapeText(text: string): string {
  return text.replace(/[\\{}$&#^_~% ]/g, (character) =>
    character === ' ' ? '\\ ' : `\\char${character.codePointAt(0)} `,
  );
}
