/** Connected pieces of ink in a part of a page, enlarged until its letters are large enough for the model. */

import { around, type Box, contains } from '../../../box.ts';
import { findInkPieces, type InkPiece } from '../../../ink/ink-pieces.ts';
import type { Bitmap } from '../../../page.ts';
import { boxBlur } from '../../../raster.ts';
import type { KnownNames } from './known-names.ts';

/** An x-height of at least this many pixels is what the sign model was trained on (`training/print/pictures.py`). */
const leastXHeight = 16;
/** Ink threshold of a pixel, as a share of the darkest; a piece also needs some certain ink, otherwise it is noise. */
const inkLevel = 0.4;
const sureInk = 0.45;
/** A piece as long as this, in x-heights, is no noise with less: a thin bar between two rows of pixels. */
const longPiece = 0.5;
const paleInk = 0.3;
/** Ink outside a sign's own pixels is capped at this. */
const otherInk = 0.2;
const paperShare = 0.75;
const inkShare = 0.004;
const leastSpan = 40;
/** Pieces smaller than this, in x-heights, are dust. */
const dust = 0.13;

export interface Piece extends InkPiece {
  /** Its darkest ink. */
  peak: number;
}

/** A part of a page, enlarged. */
export interface InkPlane {
  /** The page's pixel at the sheet's origin, and the number of the sheet's pixels per pixel of the page. */
  left: number;
  top: number;
  scale: number;
  /** The text's x-height in the sheet's pixels. */
  xHeight: number;
  width: number;
  height: number;
  /** 0 paper … 1 full ink. */
  ink: Float32Array;
  /** The same, sharpened. */
  sharp: Float32Array;
}

/** A part of a page and its pieces; boxes are in the sheet's own pixels. */
export interface Sheet extends Omit<InkPlane, 'sharp'> {
  /** Label of the piece at each pixel, 0 for none. */
  labels: Int32Array;
  pieces: Piece[];
  /** The highest label. */
  labelCount: number;
  /** What earlier sheets of this part are known to show. */
  known?: KnownNames;
}

/**
 * @param grey the page, dark on light
 * @param box the part of it, in its pixels
 * @param xHeight of the page's text, in its pixels
 */
export function enlargePart(grey: Bitmap, box: Box, xHeight: number): InkPlane {
  const scale = Math.max(1, Math.ceil(leastXHeight / xHeight - 0.2));
  const left = Math.max(0, Math.floor(box.left));
  const top = Math.max(0, Math.floor(box.top));
  const right = Math.min(grey.width, Math.ceil(box.right));
  const bottom = Math.min(grey.height, Math.ceil(box.bottom));
  const [wide, tall] = [Math.max(1, right - left), Math.max(1, bottom - top)];
  const toInk = levelsOf(grey, left, top, wide, tall);
  const own = new Float32Array(wide * tall);
  for (let y = 0; y < tall; y++)
    for (let x = 0; x < wide; x++) own[y * wide + x] = toInk[grey.data[(top + y) * grey.width + left + x]!]!;
  const ink = enlarge(own, wide, tall, scale);
  const [width, height] = [wide * scale, tall * scale];
  const unit = xHeight * scale;
  return { left, top, scale, xHeight: unit, width, height, ink, sharp: sharpen(ink, width, height, unit) };
}

/**
 * @param avoid parts of the page to exclude: pieces whose middle is in one are left out
 * @param threshold of ink, as a share of the darkest
 */
export function findPieces(
  { sharp, ...plane }: InkPlane,
  avoid: readonly Box[] = [],
  threshold: number = inkLevel,
): Sheet {
  const { left, top, scale, xHeight: unit } = plane;
  const { labels, pieces } = label(sharp, plane.ink, plane.width, plane.height, threshold);
  const kept = pieces.filter((piece) => {
    const x = left + (piece.left + piece.right) / 2 / scale;
    const y = top + (piece.top + piece.bottom) / 2 / scale;
    const length = Math.max(piece.right - piece.left, piece.bottom - piece.top);
    const isInk = piece.peak > (length > longPiece * unit ? paleInk : sureInk);
    return length > dust * unit && isInk && !avoid.some((other) => contains(other, { x, y }));
  });
  return { ...plane, labels, pieces: kept, labelCount: pieces.length };
}

export const cutSheet = (grey: Bitmap, box: Box, xHeight: number): Sheet =>
  findPieces(enlargePart(grey, box, xHeight));

/** Ink per grey level, from the paper and the darkest ink of this part. */
function levelsOf(grey: Bitmap, left: number, top: number, wide: number, tall: number): Float32Array {
  const counts = new Uint32Array(256);
  for (let y = top; y < top + tall; y++)
    for (let x = left; x < left + wide; x++) counts[grey.data[y * grey.width + x]!]!++;
  const levelAt = (share: number) => {
    let below = 0;
    for (let level = 0; level < 256; level++) {
      below += counts[level]!;
      if (below >= share * wide * tall) return level;
    }
    return 255;
  };
  const paper = levelAt(paperShare);
  const span = Math.max(leastSpan, paper - levelAt(inkShare));
  return Float32Array.from({ length: 256 }, (_, level) => Math.max(0, Math.min(1, (paper - level) / span)));
}

