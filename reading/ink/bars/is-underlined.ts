/** Tells whether a row is underlined, as headings are. */
import { type Box, heightOf, widthOf } from '../../box.ts';

/** Share of the row's width that the line covers. */
const leastCovered = 0.7;
/** It is thinner than this share of a letter's height, and has this much paper above it, unlike a row's letters. */
const thickest = 0.5;
const paperAbove = 0.2;
/** It starts below this share of the row's height, and ends at most this many letters below the row. */
const highest = 0.55;
const lowest = 0.9;
/** It extends at most this many letters beyond the row's ends: ruling continues. */
const overhang = 3;

/** @param isDark whether the pixel at an index is ink, or a line taken for ruling */
export function isUnderlined(
  row: Box,
  isDark: (at: number) => boolean,
  { width, height }: { width: number; height: number },
  size: number,
): boolean {
  const last = Math.min(height - 2, Math.round(row.bottom + lowest * size));
  const from = Math.max(0, Math.round(row.left - 2 * overhang * size));
  const to = Math.min(width, Math.round(row.right + 2 * overhang * size));
  for (let y = Math.round(row.top + highest * heightOf(row)); y <= last; y++) {
    const columns = columnsOf(y, row.left, to, 1).concat(columnsOf(y, row.left - 1, from - 1, -1));
    const under = columns.filter((x) => x >= row.left && x < row.right).length;
    const beyond = Math.max(row.left - Math.min(...columns), Math.max(...columns) - row.right);
    if (under >= leastCovered * widthOf(row) && beyond <= overhang * size) return true;
  }
  return false;

  /** Columns with a thin stroke below paper that runs continuously from height `start`. */
  function columnsOf(start: number, first: number, end: number, step: 1 | -1): number[] {
    const paper = Math.max(2, Math.round(paperAbove * size));
    const found: number[] = [];
    let y = start;
    for (let x = first; x !== end; x += step) {
      const next = [y, y - 1, y + 1].find((at) => isDark(at * width + x));
      if (next === undefined) continue;
      y = next;
      let [top, bottom] = [y, y];
      while (top > 0 && y - top < size && isDark((top - 1) * width + x)) top--;
      while (bottom < height - 1 && bottom - y < size && isDark((bottom + 1) * width + x)) bottom++;
      if (bottom - top + 1 > Math.max(2, thickest * size)) continue;
      let isClear = true;
      for (let above = 1; above <= paper; above++) if (isDark((top - above) * width + x)) isClear = false;
      if (isClear) found.push(x);
    }
    return found;
  }
}
