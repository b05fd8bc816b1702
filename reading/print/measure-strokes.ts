import type { Bitmap } from '../page.ts';
import type { Line } from './printed-page.ts';

/** Paper and its grain are this dark at most, in levels. */
const paperDarkness = 32;

/**
 * How wide the strokes of a line are, in pixels: its ink over half of what its rows rise and fall by. Blur and a part of
 * a pixel change neither, so bold type shows at any place on the grid. 0 without ink.
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