/** Cubic interpolation between pixel centres (Catmull-Rom, tension 0.75, as in OpenCV), in both directions. */
function enlarge(from: Float32Array, width: number, height: number, scale: number): Float32Array {
  if (scale === 1) return from;
  const along = (values: Float32Array, length: number, rows: number): Float32Array => {
    const out = new Float32Array(rows * length * scale);
    for (let x = 0; x < length * scale; x++) {
      const at = (x + 0.5) / scale - 0.5;
      const base = Math.floor(at);
      const weights = cubic(at - base);
      for (let row = 0; row < rows; row++) {
        let sum = 0;
        for (let tap = 0; tap < 4; tap++) {
          const source = Math.max(0, Math.min(length - 1, base - 1 + tap));
          sum += values[row * length + source]! * weights[tap]!;
        }
        out[row * length * scale + x] = sum;
      }
    }
    return out;
  };
  const wide = along(from, width, height);
  const turned = transpose(wide, width * scale, height);
  const tall = along(turned, height, width * scale);
  return transpose(tall, height * scale, width * scale);
}

function cubic(t: number): [number, number, number, number] {
  const a = -0.75;
  const far = (x: number) => ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  const near = (x: number) => ((a + 2) * x - (a + 3)) * x * x + 1;
  return [far(1 + t), near(t), near(1 - t), far(2 - t)];
}

function transpose(from: Float32Array, width: number, height: number): Float32Array {
  const to = new Float32Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) to[x * height + y] = from[y * width + x]!;
  return to;
}

/** Unsharp mask: the amount, and the radius in x-heights; it undoes blur. */
const sharpness = 1.2;
const surroundings = 0.14;

/** Darkens thin strokes and lightens narrow gaps, so that signs neither break nor touch. */
function sharpen(ink: Float32Array, width: number, height: number, unit: number): Float32Array {
  const radius = Math.max(1, Math.round(surroundings * unit));
  const blurred = boxBlur(boxBlur({ width, height, data: ink }, radius), radius).data;
  return ink.map((value, at) => value + sharpness * (value - blurred[at]!));
}

/** Labels pieces of sharpened ink; their darkness is measured on the unsharpened ink. */
function label(
  ink: Float32Array,
  seen: Float32Array,
  width: number,
  height: number,
  threshold: number,
): { labels: Int32Array; pieces: Piece[] } {
  const { labels, pieces } = findInkPieces(width, height, (at) => ink[at]! > threshold);
  const measured = pieces.map((piece) => ({ ...piece, peak: 0 }));
  for (let at = 0; at < labels.length; at++) {
    const piece = measured[labels[at]! - 1];
    if (piece && seen[at]! > piece.peak) piece.peak = seen[at]!;
  }
  return { labels, pieces: measured };
}

/** The ink of these pieces within a box (in the sheet's pixels), with everything else blank. */
export function cutInk(
  sheet: Sheet,
  numbers: ReadonlySet<number>,
  box: Box,
): { width: number; height: number; ink: Float32Array } {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const ink = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (box.top + y) * sheet.width + box.left + x;
      const value = Math.max(0, Math.min(1, sheet.ink[at]!));
      ink[y * width + x] = numbers.has(sheet.labels[at]!) ? value : Math.min(value, otherInk);
    }
  return { width, height, ink };
}

/** Splits a piece in two: the pixels that `isOther` is true of become a new piece. Pieces without pixels are left out. */
export function splitWhere(sheet: Sheet, piece: Piece, isOther: (x: number, y: number) => boolean): Piece[] {
  const empty = (label: number): Piece => ({
    left: sheet.width,
    top: sheet.height,
    right: 0,
    bottom: 0,
    label,
    pixels: 0,
    peak: piece.peak,
  });
  const own = empty(piece.label);
  const other = empty(++sheet.labelCount);
  for (let y = piece.top; y < piece.bottom; y++)
    for (let x = piece.left; x < piece.right; x++) {
      const at = y * sheet.width + x;
      if (sheet.labels[at] !== piece.label) continue;
      const part = isOther(x, y) ? other : own;
      sheet.labels[at] = part.label;
      part.pixels++;
      part.left = Math.min(part.left, x);
      part.right = Math.max(part.right, x + 1);
      part.top = Math.min(part.top, y);
      part.bottom = Math.max(part.bottom, y + 1);
    }
  return [own, other].filter(({ pixels }) => pixels > 0);
}

/** Merges pieces into one. */
export function joinPieces(sheet: Sheet, pieces: readonly Piece[]): Piece {
  const [first] = pieces as [Piece];
  for (const { left, top, right, bottom, label: own } of pieces.slice(1))
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) {
        const at = y * sheet.width + x;
        if (sheet.labels[at] === own) sheet.labels[at] = first.label;
      }
  return {
    ...around(pieces),
    label: first.label,
    pixels: pieces.reduce((sum, { pixels }) => sum + pixels, 0),
    peak: Math.max(...pieces.map(({ peak }) => peak)),
  };
}
