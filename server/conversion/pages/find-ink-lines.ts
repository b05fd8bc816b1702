/**
 * Where a page has been written on: its lines as boxes, in reading order, told from the look of the ink alone. Works on
 * prepared pages (upright, evenly lit); the ruling of the paper is taken away first.
 */
import type { ShareBox } from '#shared/latex/page-body.ts';
import type { Bitmap } from '../page.ts';
import { boxBlur, shrink, toGrey } from './raster.ts';

/** Long side the page is looked at with, px: x-heights of print come to 6, of handwriting to 10 and more. */
const side = 1000;
/** Darker than its surroundings' mean by this share of it may be ink. */
const leastContrast = 0.12;
/** Ruling is fainter than writing: ink has this share of the contrast that the darkest tenth of all marks has. */
const writingShare = 0.42;
/** The edge of a photo is darker than any ink; contrast (of 255) above this counts no more. */
const mostContrast = 110;
const backgroundRadius = 24;
/** Ruling: level or upright runs this long, chained over this share of the page. */
const minRun = 8;
const maxRunGap = 8;
const rulingShare = 0.35;
const rulingThickness = 4;

interface Piece {
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
}

const widthOf = (piece: Piece) => piece.right - piece.left;
const heightOf = (piece: Piece) => piece.bottom - piece.top;

/** @param mayBeRuled false for a render, whose level lines are fractions and tables */
export function findInkLines(bitmap: Bitmap, mayBeRuled: boolean): ShareBox[] {
  const grey = shrink(toGrey(bitmap), side);
  const { width, height } = grey;
  const ink = findInk(grey);
  const pieces = collectPieces(mayBeRuled ? withoutRuling(ink, width, height) : ink, width, height);
  const size = letterSize(pieces);
  const letters = pieces.filter((piece) => isWriting(piece, size, width, height));
  return splitColumns(letters, width, size)
    .flatMap((region) => findRows(region, size))
    .map(({ left, top, right, bottom }) => [
      left / width,
      top / height,
      (right - left) / width,
      (bottom - top) / height,
    ]);
}

function findInk({ width, height, data }: Bitmap): Uint8Array {
  const around = boxBlur({ width, height, data: Float32Array.from(data) }, backgroundRadius).data;
  const counts = new Uint32Array(mostContrast + 1);
  let marks = 0;
  for (let at = 0; at < data.length; at++) {
    const contrast = around[at]! - data[at]!;
    if (contrast <= leastContrast * around[at]!) continue;
    counts[Math.min(mostContrast, Math.floor(contrast))]!++;
    marks++;
  }
  let strong = mostContrast;
  for (let above = counts[strong]!; strong > 0 && above < marks / 10; above += counts[strong]!) strong--;
  const ink = new Uint8Array(width * height);
  for (let at = 0; at < ink.length; at++) {
    const contrast = around[at]! - data[at]!;
    ink[at] = contrast > leastContrast * around[at]! && contrast > writingShare * strong ? 1 : 0;
  }
  return ink;
}

function withoutRuling(ink: Uint8Array, width: number, height: number): Uint8Array {
  removeRuling(ink, width, height);
  const upright = transpose(ink, width, height);
  removeRuling(upright, height, width);
  return transpose(upright, height, width);
}

function transpose(from: Uint8Array, width: number, height: number): Uint8Array {
  const to = new Uint8Array(from.length);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) to[x * height + y] = from[y * width + x]!;
  return to;
}

interface Run {
  y: number;
  from: number;
  to: number;
  /** Itself, or another run of the same line; followed to its end it is the line's first. */
  line: Run;
}

function lineOf(run: Run): Run {
  let line = run;
  while (line.line !== line) line = line.line;
  run.line = line;
  return line;
}

