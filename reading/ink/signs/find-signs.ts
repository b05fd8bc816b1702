/** Finds signs in the crop of a line: pieces of ink that touch, and pieces next to each other that may be one sign. */
import { around, type Box, heightOf, median, middleOf } from '../../box.ts';
import { percentile } from '../../raster.ts';
import { findInkPieces, type InkPiece } from '../ink-pieces.ts';
import type { LineCrop } from '../line/cut-line.ts';
import { inkShare, leastSpan, paperShare } from '../line/line-picture.ts';
import type { SignInk } from './sign-picture.ts';

/** From this share on, a pixel is ink. */
const inkFrom = 0.42;
/** Pieces shorter than this are dust, px, and as a share of the usual length. */
const dustPixels = 3;
const dust = 0.06;
/** Next to what was painted over, pieces shorter than this (in usual lengths) are what is left of it. */
const leftOver = 0.45;
const leftOverReach = 2;
/** Pieces that share this much of the narrower one's width, and are not farther apart than this, may be one sign. */
const leastShared = 0.5;
const apartAbove = 1.1;
/** The same of pieces beside each other. */
const apartBeside = 0.12;
const mostPieces = 3;
const mostJoined = 150;
/** Three dots, or dashes for them: how high and long each is, how far from the next, and how level, in usual lengths. */
const dot = { high: 0.36, long: 0.55, apart: 1.6, level: 0.2 };

/** Ink that may be one sign; its box is in pixels of the crop. */
export interface FoundSign extends Box, SignInk {
  /** Labels of its pieces. */
  pieces: readonly number[];
  /** Three dots in a row. */
  isDots?: true;
}

export interface FoundSigns {
  /** Each piece by itself, from left to right. */
  single: FoundSign[];
  /** Two or three pieces as one sign: an i, an equals sign, a k of two strokes. */
  joined: FoundSign[];
  /** The usual length of a sign's longer side, px. */
  size: number;
}

const lengthOf = ({ left, top, right, bottom }: Box) => Math.max(right - left, bottom - top);

/**
 * @param letters height of most letters of the page, px of the crop
 * @param rows only pieces whose middle is in these are the line's
 */
export function findSigns(
  crop: LineCrop,
  letters: number,
  rows: { top: number; bottom: number },
): FoundSigns {
  const { width, height, data } = crop;
  const paper = percentile(data, paperShare);
  const span = Math.max(leastSpan, paper - percentile(data, inkShare));
  const ink = Float32Array.from(data, (level) => Math.max(0, Math.min(1, (paper - level) / span)));
  const { labels, pieces: all } = findInkPieces(width, height, (at) => ink[at]! > inkFrom);
  const own = all.filter((piece) => {
    const middle = (piece.top + piece.bottom) / 2;
    return lengthOf(piece) > dustPixels && middle >= rows.top && middle <= rows.bottom;
  });
  if (own.length === 0) return { single: [], joined: [], size: letters };
  const size = Math.sqrt(median(own.map(lengthOf)) * letters);
  const remains = remainsIn(crop, labels);
  const pieces = own
    .filter((piece) => lengthOf(piece) > (remains.has(piece.label) ? leftOver : dust) * size)
    .sort((a, b) => a.left - b.left);

  const cut = (chosen: readonly InkPiece[]): FoundSign => {
    const box = around(chosen);
    const inside = chosen.map(({ label }) => label);
    const [wide, high] = [box.right - box.left, box.bottom - box.top];
    const shown = new Float32Array(wide * high);
    for (let y = 0; y < high; y++)
      for (let x = 0; x < wide; x++) {
        const at = (box.top + y) * width + box.left + x;
        if (inside.includes(labels[at]!)) shown[y * wide + x] = ink[at]!;
      }
    return { ...box, ink: shown, width: wide, height: high, pieces: inside };
  };

  const mayBeOne = (one: InkPiece, other: InkPiece) => {
    const sharedX = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const sharedY = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    const narrower = Math.min(one.right - one.left, other.right - other.left);
    if (sharedX >= leastShared * narrower) return -sharedY < apartAbove * size;
    return Math.max(-sharedX, -sharedY) < apartBeside * size;
  };
  const joined: FoundSign[] = [];
  const known = new Set<string>();
  const join = (chosen: readonly InkPiece[]) => {
    const key = chosen
      .map(({ label }) => label)
      .sort((a, b) => a - b)
      .join(' ');
    if (known.has(key) || joined.length > mostJoined) return;
    known.add(key);
    if (chosen.length > 1) joined.push(cut(chosen));
    if (chosen.length === mostPieces) return;
    for (const other of pieces)
      if (!chosen.includes(other) && chosen.some((one) => mayBeOne(one, other))) join([...chosen, other]);
  };
  for (const piece of pieces) join([piece]);
  for (const dots of findDots(pieces, size)) joined.push({ ...cut(dots), isDots: true });
  return { single: pieces.map((piece) => cut([piece])), joined, size };
}

/** @param pieces from left to right */
function findDots(pieces: readonly InkPiece[], size: number): InkPiece[][] {
  const isDot = (piece: InkPiece) => heightOf(piece) < dot.high * size && lengthOf(piece) < dot.long * size;
  const found: InkPiece[][] = [];
  for (let at = 0; at + 3 <= pieces.length; at++) {
    const three = pieces.slice(at, at + 3);
    const follow = three.slice(1).every((piece, before) => {
      const last = three[before]!;
      const off = Math.abs(middleOf(piece).y - middleOf(last).y);
      return piece.left > last.right && piece.left - last.right < dot.apart * size && off < dot.level * size;
    });
    if (!follow || !three.every(isDot)) continue;
    found.push(three);
    at += 2;
  }
  return found;
}

/** Labels of pieces next to what was painted over. */
function remainsIn({ width, height, painted }: LineCrop, labels: Int32Array): Set<number> {
  const remains = new Set<number>();
  if (!painted) return remains;
  const by = leftOverReach;
  for (let y = by; y < height - by; y++)
    for (let x = by; x < width - by; x++) {
      const at = y * width + x;
      if (!labels[at] || remains.has(labels[at])) continue;
      if ([at - by, at + by, at - by * width, at + by * width].some((near) => painted[near]))
        remains.add(labels[at]);
    }
  return remains;
}
