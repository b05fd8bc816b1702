/**
 * Makes slanting lines of handwriting level. A photograph taken at an angle slants them differently at the top and at the
 * bottom, and so do hands on plain paper; one rotation of the page cannot mend both.
 */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { Bitmap } from '../../page.ts';

/** A stretch of text as it was detected. */
export interface SeenText {
  box: ShareBox;
  /** Pixels down per pixel to the right; null for what is not clearly longer than it is high. */
  slope: number | null;
}

/** A line's slope at (x, y), shares of the page's sides: `middle + across (x − ½) + down (y − ½)`. */
export interface PageSlope {
  middle: number;
  across: number;
  down: number;
}

/** With fewer long stretches, the slope is not known. */
const leastStretches = 3;
/** A page is made level if that makes its stretches less steep by this much on average: 0.8°. */
const leastGain = 0.014;
/** What counts against a slope that changes across the page, as a share of all stretches' weight. */
const evenness = 0.02;
/** Stretches further from the fitted slope than this many median distances hardly count. */
const farOff = 2;
const leastDistance = 0.01;
const rounds = 10;

/** @returns null if the lines are level as they are */
export function measureSlope(texts: readonly SeenText[]): PageSlope | null {
  const known = texts.flatMap(({ box: [left, top, wide, tall], slope }) =>
    slope === null
      ? []
      : [{ slope, terms: [1, left + wide / 2 - 0.5, top + tall / 2 - 0.5], weight: wide * wide }],
  );
  if (known.length < leastStretches) return null;
  const all = known.reduce((sum, { weight }) => sum + weight, 0);
  let weights = known.map(({ weight }) => weight / all);
  let fitted = [0, 0, 0];
  for (let round = 0; round < rounds; round++) {
    const sums = [0, 1, 2].map((row) =>
      [0, 1, 2, 3].map((column) =>
        known.reduce(
          (sum, { slope, terms }, at) => sum + weights[at]! * terms[row]! * (terms[column] ?? slope),
          row === column && row > 0 ? evenness : 0,
        ),
      ),
    );
    fitted = solve(sums);
    const distances = known.map(({ slope, terms }) => Math.abs(slope - dot(fitted, terms)));
    const usual = Math.max(leastDistance, distances.toSorted((a, b) => a - b)[distances.length >> 1]!);
    weights = known.map(({ weight }, at) => weight / all / (1 + (distances[at]! / (farOff * usual)) ** 2));
  }
  const [middle, across, down] = fitted as [number, number, number];
  const lengths = known.map(({ weight }) => Math.sqrt(weight));
  const steepness = (of: readonly number[]) =>
    dot(lengths, of.map(Math.abs)) / lengths.reduce((sum, length) => sum + length, 0);
  const before = known.map(({ slope }) => slope);
  const after = known.map(({ slope, terms }) => slope - dot(fitted, terms));
  return steepness(before) - steepness(after) < leastGain ? null : { middle, across, down };
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, one, at) => sum + one * b[at]!, 0);

/** Three linear equations, a row each: the coefficients and the right side. */
function solve(rows: number[][]): number[] {
  for (let at = 0; at < rows.length; at++) {
    const pivot = rows[at]!;
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const share = row[at]! / pivot[at]!;
      for (let column = at; column < row.length; column++) row[column]! -= share * pivot[column]!;
    }
  }
  return rows.map((row, at) => row.at(-1)! / row[at]!);
}

export interface LevelPage<B extends Bitmap> {
  bitmap: B;
  /** The smallest box on the page as it was around a box on the level one. */
  toPage(box: ShareBox): ShareBox;
}

/** Moves every column of the page up or down; what it moves in at the edges repeats them. */
export function levelPage<B extends Bitmap>(page: B, { middle, across, down }: PageSlope): LevelPage<B> {
  const { width, height, channels } = page;
  /** How far below its place on the level page a point is, in px. */
  const shiftAt = (x: number, y: number) => {
    const right = x / width - 0.5;
    return width * right * (middle + down * (y / height - 0.5) + (across * right) / 2);
  };
  const data = new Uint8Array(page.data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = Math.max(0, Math.min(height - 1, y + shiftAt(x, y)));
      const above = Math.floor(from);
      const below = Math.min(height - 1, above + 1);
      const share = from - above;
      for (let channel = 0; channel < channels; channel++) {
        const upper = page.data[(above * width + x) * channels + channel]!;
        const lower = page.data[(below * width + x) * channels + channel]!;
        data[(y * width + x) * channels + channel] = Math.round(upper + (lower - upper) * share);
      }
    }
  return {
    bitmap: { ...page, data },
    toPage([left, top, wide, tall]) {
      const [from, to] = [top, top + tall].map((y) =>
        [left, left + wide].map((x) => y + shiftAt(x * width, y * height) / height),
      );
      const first = Math.max(0, Math.min(...from!));
      return [left, first, wide, Math.min(1, Math.max(...to!)) - first];
    },
  };
}