/** Level lines that run over much of the page go, writing that crosses them stays. */
function removeRuling(ink: Uint8Array, width: number, height: number): void {
  const runs: Run[] = [];
  let recent: Run[] = [];
  for (let y = 0; y < height; y++) {
    const row: Run[] = [];
    for (let x = 0; x < width; x++) {
      if (!ink[y * width + x]) continue;
      const from = x;
      while (x < width && ink[y * width + x]) x++;
      if (x - from < minRun) continue;
      const run = { y, from, to: x } as Run;
      run.line = run;
      for (const other of [...recent, ...row.slice(-1)])
        if (other.from <= run.to + maxRunGap && run.from <= other.to + maxRunGap)
          lineOf(other).line = lineOf(run);
      row.push(run);
    }
    recent = [...recent.filter((run) => run.y === y - 1), ...row];
    runs.push(...row);
  }
  const lines = Map.groupBy(runs, lineOf);
  for (const own of lines.values()) {
    const covered = new Uint8Array(width);
    for (const { from, to } of own) covered.fill(1, from, to);
    const [left, right] = [covered.indexOf(1), covered.lastIndexOf(1)];
    const count = covered.reduce((sum, value) => sum + value, 0);
    if (right - left < rulingShare * width || count < 0.5 * (right - left)) continue;
    for (const { y, from, to } of own)
      for (let x = from; x < to; x++)
        if (thickness(ink, width, height, x, y) <= rulingThickness) ink[y * width + x] = 2;
  }
  for (let at = 0; at < ink.length; at++) if (ink[at] === 2) ink[at] = 0;
}

function thickness(ink: Uint8Array, width: number, height: number, x: number, y: number): number {
  let [top, bottom] = [y, y];
  while (top > 0 && y - top <= rulingThickness && ink[(top - 1) * width + x]) top--;
  while (bottom + 1 < height && bottom - y <= rulingThickness && ink[(bottom + 1) * width + x]) bottom++;
  return bottom - top + 1;
}

/** Connected pieces of ink (8 neighbours). */
function collectPieces(ink: Uint8Array, width: number, height: number): Piece[] {
  const seen = new Uint8Array(ink.length);
  const stack: number[] = [];
  const pieces: Piece[] = [];
  for (let start = 0; start < ink.length; start++) {
    if (seen[start] || !ink[start]) continue;
    const piece: Piece = { left: width, top: height, right: 0, bottom: 0, pixels: 0 };
    stack.push(start);
    seen[start] = 1;
    while (stack.length > 0) {
      const at = stack.pop()!;
      const x = at % width;
      const y = (at - x) / width;
      piece.pixels++;
      piece.left = Math.min(piece.left, x);
      piece.right = Math.max(piece.right, x + 1);
      piece.top = Math.min(piece.top, y);
      piece.bottom = Math.max(piece.bottom, y + 1);
      for (let nearY = Math.max(0, y - 1); nearY <= Math.min(height - 1, y + 1); nearY++)
        for (let nearX = Math.max(0, x - 1); nearX <= Math.min(width - 1, x + 1); nearX++) {
          const near = nearY * width + nearX;
          if (seen[near] || !ink[near]) continue;
          seen[near] = 1;
          stack.push(near);
        }
    }
    pieces.push(piece);
  }
  return pieces;
}

/** Height of most letters or joined words: the middle one, each counted with its width. */
function letterSize(pieces: readonly Piece[]): number {
  const heights = pieces
    .filter((piece) => heightOf(piece) >= 4 && heightOf(piece) <= 70 && piece.pixels >= 8)
    .sort((a, b) => heightOf(a) - heightOf(b));
  const total = heights.reduce((sum, piece) => sum + widthOf(piece), 0);
  let sum = 0;
  for (const piece of heights) {
    sum += widthOf(piece);
    if (sum >= total / 2) return heightOf(piece);
  }
  return 10;
}

function isWriting(piece: Piece, size: number, width: number, height: number): boolean {
  const touchesEdge =
    piece.left <= 1 || piece.top <= 1 || piece.right >= width - 1 || piece.bottom >= height - 1;
  if (touchesEdge && Math.max(widthOf(piece), heightOf(piece)) > 3 * size) return false;
  // what is left of ruling is long, bent and thin
  if (piece.pixels < 0.08 * widthOf(piece) * heightOf(piece)) return false;
  // dots and accents are small; dust is smaller
  return (
    piece.pixels >= Math.max(3, 0.02 * size * size) &&
    heightOf(piece) < 14 * size &&
    widthOf(piece) < 0.9 * width
  );
}

