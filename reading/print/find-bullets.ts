import type { Box } from '../box.ts';
import { around, heightOf, widthOf } from '../box.ts';
import type { Bitmap } from '../page.ts';
import { inkLevel } from '../raster.ts';
import type { Line, Word } from './printed-page.ts';

/** A bullet's position before its line, and its size, relative to the line's size. */
const farthest = 2.4;
const nearest = 0.25;
const smallest = 0.12;
const largest = 0.5;
/** A disc fills 0.79 of its box; blur rounds a square. */
const leastFilled = 0.6;

/**
 * Returns the lines with bullets that Tesseract missed, as separate words; whether it misses one depends on fractions
 * of a pixel. A bullet is the only ink before its line: small, round and filled, at half its height.
 * @param grey the page, evenly lit
 */
export function findBullets(grey: Bitmap, lines: readonly Line[]): Line[] {
  return lines.map((line) => {
    const box = bulletBefore(grey, line);
    if (!box) return line;
    const bullet: Word = { ...box, text: '•', confidence: 100 };
    return { ...line, ...around([line, box]), words: [bullet, ...line.words] };
  });
}

function bulletBefore({ width, height, data }: Bitmap, line: Line): Box | null {
  const { size } = line;
  const from = Math.max(0, Math.round(line.left - farthest * size));
  const to = Math.round(line.left - nearest * size);
  const [top, bottom] = [Math.max(0, Math.floor(line.top)), Math.min(height, Math.ceil(line.bottom))];
  const ink: Box = { left: to, right: from, top: bottom, bottom: top };
  let amount = 0;
  for (let y = top; y < bottom; y++)
    for (let x = from; x < to; x++)
      if (data[y * width + x]! < inkLevel) {
        amount++;
        ink.left = Math.min(ink.left, x);
        ink.right = Math.max(ink.right, x + 1);
        ink.top = Math.min(ink.top, y);
        ink.bottom = Math.max(ink.bottom, y + 1);
      }
  const [wide, tall] = [widthOf(ink), heightOf(ink)];
  const isOfSize = Math.min(wide, tall) > smallest * size && Math.max(wide, tall) < largest * size;
  const isRound = wide < 1.4 * tall && tall < 1.4 * wide && amount > leastFilled * wide * tall;
  const middle = ((ink.top + ink.bottom) / 2 - line.top) / (line.bottom - line.top);
  return isOfSize && isRound && middle > 0.3 && middle < 0.75 ? ink : null;
}
