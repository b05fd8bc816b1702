/** Tells a drawing made on a screen from paper that was scanned or photographed. */
import type { Bitmap } from '../../page.ts';

/** Of a picture from a screen more than this share has the paper's own level, give or take so many of 255. */
const paperShare = 0.955;
const paperSpread = 3;

/** Paper of one level all over has no shadows, edges and table under it: whatever is on it was written. */
export function isDrawnOnScreen({ data }: Bitmap): boolean {
  const counts = new Uint32Array(256);
  for (const level of data) counts[level]!++;
  const paper = counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
  const near = counts.slice(Math.max(0, paper - paperSpread), paper + paperSpread + 1);
  return near.reduce((sum, count) => sum + count, 0) > paperShare * data.length;
}
