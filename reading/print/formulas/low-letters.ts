/** Letters with an index that Tesseract takes for a short word: "by" for b with a k below the line. */
import { around, heightOf, median } from '../../box.ts';
import type { Bitmap } from '../../page.ts';
import type { Line, Word } from '../printed-page.ts';
import { cutSheet } from './signs/pieces.ts';

const shortWord = /^\P{L}*\p{L}{2,3}\P{L}*$/u;
/** Tesseract's confidence in such a word, which it has more of in words that are ones. */
const mostSure = 96;
/**
 * An index in x-heights from the line: TeX lowers it by 0.35. A comma is as low, but smaller; a letter with a descender
 * is as high as others.
 */
const leastBelow = 0.12;
const leastUnderTop = 0.13;
const leastHeight = 0.55;

/** The words of a line whose last letter stands lower than the line. */
export function lowWords(grey: Bitmap, { words }: Line, xHeight: number): Word[] {
  return words.filter((word, at) => {
    if (!shortWord.test(word.text) || word.confidence >= mostSure) return false;
    const near = words.slice(Math.max(0, at - 1), at + 2);
    const { top, bottom } = around(near);
    const reach = 0.3 * xHeight;
    const part = { ...around(near), top: top - reach, bottom: bottom + reach };
    const { pieces, xHeight: unit, left, scale } = cutSheet(grey, part, xHeight);
    const letters = pieces.filter((piece) => heightOf(piece) > leastHeight * unit);
    const baseline = median(letters.map((piece) => piece.bottom));
    const last = letters
      .filter((piece) => left + (piece.left + piece.right) / 2 / scale < word.right + 0.1 * xHeight)
      .sort((a, b) => a.right - b.right)
      .at(-1);
    return (
      last !== undefined &&
      last.bottom - baseline > leastBelow * unit &&
      last.top - (baseline - unit) > leastUnderTop * unit
    );
  });
}
