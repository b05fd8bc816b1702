/**
 * Puts lines together again that Tesseract split at a wide space, such as that of a ragged or a stretched line, and in
 * order that it lists after one below them.
 */
import { around, heightOf, middleOf, widthOf } from '../box.ts';
import type { Line } from './printed-page.ts';

/** Widest space that splits a line, relative to its size; the space between columns may be narrower. */
const widestSpace = 3.2;
/** Lines as far apart as this, relative to the size, are neighbours. */
const neighbourhood = 4;
const nextNeighbour = 3;
const edgeTolerance = 0.4;
/** Lines that share this much of the narrower one's width are of one column. */
const sameColumn = 0.5;

/**
 * Two lines at one height are one if a neighbouring line runs across the space between them and no neighbour begins
 * where the second begins, as the lines of a column do. The joined line is at the place of its first part.
 */
export function joinLines(lines: readonly Line[]): Line[] {
  const out = [...lines];
  for (let at = 0; at < out.length; at++) {
    for (let other = next(out, at); other >= 0; other = next(out, at)) {
      const [left, right] = [out[at]!, out[other]!];
      out[at] = { ...left, ...around([left, right]), words: [...left.words, ...right.words] };
      out.splice(other, 1);
      if (other < at) at--;
    }
  }
  return out;
}

/** The line that goes on to the right of the one at `at`, or -1. */
function next(lines: readonly Line[], at: number): number {
  const line = lines[at]!;
  return lines.findIndex((other, index) => index !== at && goesOn(line, other, lines));
}

function goesOn(line: Line, other: Line, all: readonly Line[]): boolean {
  const size = Math.min(line.size, other.size);
  const space = other.left - line.right;
  if (space < -0.2 * size || space > widestSpace * size) return false;
  const shared = Math.min(line.bottom, other.bottom) - Math.max(line.top, other.top);
  if (shared < 0.6 * Math.min(heightOf(line), heightOf(other))) return false;
  const y = middleOf(other).y;
  const near = all.filter(
    (third) => third !== line && third !== other && Math.abs(middleOf(third).y - y) < neighbourhood * size,
  );
  const begins = near.some((third) => Math.abs(third.left - other.left) < edgeTolerance * size);
  return (
    !begins &&
    near.some(
      (third) =>
        third.left < line.right - size &&
        third.right > other.left + size &&
        Math.abs(middleOf(third).y - y) < nextNeighbour * size,
    )
  );
}

/** A line comes before the first one that is below it in its column. */
export function orderLines(lines: readonly Line[]): Line[] {
  const out: Line[] = [];
  for (const line of lines) {
    const at = out.findIndex((other) => isBelow(other, line));
    out.splice(at < 0 ? out.length : at, 0, line);
  }
  return out;
}

function isBelow(other: Line, line: Line): boolean {
  const shared = Math.min(other.right, line.right) - Math.max(other.left, line.left);
  return shared > sameColumn * Math.min(widthOf(other), widthOf(line)) && other.top > middleOf(line).y;
}
