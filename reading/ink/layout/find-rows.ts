/** Rows of ink from pieces of writing, each a letter, a word or a fraction. */
import { contains, middleOf } from '../../box.ts';

export interface Piece {
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
}

export const widthOf = (piece: Piece) => piece.right - piece.left;
export const heightOf = (piece: Piece) => piece.bottom - piece.top;

/** Writing is far from what is in the margin: rings, holes, a neighbour's hand. */
const farApart = 22;

/** Least pixels of a row, in squares of the height of most letters; fewer suffice where text was detected. */
export const leastInRow = 0.4;
export const leastWhereSeen = 0.12;

/** Signs such as a minus, in heights of most letters: height, widths, distance from their row; and off its middle. */
const flatSign = 0.35;
const shortSign = 0.4;
const longSign = 2;
const signReach = 1.5;
const offMiddle = 0.2;
const lowestRow = 0.8;

/** Rows of ink from top to bottom. Tall signs (brackets, fractions) join the rows next to them. */
export function findRows(
  pieces: readonly Piece[],
  size: number,
  isPaper = false,
  leastPixels = leastInRow,
): Piece[] {
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
      // a small sign is weak evidence of where the line continues
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
    const isLetter = widthOf(piece) < 1.5 * size;
    if (isPaper && own.length > 1 && isLetter && own.every((row) => widthOf(row) > 5 * size)) {
      // an f or a y that reaches into the next line belongs to only one of them, and so do several that touch
      const near = own.reduce((a, b) => (overlapOf(b, piece) > overlapOf(a, piece) ? b : a));
      near.left = Math.min(near.left, piece.left);
      near.right = Math.max(near.right, piece.right);
    } else if (own.length === 0) rows.push({ ...piece });
    else {
      rows = rows.filter((row) => !own.includes(row));
      rows.push([...own, piece].reduce(around));
    }
  }
  const isBelow = (row: Piece, bar: Piece) =>
    widthOf(row) < 1.5 * widthOf(bar) + size && gapOf(row, bar) < -0.5 * Math.min(widthOf(row), widthOf(bar));
  // a fraction's bar joins the rows above and below it
  for (const bar of pieces) {
    if (heightOf(bar) > 0.35 * size || widthOf(bar) < 0.6 * size || widthOf(bar) > 14 * size) continue;
    const reach = widthOf(bar) < 1.5 * size ? 0.5 * size : size;
    const beside = rows.filter((row) => row.left < bar.right && row.right > bar.left);
    const above = beside.find((row) => row.bottom <= bar.top + 2 && bar.top - row.bottom < reach);
    const below = beside.find(
      (row) => row.top >= bar.bottom - 2 && row.top - bar.bottom < (isBelow(row, bar) ? 1.2 * size : reach),
    );
    const own = rows.find(
      (row) => row.top < bar.top && row.bottom > bar.bottom && gapOf(row, bar) < 3 * size,
    );
    // a root's bar: what is under it begins well before it, and the line above it is not close and goes on beside it
    const goesOn = (row: Piece) =>
      pieces.some(
        (piece) =>
          piece.top >= row.top &&
          piece.bottom <= row.bottom &&
          (piece.left < bar.left || piece.right > bar.right) &&
          gapOf(piece, bar) < size,
      );
    const isFar = above && bar.top - above.bottom > 0.5 * size;
    if (isFar && below && below.left < bar.left - 2 * size && goesOn(above)) continue;
    const near = [...new Set([above, below, own].filter((row) => row !== undefined))];
    // a rule between two lines of words is not a fraction bar
    const isFraction = [above, below].some((row) => row && widthOf(row) < 3 * widthOf(bar) + 2 * size);
    if (near.length < 2 || (!own && (!above || !below)) || !isFraction) continue;
    rows = rows.filter((row) => !near.includes(row));
    rows.push([...near, bar].reduce(around));
  }
  rows = joinRows(rows, isSameRow);
  if (isPaper) for (const row of rows) takeSigns(row, pieces, size);
  // limits below their sum, and other small rows close to a row at least as wide
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
  // dots and accents without a row; remains of ruling and shadows
  rows = rows.filter(
    (row) =>
      row.pixels >= leastPixels * size * size &&
      widthOf(row) > 0.5 * size &&
      (heightOf(row) > 0.5 * size || widthOf(row) < 6 * size) &&
      row.pixels > 0.006 * widthOf(row) * heightOf(row),
  );
  return rows.sort((a, b) => a.top + a.bottom - b.top - b.bottom);
}

