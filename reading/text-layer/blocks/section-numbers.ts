/** Numbers of headings: LaTeX counts them itself, so only where it would count otherwise is a counter set. */
import type { Line } from '../lines/lines.ts';
import { textOf } from '../lines/lines.ts';
import type { Glyph } from '../model.ts';

const counters = ['section', 'subsection', 'subsubsection'];
const numberPattern = /^((?:\d+|[IVX]+|[A-Z])(?:\.\d+)*)\.?\s+(?=\S)/;

/** The number that begins a heading's text, with what separates it. */
export function leadingNumber(text: string): { number: string; length: number } | null {
  const match = numberPattern.exec(text);
  return match ? { number: match[1] as string, length: match[0].length } : null;
}

/** The number of a chapter on a line of its own, above its title. */
export const chapterName =
  /^(?:chapter|appendix|kapitel|anhang|chapitre|annexe|cap[ií]tulo|capitolo|apêndice|appendice|rozdział|hoofdstuk|глава)\s+(\d+|[A-Z])\.?$/iu;

/** The number of a part, above its title in the same way. */
export const partName = /^(?:part|teil|partie|parte|część|deel|часть)\s+([IVX]+)\.?$/iu;

/** No appendix reaches these letters. */
export function isRoman(number: string): boolean {
  return /^[IVX]+(?:\.|$)/.test(number);
}

/** The AMS classes set headings of sections in small capitals, or in capitals where the face has no small ones. */
export function isCapitals(line: Line): boolean {
  const letters = line.glyphs.filter((g) => g.font.family === 'none' && /\p{L}/u.test(g.text));
  if (letters.length < 2 || letters.some((g) => g.font.bold || g.font.mono)) return false;
  if (letters.every((g) => g.font.smallCaps)) return true;
  if (!letters.every((g) => /\p{Lu}/u.test(g.text) && !g.font.italic)) return false;
  // words, not the letters of a chemical equation
  const text = [...line.glyphs].sort((one, other) => one.x - other.x).map((g) => g.text);
  return /\p{Lu}{4}/u.test(text.join(''));
}

/** IEEEtran counts sections in Roman numbers, before words in capitals. */
export function isRomanSection(line: Line): boolean {
  return isCapitals(line) && /^[IVX]+\.\s/.test(textOf(line));
}

export function isSlanted({ glyphs }: Line): boolean {
  const letters = glyphs.filter((g) => g.font.family === 'none' && /\p{L}/u.test(g.text));
  return letters.length > 0 && letters.every((g) => g.font.italic);
}

/** A number of several parts and slanted words: subsections of elsarticle, and a choice of titlesec's. */
export function hasSlantedWords(line: Line): boolean {
  return /^\d+(?:\.\d+)+\.?\s+\p{L}{2}/u.test(textOf(line)) && isSlanted(line);
}

/** Least space between a heading's number and its words, in ems: the KOMA classes have half an em, others a quad. */
export const leastGap = 0.45;

/** Space between a heading's number and its words, in ems. */
export function gapAfterNumber(line: Line, number: string): number {
  const glyphs = [...line.glyphs].sort((a, b) => a.x - b.x);
  const last = glyphs[number.length - 1];
  let next = glyphs[number.length];
  if (next?.text === '.') next = glyphs[number.length + 1];
  if (!last || !next) return 0;
  return (next.x - last.x - last.width) / line.size;
}

