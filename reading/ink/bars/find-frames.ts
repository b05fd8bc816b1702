/** Printed frames on paper: fields of a form, rows of cells, marks to align it by. They hold writing and are none. */
import { heightOf, median, widthOf } from '../../box.ts';
import { findInkPieces, type InkPiece } from '../ink-pieces.ts';

/** A form has several; a single frame, such as the emblem of a notebook, does not make a page one. */
const leastFrames = 3;
/** Runs of so many pixels, level or upright, are part of a straight stroke. */
const leastRun = 8;
/** Of a field, wider than this share of the page, nearly all is straight. What is smaller may be filled, and so grainy. */
const fieldShare = 0.35;
const leastStraight = 0.97;
/** Smallest frame, px. Its left and right side are as high: a sloping line is no higher than its stroke. */
const leastSize = { shorter: 6, longer: 12 };
/** What is as high as a drawing (share of the page's long side) and no field may be one. */
const drawingShare = 0.085;
/**
 * Each side is straight over this share of its length, without its corners; to within this share of its length, but
 * no less and no more than so many pixels.
 */
const leastOnLine = 0.95;
const cornerShare = 0.04;
const offShare = 0.03;
const off = { least: 1, most: 1.5 };
/** The line goes through the medians of these shares at its ends. */
const endShare = 0.1;

/** @returns 1 for the pixels of frames; null if there are none */
export function findFrames(ink: Uint8Array, width: number, height: number): Uint8Array | null {
  const { labels, pieces } = findInkPieces(width, height, (at) => ink[at]! > 0);
  const isField = (piece: InkPiece) => widthOf(piece) > fieldShare * width;
  const frames = pieces.filter(
    (piece) =>
      Math.min(widthOf(piece), heightOf(piece)) >= leastSize.shorter &&
      Math.max(widthOf(piece), heightOf(piece)) >= leastSize.longer &&
      (isField(piece) || heightOf(piece) < drawingShare * Math.max(width, height)) &&
      isClosed(sidesOf(piece, labels, width)) &&
      (!isField(piece) || countStraight(piece, labels, width) >= leastStraight * piece.pixels),
  );
  if (frames.length < leastFrames) return null;
  const found = new Uint8Array(width * height);
  for (const { label, left, top, right, bottom } of frames)
    for (let y = top; y < bottom; y++)
      for (let at = y * width + left; at < y * width + right; at++) if (labels[at] === label) found[at] = 1;
  return found;
}

/** How many pixels of a piece are part of a level or upright run. */
function countStraight(
  { label, left, top, right, bottom }: InkPiece,
  labels: Int32Array,
  width: number,
): number {
  const straight = new Set<number>();
  const addRuns = (length: number, first: number, step: number) => {
    for (let from = 0; from < length; from++) {
      let to = from;
      while (to < length && labels[first + to * step] === label) to++;
      if (to - from >= leastRun) for (let at = from; at < to; at++) straight.add(first + at * step);
      from = to;
    }
  };
  for (let y = top; y < bottom; y++) addRuns(right - left, y * width + left, 1);
  for (let x = left; x < right; x++) addRuns(bottom - top, top * width + x, width);
  return straight.size;
}

/**
 * How deep within its box a piece begins along its four sides, px: above and below column by column, left and right
 * row by row, from corner to corner.
 */
function sidesOf(piece: InkPiece, labels: Int32Array, width: number): number[][] {
  const { left, top, right, bottom, label } = piece;
  const depth = (most: number, at: (depth: number) => number) => {
    for (let by = 0; by < most; by++) if (labels[at(by)] === label) return by;
    return most;
  };
  const [wide, tall] = [right - left, bottom - top];
  const above = Array.from({ length: wide }, (_, x) => depth(tall, (by) => (top + by) * width + left + x));
  const below = Array.from({ length: wide }, (_, x) =>
    depth(tall, (by) => (bottom - 1 - by) * width + left + x),
  );
  // level or upright, a frame may be sheared: its sides end where those above and below begin
  const rows = (column: number) => {
    const [from, to] = [above.at(column)!, tall - below.at(column)!];
    return Array.from({ length: Math.max(0, to - from) }, (_, row) => top + from + row);
  };
  const corner = cornerOf(wide);
  return [
    above,
    below,
    rows(corner).map((y) => depth(wide, (by) => y * width + left + by)),
    rows(-1 - corner).map((y) => depth(wide, (by) => y * width + right - 1 - by)),
  ];
}

/** A frame's sides are straight, and those on the left and right as long as it is high. */
function isClosed(sides: readonly number[][]): boolean {
  return sides.slice(2).every(({ length }) => length >= leastSize.shorter) && sides.every(isLine);
}

const cornerOf = (length: number) => Math.max(1, Math.round(cornerShare * length));

/** Whether a side runs along the line through its ends. */
function isLine(side: readonly number[]): boolean {
  const corner = cornerOf(side.length);
  const inner = side.slice(corner, -corner);
  if (inner.length < 2) return false;
  const end = Math.ceil(endShare * inner.length);
  const [first, last] = [median(inner.slice(0, end)), median(inner.slice(-end))];
  const most = Math.min(off.most, Math.max(off.least, offShare * side.length));
  const onLine = inner.filter((depth, at) => {
    const along = Math.min(1, Math.max(0, (at - (end - 1) / 2) / (inner.length - end || 1)));
    return Math.abs(depth - first - (last - first) * along) <= most;
  });
  return onLine.length >= leastOnLine * inner.length;
}
