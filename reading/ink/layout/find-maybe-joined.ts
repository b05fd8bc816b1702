/** Finds rows that may be one line with the row next to them; by their look alone this cannot be told. */
import { gapOf, heightOf, type Piece, widthOf } from './find-rows.ts';

/** `fraction`: a denominator whose bar is hidden by ruling. `limits`: scripts, or limits above and below their operator. */
export type Joint = 'fraction' | 'limits';

export interface MaybeJoinedRows {
  row: Piece;
  /** What may belong to it. */
  added: Piece;
  as: Joint;
}

/** In heights of most letters: a denominator's width, its distance, and the height of the row above. */
const widestLow = 3.5;
const fractionReach = 1.5;
const highest = 4;
/** The height of limits, their distance, and how far they extend beyond their row; how high they are if they reach into it. */
const highestLimits = 2;
const limitsReach = 0.9;
const beyond = 2;
const highestInside = 3;

export function findMaybeJoined(rows: readonly Piece[], size: number, as: Joint): MaybeJoinedRows[] {
  const find = as === 'fraction' ? rowAbove : rowBeside;
  return rows.flatMap((added) => {
    const row = find(added, rows, size);
    return row ? [{ row, added, as }] : [];
  });
}

/** Of a short row, the one close above it. */
function rowAbove(low: Piece, rows: readonly Piece[], size: number): Piece | null {
  if (widthOf(low) > widestLow * size) return null;
  const high = rows
    .filter(
      (row) =>
        row !== low &&
        row.top < low.top &&
        gapOf(row, low) < 0 &&
        low.top - row.bottom < fractionReach * size,
    )
    .sort((a, b) => b.bottom - a.bottom)[0];
  return high && heightOf(high) < highest * size && low.left > high.left - size ? high : null;
}

/**
 * Of a low row, the nearest longer one above or below it; or the only one that is as low as it at some place, such as that of
 * the letters whose exponents it has.
 */
function rowBeside(small: Piece, rows: readonly Piece[], size: number): Piece | null {
  const gapTo = (row: Piece) => Math.max(row.top - small.bottom, small.top - row.bottom);
  const others = rows.filter((row) => row !== small);
  const longer = others.filter(
    (row) =>
      widthOf(row) > widthOf(small) &&
      small.left > row.left - beyond * size &&
      small.right < row.right + beyond * size &&
      gapTo(row) < limitsReach * size,
  );
  if (heightOf(small) <= highestLimits * size && longer.length > 0)
    return longer.reduce((a, b) => (gapTo(b) < gapTo(a) ? b : a));
  const [inside, another] = others.filter((row) => gapTo(row) < 0 && gapOf(row, small) < 0);
  const isOver = inside && !another && heightOf(inside) > heightOf(small);
  return isOver && heightOf(small) <= highestInside * size ? inside : null;
}
