/** Cuts a display out of its page, with what Tesseract found nothing of: a sign beside a matrix, its upper rows. */
import { type Box, heightOf } from '../../box.ts';
import type { Bitmap } from '../../page.ts';
import type { Display } from './find-formulas.ts';
import { KnownNames } from './signs/known-names.ts';
import { enlargePart, findPieces, type Sheet } from './signs/pieces.ts';

/** In x-heights: ink this close to an edge of the part continues beyond it, and how far the part is widened then. */
const nearEdge = { beside: 2, above: 0.3 };
const wider = { beside: 6, above: 3 };
/** Lower ink says nothing. */
const leastInk = 0.3;
const mostTimes = 4;

/**
 * @param others what the display does not reach into: lines of prose, tables and other displays
 * @returns cuts it out with a threshold of ink, the usual one if none is given; its part of the page, which takes longest
 *   to enlarge, is that of the cut before
 */
export function displayCutter(
  grey: Bitmap,
  { box: found, column }: Display,
  xHeight: number,
  others: readonly Box[],
): (threshold?: number) => Sheet {
  let box = found;
  const known = new KnownNames();
  let plane = enlargePart(grey, box, xHeight);
  return (threshold) => {
    for (let time = 0; ; time++) {
      const sheet = { ...findPieces(plane, others, threshold), known };
      const next = time < mostTimes ? widened(box, sheet, column, xHeight, others) : null;
      if (next === null) return sheet;
      box = next;
      plane = enlargePart(grey, box, xHeight);
    }
  };
}

function widened(
  box: Box,
  { pieces, width, height, xHeight: unit }: Sheet,
  column: { left: number; right: number },
  xHeight: number,
  others: readonly Box[],
): Box | null {
  const ink = pieces.filter((piece) => heightOf(piece) > leastInk * unit);
  const reaches = (distance: (piece: Box) => number, near: number) =>
    ink.some((piece) => distance(piece) < near * unit);
  const { beside, above } = wider;
  const wide = {
    left: reaches(({ left }) => left, nearEdge.beside)
      ? Math.max(column.left, box.left - beside * xHeight)
      : box.left,
    right: reaches(({ right }) => width - right, nearEdge.beside)
      ? Math.min(column.right, box.right + beside * xHeight)
      : box.right,
    top: reaches(({ top }) => top, nearEdge.above) ? Math.max(0, box.top - above * xHeight) : box.top,
    bottom: reaches(({ bottom }) => height - bottom, nearEdge.above)
      ? box.bottom + above * xHeight
      : box.bottom,
  };
  const next = {
    left: Math.min(box.left, wide.left),
    right: Math.max(box.right, wide.right),
    top: box.top,
    bottom: box.bottom,
  };
  const inWay = others.filter((other) => other.left < next.right && other.right > next.left);
  const middle = (box.top + box.bottom) / 2;
  const isAbove = (other: Box) => (other.top + other.bottom) / 2 < middle;
  next.top = Math.min(box.top, Math.max(wide.top, ...inWay.filter(isAbove).map(({ bottom }) => bottom)));
  next.bottom = Math.max(
    box.bottom,
    Math.min(wide.bottom, ...inWay.filter((other) => !isAbove(other)).map(({ top }) => top)),
  );
  const most = Math.max(
    box.left - next.left,
    next.right - box.right,
    box.top - next.top,
    next.bottom - box.bottom,
  );
  return most > 1 ? next : null;
}
