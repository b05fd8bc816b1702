/** Words of the text at the left edge of a display: the one before it, which reaches up beside it, and a sentence below. */
import { functionNames } from '../../../text-layer/math/symbols.ts';
import type { Glyph } from '../../../text-layer/model.ts';

/** Text size in the parser's points. */
const textSize = 10;
/** Space behind the word before a display, and the largest between letters of a word, in points. */
const behindOpening = 15;
const withinWord = 1.2;

const isLetter = ({ text, font }: Glyph) =>
  (font.family === 'none' || font.family === 'letters') && /^\p{L}$/u.test(text);

/** The letters close together at the left edge, if they are a capital and small ones: "As", "Then". Empty if they are not. */
function firstWord<G extends Glyph>(glyphs: readonly G[], left: number): G[] {
  const [first, ...rest] = [...glyphs].sort((a, b) => a.x - b.x);
  if (!first || !isLetter(first) || first.ink.x0 > left + textSize) return [];
  const word = [first];
  for (const glyph of rest) {
    const isOnLine = Math.abs(glyph.baseline - first.baseline) < 0.1 * textSize;
    if (!isOnLine || !isLetter(glyph) || glyph.ink.x0 - word.at(-1)!.ink.x1 > withinWord) break;
    word.push(glyph);
  }
  const text = word.map((glyph) => glyph.text).join('');
  return /^\p{Lu}\p{Ll}+$/u.test(text) && !functionNames.has(text) ? word : [];
}

/** The word before a display, apart from everything else; empty if there is none. @param left edge of the column */
export function findOpening<G extends Glyph>(glyphs: readonly G[], left: number): G[] {
  const word = firstWord(glyphs, left);
  const end = word.at(-1)?.ink.x1 ?? 0;
  const isApart = glyphs.every((glyph) => word.includes(glyph) || glyph.ink.x0 > end + behindOpening);
  return isApart ? word : [];
}

/** Whether a line at the left edge begins with a longer word in upright letters, such as "Then". */
export function beginsSentence({ glyphs, x0 }: { glyphs: readonly Glyph[]; x0: number }): boolean {
  const word = firstWord(glyphs, x0);
  return word.length > 2 && word.every(({ font }) => font.family === 'none');
}
