/** Measures a page's text size: its x-height in pixels. */
import { median } from '../../box.ts';
import type { Bitmap } from '../../page.ts';
import type { Line } from '../printed-page.ts';
import { cutSheet } from './signs/pieces.ts';

/** Number of lines measured. */
const enoughLines = 14;
const sureWord = /^\p{L}{3,}[,.;:]?$/u;
const leastConfidence = 80;
/** An x-height is this share of a line's height from descender to ascender. */
const [leastShare, mostShare] = [0.32, 0.66];
/** Smaller print is not legible enough (pixels). */
const smallest = 5;

/** @returns null if there is too little text, or it is too small */
export function measureXHeight(grey: Bitmap, lines: readonly Line[]): number | null {
  const prose = lines
    .map((line) => ({
      line,
      words: line.words.filter(
        ({ text, confidence }) => sureWord.test(text) && confidence >= leastConfidence,
      ),
    }))
    .filter(({ words }) => words.length >= 2);
  if (prose.length === 0) return null;
  const usual = median(prose.map(({ line }) => line.size));
  const heights: number[] = [];
  for (const { line, words } of prose
    .filter(({ line: { size } }) => Math.abs(size / usual - 1) < 0.12)
    .slice(0, enoughLines)) {
    for (const word of words) {
      const sheet = cutSheet(grey, word, line.size * 0.45);
      for (const { top, bottom } of sheet.pieces) {
        const height = (bottom - top) / sheet.scale;
        if (height > leastShare * line.size && height < mostShare * line.size) heights.push(height);
      }
    }
  }
  if (heights.length < 12) return null;
  // the height near which most letters fall
  heights.sort((a, b) => a - b);
  const near = (middle: number) => heights.filter((height) => Math.abs(height - middle) < 0.08 * middle);
  const most = heights.reduce((a, b) => (near(b).length > near(a).length ? b : a));
  const own = near(most);
  const xHeight = own.reduce((sum, height) => sum + height, 0) / own.length;
  return xHeight < smallest ? null : xHeight;
}