/** Two columns with a gutter that hardly anything crosses are read one after the other; what crosses it divides them. */
function splitColumns(pieces: readonly Piece[], width: number, size: number): Piece[][] {
  const left = Math.min(...pieces.map((piece) => piece.left));
  const right = Math.max(...pieces.map((piece) => piece.right));
  const crossings = new Uint16Array(width + 1);
  for (const piece of pieces) for (let x = piece.left; x < piece.right; x++) crossings[x]!++;
  let gutter: { from: number; to: number } | null = null;
  const most = Math.max(2, 0.12 * crossings.reduce((a, b) => Math.max(a, b), 0));
  for (let x = Math.round(left + 0.3 * (right - left)); x < left + 0.7 * (right - left); ) {
    if (crossings[x]! > most) {
      x++;
      continue;
    }
    const from = x;
    while (x < right && crossings[x]! <= most) x++;
    if (!gutter || x - from > gutter.to - gutter.from) gutter = { from, to: x };
  }
  if (!gutter || gutter.to - gutter.from < 1.5 * size || pieces.length < 40) return [[...pieces]];
  const middle = (gutter.from + gutter.to) / 2;
  const isLeft = (piece: Piece) => piece.right <= middle;
  const isRight = (piece: Piece) => piece.left >= middle;
  const counts = [pieces.filter(isLeft).length, pieces.filter(isRight).length];
  if (Math.min(...counts) < 0.25 * pieces.length) return [[...pieces]];
  // a line that crosses the gutter takes its neighbours of the same row with it
  const across = findRows(pieces, size).filter((row) => {
    const own = pieces.filter((piece) => piece.top < row.bottom && piece.bottom > row.top);
    return own.some((piece) => !isLeft(piece) && !isRight(piece));
  });
  const inRow = (piece: Piece, row: { top: number; bottom: number }) =>
    (piece.top + piece.bottom) / 2 >= row.top && (piece.top + piece.bottom) / 2 <= row.bottom;
  const regions: Piece[][] = [];
  let top = Number.NEGATIVE_INFINITY;
  for (const row of [...across, { top: Number.POSITIVE_INFINITY, bottom: Number.POSITIVE_INFINITY }]) {
    const band = pieces.filter(
      (piece) =>
        (piece.top + piece.bottom) / 2 > top &&
        (piece.top + piece.bottom) / 2 < row.top &&
        !across.some((other) => inRow(piece, other)),
    );
    regions.push(
      band.filter(isLeft),
      band.filter((piece) => !isLeft(piece)),
    );
    regions.push(pieces.filter((piece) => inRow(piece, row)));
    top = row.bottom;
  }
  return regions.filter((region) => region.length > 0);
}

/** Far apart lie writing and what the margin has: rings, holes, a neighbour's hand. */
const farApart = 22;

