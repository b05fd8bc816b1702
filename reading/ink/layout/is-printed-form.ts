/** Tells a printed row of cells, such as a diary's days, from writing. */
import { type Box, heightOf } from '../../box.ts';

/** A bar between cells runs over this share of the row's height. */
const leastCovered = 0.75;
/** Bars this equally spaced, by share of the spacing and at least this many px, are not drawn by hand. */
const offSpacing = 0.06;
const leastOff = 1.5;
const leastSpacings = 5;
/** Cells hold something: bars are further apart than this share of the row's height. */
const narrowest = 0.6;

export function isPrintedForm(row: Box, ink: Uint8Array, width: number): boolean {
  const bars = barsIn(row, ink, width);
  for (let start = 0; start + leastSpacings < bars.length; start++) {
    const spacing = (bars[start + leastSpacings]! - bars[start]!) / leastSpacings;
    const most = Math.max(leastOff, offSpacing * spacing);
    const isEven = Array.from({ length: leastSpacings }).every(
      (_, at) => Math.abs(bars[start + at + 1]! - bars[start + at]! - spacing) <= most,
    );
    if (isEven && spacing > narrowest * heightOf(row)) return true;
  }
  return false;
}

/** Where upright strokes run over most of the row's height; they may lean by a pixel. */
function barsIn(row: Box, ink: Uint8Array, width: number): number[] {
  const bars: number[] = [];
  let from = -1;
  for (let x = row.left; x <= row.right; x++) {
    let covered = 0;
    for (let y = row.top; y < row.bottom; y++)
      if (ink[y * width + x] || ink[y * width + x - 1] || ink[y * width + x + 1]) covered++;
    const isBar = covered >= leastCovered * heightOf(row);
    if (isBar && from < 0) from = x;
    if (!isBar && from >= 0) {
      bars.push((from + x - 1) / 2);
      from = -1;
    }
  }
  return bars;
}
