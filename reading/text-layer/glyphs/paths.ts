/** Paths of the operator list: their segments and bounds, and the matrices that place them. */
import { type Box, boundsOf } from '../model.ts';

export type Matrix = [number, number, number, number, number, number];

export function multiply(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[2] * b[1],
    a[1] * b[0] + a[3] * b[1],
    a[0] * b[2] + a[2] * b[3],
    a[1] * b[2] + a[3] * b[3],
    a[0] * b[4] + a[2] * b[5] + a[4],
    a[1] * b[4] + a[3] * b[5] + a[5],
  ];
}

export function apply(m: Matrix, x: number, y: number): [number, number] {
  return [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
}

/** pdf.js's path numbers: 0 move, 1 line, 2 cubic, 3 quadratic, 4 close. */
const pathArity = [2, 2, 6, 4, 0];

export function splitPath(path: ArrayLike<number>): number[][] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (let i = 0; i < path.length; ) {
    const op = path[i] as number;
    const arity = pathArity[op];
    if (arity === undefined) break;
    if (op === 0) {
      if (piece.length > 3) pieces.push(piece);
      piece = [];
    }
    for (let k = 0; k <= arity; k++) piece.push(path[i + k] as number);
    i += arity + 1;
  }
  if (piece.length > 3) pieces.push(piece);
  return pieces;
}

/** Bounds of a glyph's outline; segments without extent (some fonts begin with one) are not counted. */
export function inkOfPath(path: ArrayLike<number>): Box | null {
  const shapes = splitPath(path)
    .map((piece) => boundsOfPath(piece, [1, 0, 0, 1, 0, 0])?.box)
    .filter((b): b is Box => b !== undefined && (b.x1 - b.x0 > 0.001 || b.y1 - b.y0 > 0.001));
  return shapes.length > 0 ? boundsOf(shapes) : null;
}

/** Bounds of one path; `straight` is the length of its upright and level lines. */
export function boundsOfPath(
  path: ArrayLike<number>,
  m: Matrix,
): { box: Box; corners: number; isAxisAligned: boolean; straight: number } | null {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  let corners = 0;
  let isAxisAligned = true;
  let straight = 0;
  let first: [number, number] | null = null;
  let last: [number, number] | null = null;
  const measure = ([x0, y0]: [number, number], [x1, y1]: [number, number]) => {
    const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
    if (Math.min(width, height) < 0.2) straight += Math.max(width, height);
  };
  for (let i = 0; i < path.length; ) {
    const op = path[i] as number;
    const arity = pathArity[op];
    if (arity === undefined) break;
    if (op === 2 || op === 3) isAxisAligned = false;
    for (let k = 1; k < arity; k += 2) {
      const point = apply(m, path[i + k] as number, path[i + k + 1] as number);
      box.x0 = Math.min(box.x0, point[0]);
      box.y0 = Math.min(box.y0, point[1]);
      box.x1 = Math.max(box.x1, point[0]);
      box.y1 = Math.max(box.y1, point[1]);
      if (op === 1 && last) measure(last, point);
      if (op === 1 && last && Math.abs(point[0] - last[0]) > 0.2 && Math.abs(point[1] - last[1]) > 0.2)
        isAxisAligned = false;
      first ??= point;
      last = point;
      corners += 1;
    }
    if (op === 4 && first && last) measure(last, first);
    i += arity + 1;
  }
  return Number.isFinite(box.x0) ? { box, corners, isAxisAligned, straight } : null;
}