/** Rows of ink from top to bottom. What is tall (brackets, fractions) holds the rows beside it together. */
function findRows(pieces: readonly Piece[], size: number): Piece[] {
  const tall = pieces.filter((piece) => heightOf(piece) > 2.4 * size);
  let rows: Piece[] = [];
  const isSameRow = (a: Piece, b: Piece) =>
    overlapOf(a, b) > 0.5 * Math.min(heightOf(a), heightOf(b)) && gapOf(a, b) < farApart * size;
  // words first, from left to right: a slanting line is followed along its neighbours
  const low = pieces
    .filter((piece) => heightOf(piece) <= 2.4 * size && heightOf(piece) > 0.35 * size)
    .sort((a, b) => a.left - b.left);
  const ends: { row: Piece; last: Piece }[] = [];
  for (const piece of low) {
    const near = ends
      .filter(({ last }) => overlapOf(last, piece) > 0.35 * Math.min(heightOf(last), heightOf(piece)))
      .sort((a, b) => piece.left - a.last.right - (piece.left - b.last.right))[0];
    if (near && piece.left - near.last.right < 12 * size) {
      near.row = around(near.row, piece);
      // a small sign says little about where the line goes on
      if (heightOf(piece) > 0.7 * size)
        near.last = { ...piece, right: Math.max(piece.right, near.last.right) };
      else near.last = { ...near.last, right: Math.max(piece.right, near.last.right) };
    } else ends.push({ row: { ...piece }, last: piece });
  }
  rows = joinRows(
    ends.map(({ row }) => row),
    isSameRow,
  );
  for (const piece of tall) {
    const own = rows.filter((row) => {
      const middle = (row.top + row.bottom) / 2;
      return middle > piece.top && middle < piece.bottom && gapOf(row, piece) < 3 * size;
    });
    if (own.length === 0) rows.push({ ...piece });
    else {
      rows = rows.filter((row) => !own.includes(row));
      rows.push([...own, piece].reduce(around));
    }
  }
  // the bar of a fraction holds what is above and below it
  for (const bar of pieces) {
    if (heightOf(bar) > 0.35 * size || widthOf(bar) < 0.6 * size || widthOf(bar) > 14 * size) continue;
    const reach = widthOf(bar) < 1.5 * size ? 0.5 * size : size;
    const beside = rows.filter((row) => row.left < bar.right && row.right > bar.left);
    const above = beside.find((row) => row.bottom <= bar.top + 2 && bar.top - row.bottom < reach);
    const below = beside.find((row) => row.top >= bar.bottom - 2 && row.top - bar.bottom < reach);
    const own = rows.find(
      (row) => row.top < bar.top && row.bottom > bar.bottom && gapOf(row, bar) < 3 * size,
    );
    const near = [...new Set([above, below, own].filter((row) => row !== undefined))];
    // a rule between two lines of words is no fraction's
    const isFraction = [above, below].some((row) => row && widthOf(row) < 3 * widthOf(bar) + 2 * size);
    if (near.length < 2 || (!own && (!above || !below)) || !isFraction) continue;
    rows = rows.filter((row) => !near.includes(row));
    rows.push([...near, bar].reduce(around));
  }
  rows = joinRows(rows, isSameRow);
  // limits below their sum, and what else is small and close to a row that reaches as far
  for (const row of [...rows].sort((a, b) => heightOf(a) - heightOf(b))) {
    if (heightOf(row) > 0.95 * size) continue;
    const close = rows
      .filter((other) => other !== row && other.left <= row.left + size && other.right >= row.right - size)
      .map((other) => ({ other, gap: Math.max(other.top - row.bottom, row.top - other.bottom) }))
      .filter(({ gap }) => gap < 0.3 * size)
      .sort((a, b) => a.gap - b.gap)[0];
    if (!close) continue;
    rows = rows.filter((other) => other !== row && other !== close.other);
    rows.push(around(close.other, row));
  }
  // dots and accents without a row of their own; what is left of ruling and shadows
  rows = rows.filter(
    (row) =>
      row.pixels >= 0.4 * size * size &&
      widthOf(row) > 0.5 * size &&
      row.pixels > 0.006 * widthOf(row) * heightOf(row),
  );
  return rows.sort((a, b) => a.top + a.bottom - b.top - b.bottom);
}

function joinRows(rows: Piece[], belong: (a: Piece, b: Piece) => boolean): Piece[] {
  const out: Piece[] = [];
  for (const row of [...rows].sort((a, b) => widthOf(b) - widthOf(a))) {
    const at = out.findIndex((other) => belong(other, row));
    if (at < 0) out.push(row);
    else out[at] = around(out[at]!, row);
  }
  return out;
}

function overlapOf(a: Piece, b: Piece): number {
  return Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
}

/** Room between two pieces, from left to right; below 0 where they overlap. */
function gapOf(a: Piece, b: Piece): number {
  return Math.max(a.left, b.left) - Math.min(a.right, b.right);
}

function around(a: Piece, b: Piece): Piece {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
    pixels: a.pixels + b.pixels,
  };
}
