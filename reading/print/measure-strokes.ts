import type { Bitmap } from '../page.ts';
import type { Line } from './printed-page.ts';

/** Paper and its grain are at most this dark, in levels. */
const paperDarkness = 32;

/**
 * Stroke width of a line, in pixels: its ink divided by half the total variation along its rows. Blur and subpixel
 * shifts change neither, so bold type is detected at any position. 0 without ink.
 */
export function measureStroke({ width, data }: Bitmap, { words }: Pick<Line, 'words'>): number {
  let [ink, edges] = [0, 0];
  for (const { left, right, top, bottom } of words)
    for (let y = Math.floor(top); y < bottom; y++) {
      let before = 0;
      for (let x = Math.floor(left); x < right; x++) {
        const darkness = Math.max(0, 255 - paperDarkness - (data[y * width + x] ?? 255));
        ink += darkness;
        edges += Math.abs(darkness - before);
        before = darkness;
      }
      edges += before;
    }
  return edges > 0 ? (2 * ink) / edges : 0;
}
