/** Connected pieces of ink of the size of characters, and what their arrangement shows about a page's orientation. */
import type { Bitmap } from '../../page.ts';
import { inkLevel } from '../../raster.ts';
import { findInkPieces } from '../ink-pieces.ts';

export interface Glyph {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Long side, in pixels, of the copy of a page on which ink is measured. */
export const measureSide = 1000;
/** Sizes of characters on such a copy; anything else is specks, rules, drawings or shadows. */
const minSide = 4;
const maxSide = 60;
const minPixels = 8;
const maxElongation = 8;
/** Neighbours farther away than this many glyph sizes are no evidence. */
const maxReach = 4;
const nearestCount = 2;

/** Collects pieces of ink of the size of characters from an evenly lit grey picture of at most `measureSide`. */
export function collectGlyphs({ width, height, data }: Bitmap): Glyph[] {
  const { pieces } = findInkPieces(width, height, (at) => data[at]! < inkLevel);
  return pieces.filter(({ left, top, right, bottom, pixels }) => {
    const [small, large] = [right - left, bottom - top].sort((a, b) => a - b) as [number, number];
    const touchesEdge = left === 0 || top === 0 || right === width || bottom === height;
    const isOfSize = large >= minSide && large <= maxSide && large <= small * maxElongation;
    return pixels >= minPixels && isOfSize && !touchesEdge;
  });
}

/**
 * Characters are closer to their neighbours in the line than to the lines above and below.
 * @returns the share (0 … 1) of near neighbours that are beside rather than above or below; 0.5 if there are too few.
 */
export function shareBeside(glyphs: Glyph[]): number {
  let [beside, stacked] = [0, 0];
  const middles = glyphs.map((glyph) => ({
    x: (glyph.left + glyph.right) / 2,
    y: (glyph.top + glyph.bottom) / 2,
    size: Math.max(glyph.right - glyph.left, glyph.bottom - glyph.top),
  }));
  for (const one of middles) {
    const near = middles
      .filter((other) => other !== one && other.size < one.size * 3 && other.size > one.size / 3)
      .map((other) => ({ dx: Math.abs(other.x - one.x), dy: Math.abs(other.y - one.y) }))
      .filter(({ dx, dy }) => Math.max(dx, dy) < one.size * maxReach && Math.max(dx, dy) > one.size * 0.3)
      .sort((a, b) => Math.hypot(a.dx, a.dy) - Math.hypot(b.dx, b.dy))
      .slice(0, nearestCount);
    for (const { dx, dy } of near) {
      if (dx > dy * 1.5) beside++;
      else if (dy > dx * 1.5) stacked++;
    }
  }
  return beside + stacked < 20 ? 0.5 : beside / (beside + stacked);
}

/**
 * Lines start at a common margin and end wherever their words end.
 * @returns above 0 when lines (running across) start together at the left, below 0 when at the right; −1 … 1.
 */
export function flushness(glyphs: Glyph[], width: number, height: number): number {
  const left = new Float64Array(height).fill(-1);
  const right = new Float64Array(height).fill(-1);
  for (const glyph of glyphs)
    for (let y = glyph.top; y < glyph.bottom; y++) {
      left[y] = left[y]! < 0 ? glyph.left : Math.min(left[y]!, glyph.left);
      right[y] = Math.max(right[y]!, glyph.right);
    }
  const together = (ends: Float64Array): number => {
    const binWidth = Math.max(1, width * 0.02);
    const bins = new Float64Array(Math.ceil(width / binWidth) + 2);
    let total = 0;
    for (const end of ends) {
      if (end < 0) continue;
      bins[Math.floor(end / binWidth)]! += 1;
      total++;
    }
    let sum = 0;
    for (let index = 0; index + 1 < bins.length; index++) sum += (bins[index]! + bins[index + 1]!) ** 2;
    return total ? sum / (total * total) : 0;
  };
  const [leftScore, rightScore] = [together(left), together(right)];
  return leftScore + rightScore > 0 ? (leftScore - rightScore) / (leftScore + rightScore) : 0;
}