/** A minus or a part of `=` at the beginning or end of a row, level with its middle; remnants of ruling go on. */
function takeSigns(row: Piece, pieces: readonly Piece[], size: number): void {
  if (heightOf(row) < lowestRow * size) return;
  const { left, right } = row;
  for (const sign of pieces) {
    const isSign =
      heightOf(sign) <= flatSign * size &&
      widthOf(sign) >= shortSign * size &&
      widthOf(sign) <= longSign * size &&
      gapOf(sign, { ...row, left, right }) < signReach * size &&
      Math.abs(sign.top + sign.bottom - row.top - row.bottom) < 2 * offMiddle * heightOf(row);
    if (!isSign) continue;
    row.left = Math.min(row.left, sign.left);
    row.right = Math.max(row.right, sign.right);
  }
}

/** In heights of most letters: how far beside its row, and how far above or below it, a sign by itself may be. */
const besideRow = 3;
const overRow = 0.6;

/** Extends rows by the signs that are in none, where all ink is writing: a minus at the beginning, dots at the end. */
export function takeLoose(rows: readonly Piece[], pieces: readonly Piece[], size: number): void {
  let loose = pieces.filter((piece) => !rows.some((row) => contains(row, middleOf(piece))));
  const distance = (piece: Piece, row: Piece) => {
    const over = Math.max(0, row.top - middleOf(piece).y, middleOf(piece).y - row.bottom) / overRow;
    return Math.max(over, Math.max(0, gapOf(piece, row)) / besideRow);
  };
  while (loose.length > 0 && rows.length > 0) {
    const near = loose
      .flatMap((piece) => rows.map((row) => ({ piece, row, far: distance(piece, row) })))
      .reduce((a, b) => (b.far < a.far ? b : a));
    if (near.far > size) break;
    Object.assign(near.row, around(near.row, near.piece));
    loose = loose.filter((piece) => piece !== near.piece);
  }
}

/** In heights of most letters: how far apart rows of one line are beside each other; what they share of the lower one's height. */
const besideApart = 1.5;
const leastBeside = 0.2;

/** Rows beside each other, closer than words, are one where all ink is writing: an exponent of several signs, what follows a long minus. */
export function joinBeside(regions: readonly (readonly Piece[])[], size: number): Piece[][] {
  const out = regions.map((rows) => [...rows]);
  const belong = (left: Piece, right: Piece) =>
    left !== right &&
    left.left < right.left &&
    left.right < right.right &&
    gapOf(left, right) < besideApart * size &&
    gapOf(left, right) > -besideApart * size &&
    overlapOf(left, right) > leastBeside * Math.min(heightOf(left), heightOf(right));
  for (let isJoined = true; isJoined; ) {
    isJoined = false;
    for (const rows of out)
      for (const row of rows) {
        const other = out.flat().find((one) => belong(row, one));
        if (!other) continue;
        const own = out.find((some) => some.includes(other))!;
        own.splice(own.indexOf(other), 1);
        Object.assign(row, around(row, other));
        isJoined = true;
      }
  }
  return out;
}

/** Ink under a bar that touches the line above, or is close to the ruling, belongs to that line. */
export function joinFractions(rows: Piece[], ink: Uint8Array, width: number, size: number): Piece[] {
  const out = [...rows];
  for (const low of rows) {
    if (widthOf(low) > 4 * size || !out.includes(low)) continue;
    const high = out
      .filter((row) => row !== low && row.top < low.top && gapOf(row, low) < 0 && low.top - row.bottom < size)
      .sort((a, b) => b.bottom - a.bottom)[0];
    if (!high || !hasBar(low, high, ink, width, size)) continue;
    out.splice(out.indexOf(low), 1);
    out[out.indexOf(high)] = around(high, low);
  }
  return out;
}

function hasBar(low: Piece, high: Piece, ink: Uint8Array, width: number, size: number): boolean {
  const [from, to] = [
    Math.max(0, low.left - Math.round(size)),
    Math.min(width, low.right + Math.round(size)),
  ];
  for (let y = Math.max(0, Math.round(high.bottom - 0.8 * size)); y <= low.top; y++)
    for (let x = from; x < to; x++) {
      const start = x;
      while (x < to && (ink[y * width + x] || (x > start && ink[(y + 1) * width + x]))) x++;
      const covered = Math.min(x, low.right) - Math.max(start, low.left);
      if (x - start > 0.8 * size && covered > 0.6 * widthOf(low)) return true;
    }
  return false;
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

/** Horizontal gap between two pieces; negative if they overlap. */
export function gapOf(a: Piece, b: Piece): number {
  return Math.max(a.left, b.left) - Math.min(a.right, b.right);
}

export function around(a: Piece, b: Piece): Piece {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
    pixels: a.pixels + b.pixels,
  };
}