/** The number of a line that looks like a heading, to know the state before a page; entries of a table of contents do not count. */
export function headingNumber(line: Line, bodySize: number): string | null {
  const letters = line.glyphs.filter((g) => /[\p{L}\d]/u.test(g.text) && g.size > 0.85 * line.size);
  const isLarge = line.size > 1.15 * bodySize;
  const isBold = letters.length > 0 && letters.every((g) => g.font.bold || g.font.family !== 'none');
  const isCaps = isCapitals(line);
  const text = textOf(line);
  const chapter = isLarge || isCaps ? chapterName.exec(text)?.[1] : undefined;
  if (chapter !== undefined) return chapter;
  const runIn = runInNumber(line) ?? runInSection(line);
  if (runIn !== null) return runIn.number;
  if (!isLarge && !isBold && !isCaps && !hasSlantedWords(line)) return null;
  if (!isLarge && /\d$/.test(text)) return null;
  const found = leadingNumber(text);
  const isCounted = (isLarge && isBold) || /\d/.test(found?.number ?? '') || isRomanSection(line);
  if (!found || !isCounted) return null;
  return isCaps || gapAfterNumber(line, found.number) > leastGap ? found.number : null;
}

/** Space after the bold words that run into their text: a quad, of which a heading's face may have a little less, in ems. */
const leastRunIn = 0.75;

/** The number of a bold section that runs into its text, as titlesec sets it: 1 Title, a wide space, and text. */
export function runInSection(line: Line): { number: string; length: number } | null {
  const isBold = (g: Glyph) => g.font.bold && g.font.family === 'none';
  if (!line.glyphs.some((g) => isBold(g) && /^\d$/.test(g.text))) return null;
  const sorted = [...line.glyphs].sort((a, b) => a.x - b.x);
  const end = sorted.findIndex((g) => !isBold(g) && g.font.family === 'none');
  const [last, next] = [sorted[end - 1], sorted[end]];
  if (!last || !next || next.x - last.x - last.width < leastRunIn * line.size) return null;
  const found = leadingNumber(textOf({ ...line, glyphs: sorted.slice(0, end) }));
  const isCounted =
    found !== null && /^\d+$/.test(found.number) && gapAfterNumber(line, found.number) > leastGap;
  return isCounted ? found : null;
}

/** The number of a bold heading that runs into its text, as the AMS classes set those of subsections: 1.2. Title. Text */
export function runInNumber(line: Line): { number: string; length: number } | null {
  const sorted = [...line.glyphs].sort((a, b) => a.x - b.x);
  // the number may be upright beside its bold words
  const start = sorted.findIndex((g) => !/[\d.]/.test(g.text));
  const first = sorted[start];
  if (!first?.font.bold || first.font.family !== 'none') return null;
  const match = /^(\d+(?:\.\d+){1,2})\.\s+(?=\p{L})/u.exec(
    textOf({ ...line, glyphs: sorted.slice(0, start + 1) }),
  );
  return match ? { number: match[1] as string, length: match[0].length } : null;
}

/**
 * What must precede a heading so that it gets `number`. `previous` is the number of the numbered heading before
 * it: '' if it is the document's first, null if unknown.
 */
export function counterCommands(number: string, previous: string | null): string {
  const parts = number.split('.').slice(0, counters.length);
  const isAppendix = isLettered(number);
  const before = previous === null ? [] : previous.split('.').filter(Boolean);
  const wasAppendix = isLettered(before[0] ?? '');
  let out = '';
  let known: (number | null)[] = counters.map((_, k) =>
    previous === null ? null : countOf(before[k] ?? '0'),
  );
  if (isAppendix && !wasAppendix) {
    out += '\\appendix\n';
    known = counters.map(() => 0);
  }
  parts.forEach((part, k) => {
    const wanted = k === parts.length - 1 ? countOf(part) - 1 : countOf(part);
    if (known[k] === wanted) return;
    out += `\\setcounter{${counters[k]}}{${wanted}}\n`;
    // setting a counter, unlike stepping it, does not reset the counters below it
    known = known.map((value, j) => (j > k ? null : value));
  });
  return out;
}

function isLettered(number: string): boolean {
  return /^[A-Z]/.test(number) && !isRoman(number);
}

export function countOf(part: string): number {
  if (isRoman(part)) {
    const values = [...part].map((digit) => ({ I: 1, V: 5, X: 10 })[digit] as number);
    return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
  }
  return /^\d+$/.test(part) ? Number(part) : part.charCodeAt(0) - 64;
}
