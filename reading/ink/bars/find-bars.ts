/** Finds long, nearly level strokes in a page's ink: bars of fractions, and whatever else is as straight. */
import type { Box } from '../../box.ts';
import { chainRuns, type Run } from './chain-runs.ts';

export interface Bar extends Box {
  /** Its pixels, as indices into the page's ink. */
  pixels: number[];
  /** The stroke's middle in each column from `left` to `right`. */
  levels: number[];
}

/** Shortest run of ink in one row of pixels that may be part of a stroke, px. */
const leastRun = 5;
/** Sizes below are in heights of most letters. Thicker strokes are no pen's; a pixel or two of any pen's are more. */
const thickest = 0.25;
const leastThickest = 4;
const shortest = 0.7;
/** Rise over run, and how far the stroke may be from the straight line between its ends; or this share of its length. */
const steepest = 0.22;
const mostBend = 0.25;
const bendOfLong = 0.04;
/** Share of its columns in which it is seen. */
const leastSeen = 0.85;

/**
 * @param ink 1 for writing
 * @param size height of most letters, px
 */
export function findBars(ink: Uint8Array, width: number, height: number, size: number): Bar[] {
  const limit = Math.max(leastThickest, thickest * size);
  const strokes = chainRuns(ink, width, height, { leastRun, columnGap: 0, rowGap: 0 });
  return strokes.flatMap((own) => barOf(own, width, size, limit) ?? []);
}

function barOf(runs: readonly Run[], width: number, size: number, limit: number): Bar | null {
  const left = runs.reduce((least, { from }) => Math.min(least, from), width);
  const right = runs.reduce((most, { to }) => Math.max(most, to), 0);
  if (right - left < shortest * size) return null;
  const tops = new Int32Array(right - left).fill(-1);
  const bottoms = new Int32Array(right - left).fill(-1);
  for (const { y, from, to } of runs)
    for (let x = from - left; x < to - left; x++) {
      if (tops[x]! < 0) tops[x] = y;
      bottoms[x] = y;
    }
  // where other strokes touch it, it is as thick as they are
  const isThin = (x: number) => tops[x]! >= 0 && bottoms[x]! - tops[x]! < limit;
  const thin = [...tops.keys()].filter(isThin);
  if (thin.length < leastSeen * tops.length) return null;
  const middle = (x: number) => (tops[x]! + bottoms[x]!) / 2;
  const [first, last] = [thin[0]!, thin.at(-1)!];
  const slope = (middle(last) - middle(first)) / Math.max(1, last - first);
  if (Math.abs(slope) > steepest) return null;
  const line = (x: number) => middle(first) + slope * (x - first);
  const bend = Math.max(2, mostBend * size, bendOfLong * (right - left));
  if (thin.some((x) => Math.abs(middle(x) - line(x)) > bend)) return null;
  const half = Math.max(1, thin.reduce((sum, x) => sum + bottoms[x]! - tops[x]!, 0) / thin.length / 2);
  const levels: number[] = [];
  const pixels: number[] = [];
  let [top, bottom] = [Number.POSITIVE_INFINITY, 0];
  let level = middle(first);
  for (let x = 0; x < tops.length; x++) {
    if (isThin(x)) level = middle(x);
    levels.push(level);
    const [from, to] = isThin(x)
      ? [tops[x]!, bottoms[x]!]
      : [Math.floor(level - half), Math.ceil(level + half)];
    for (let y = from; y <= to; y++) pixels.push(y * width + left + x);
    top = Math.min(top, from);
    bottom = Math.max(bottom, to + 1);
  }
  return { left, right, top, bottom, pixels, levels };
}
