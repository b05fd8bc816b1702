/**
 * Fractions and roots by the look of their ink: a bar with signs above it and below, which goes on as far as they do; or a
 * bar from whose left end a stroke goes down, with signs under it.
 */
import { around, type Box, contains, heightOf, middleOf, widthOf } from '../../box.ts';
import { findInkPieces, type InkPiece } from '../ink-pieces.ts';
import { type Bar, findBars } from './find-bars.ts';

export interface Barred {
  kind: 'fraction' | 'root';
  /** Around all its ink, px. */
  box: Box;
  bar: Bar;
  /** A fraction's numerator and denominator, or what a root is taken of. */
  parts: Part[];
  /** The pixels of all its ink. */
  pixels: number[];
}

export interface Part {
  box: Box;
  /** The pixels of its ink. */
  pixels: number[];
  /** Fractions and roots in it, from left to right. */
  barred: Barred[];
}

/**
 * Sizes are in heights of most letters. Shorter bars are read well enough with the line that they are in; on paper, more of
 * them are something else.
 */
const shortestBar = 1.2;
const shortestOnScreen = 1;
const shortestFraction = 0.5;
/** Distance from the bar at which a part begins; of a short bar less. */
const partReach = 1.3;
const reachOfLong = 0.15;
const farthest = 2.5;
const shortReach = 0.7;
const shortBar = 3;
/** Ink of a bar that is no bar by itself: how far from it, px, and how long. */
const endReach = 4;
const dot = 0.3;
const longestTick = 0.6;
/** A sign this low, and this near to the bar's level, stands beside it. */
const flatSign = 0.35;
const besideBar = 0.5;
/** How far parts may extend beyond the bar at either end, or by which share of its length. */
const overhang = 1;
const overhangOfLong = 0.15;
/** Share of a sign's height by which it may reach across the bar's level. */
const mostAcross = 0.1;
/** Most height of a part, and least height of its highest sign: less are dots, dashes and remains of ruling. */
const mostHeight = 3.2;
const leastSign = 0.5;
/** Signs of a part are this far above or below what is known of it, or this far beside it. */
const scriptReach = 0.05;
const beside = 0.9;
/** A part's signs begin before the bar ends, or this far behind it. */
const alongReach = 0.3;
/** The sign of a root is no further from its bar's left end than this, or than so many px. */
const rootReach = 0.15;
const rootTouch = 3;
/** How far it begins before the bar, in its heights: a π's leg begins under its bar, and an x before an arrow far from it. */
const leastHook = 0.1;
const mostHook = 0.8;
/** It covers at most this share of the bar, and what it is taken of ends this far under it. */
const widestSign = 0.5;
const underSign = 0.8;
/** A part's length is at least this share of the bar's; two strokes with a dot between them are no fraction. */
const leastShare = 0.04;
/** Strokes in line with a bar, this far from it and off by this share of that distance at most; so many are ruling. */
const farAlong = 6;
const offLine = 0.01;
const leastInLine = 2;
/** Most of them on a page; the widest bars first, since what is in a fraction belongs to it. */
const mostBarred = 60;
const mostBars = 200;

/**
 * Those that are in no other, from left to right.
 * @param ink of the page, 1 for writing
 * @param size height of most letters, px
 */
export function findBarred(
  ink: Uint8Array,
  width: number,
  height: number,
  size: number,
  isFromScreen = false,
): Barred[] {
  const shortest = (isFromScreen ? shortestFraction : shortestBar) * size;
  const strokes = findBars(ink, width, height, size);
  const bars = strokes
    .filter((bar) => widthOf(bar) >= shortest && (isFromScreen || !isRuling(bar, strokes, size)))
    .sort((a, b) => widthOf(b) - widthOf(a))
    .slice(0, mostBars);
  const findIn = (candidates: readonly Bar[], isInk: (at: number) => boolean): Barred[] => {
    const found: Barred[] = [];
    for (const bar of candidates) {
      if (found.length === mostBarred) break;
      const middle = { x: (bar.left + bar.right) / 2, y: (bar.top + bar.bottom) / 2 };
      if (found.some(({ box }) => contains(box, middle))) continue;
      const all = piecesAround(bar, isInk, width, height, size);
      const ends = isFromScreen ? all.filter((piece) => isEndOf(bar, piece, size)) : [];
      const pieces = all.filter((piece) => !ends.includes(piece));
      const isLong = widthOf(bar) >= shortestOnScreen * size;
      const one = fractionAt(bar, pieces, isInk, width, size) ?? (isLong ? rootAt(bar, pieces, size) : null);
      if (one) found.push({ ...one, pixels: [...one.pixels, ...ends.flatMap((piece) => piece.pixelsOf())] });
    }
    for (const part of found.flatMap(({ parts }) => parts)) {
      const own = new Set(part.pixels);
      const inPart = bars.filter((bar) => bar.pixels.every((at) => own.has(at)));
      if (isFromScreen && inPart.length > 0) part.barred = findIn(inPart, (at) => own.has(at));
    }
    return found.sort((a, b) => a.box.left - b.box.left);
  };
  return findIn(bars, (at) => ink[at]! > 0);
}

/** These, and those in their parts. */
export function withInner(barred: readonly Barred[]): Barred[] {
  return barred.flatMap((one) => [one, ...one.parts.flatMap((part) => withInner(part.barred))]);
}

/** What is left of a faint ruled line: other strokes are in line with it, far from it. */
function isRuling(bar: Bar, strokes: readonly Bar[], size: number): boolean {
  const slope = (bar.levels.at(-1)! - bar.levels[0]!) / bar.levels.length;
  const inLine = strokes.filter((other) => {
    const apart = Math.max(other.left - bar.right, bar.left - other.right);
    const expected = bar.levels[0]! + slope * ((other.left + other.right) / 2 - bar.left);
    const off = Math.max(2, offLine * apart);
    return apart > farAlong * size && Math.abs((other.top + other.bottom) / 2 - expected) < off;
  });
  return inLine.length >= leastInLine;
}

interface Near extends InkPiece {
  pixelsOf: () => number[];
}

/** Pieces of ink around a bar, as they are without it. */
function piecesAround(
  bar: Bar,
  isInk: (at: number) => boolean,
  width: number,
  height: number,
  size: number,
): Near[] {
  const [left, right] = [
    Math.max(0, Math.floor(bar.left - 2 * size)),
    Math.min(width, Math.ceil(bar.right + 2 * size)),
  ];
  const reach = (farthest + mostHeight) * size;
  const [top, bottom] = [
    Math.max(0, Math.floor(bar.top - reach)),
    Math.min(height, Math.ceil(bar.bottom + reach)),
  ];
  const wide = right - left;
  const own = new Set(bar.pixels);
  const pageAt = (at: number) => (top + Math.floor(at / wide)) * width + left + (at % wide);
  const { labels, pieces } = findInkPieces(wide, bottom - top, (at) => {
    const pixel = pageAt(at);
    return isInk(pixel) && !own.has(pixel);
  });
  return pieces.map((piece) => ({
    ...piece,
    left: piece.left + left,
    right: piece.right + left,
    top: piece.top + top,
    bottom: piece.bottom + top,
    pixelsOf: () => {
      const pixels: number[] = [];
      for (let at = 0; at < labels.length; at++) if (labels[at] === piece.label) pixels.push(pageAt(at));
      return pixels;
    },
  }));
}

/** The tick at a bar's right end, or what its uneven edge has left. */
function isEndOf(bar: Bar, piece: Box, size: number): boolean {
  const level = levelAt(bar, middleOf(piece).x);
  const touches = piece.top <= level + endReach && piece.bottom >= level - endReach;
  const isTick = piece.right >= bar.right - endReach && widthOf(piece) < dot * size;
  const most = isTick ? longestTick : dot;
  return touches && widthOf(piece) < dot * size && heightOf(piece) < most * size;
}

const levelAt = ({ left, levels }: Bar, x: number) =>
  levels[Math.max(0, Math.min(levels.length - 1, Math.round(x) - left))]!;

/** The sign of a root, with what is under its bar. */
function rootAt(bar: Bar, pieces: readonly Near[], size: number): Barred | null {
  const sign = pieces.find((piece) => isRoot(piece, bar, size));
  if (!sign || sign.right > bar.left + widestSign * widthOf(bar)) return null;
  const lowest = sign.bottom + underSign * size;
  const inside = pieces.filter((piece) => {
    const middle = (piece.left + piece.right) / 2;
    const under = piece.top - levelAt(bar, middle);
    return (
      piece !== sign &&
      middle > sign.right - rootReach * size &&
      middle < bar.right + alongReach * size &&
      under > -mostAcross * heightOf(piece) &&
      piece.bottom < lowest
    );
  });
  if (!inside.some((piece) => heightOf(piece) >= leastSign * size)) return null;
  const part = { box: around(inside), pixels: inside.flatMap((piece) => piece.pixelsOf()), barred: [] };
  const pixels = [...bar.pixels, ...sign.pixelsOf(), ...part.pixels];
  return { kind: 'root', box: around([bar, sign, part.box]), bar, parts: [part], pixels };
}

function fractionAt(
  bar: Bar,
  pieces: readonly Near[],
  isInk: (at: number) => boolean,
  width: number,
  size: number,
): Barred | null {
  if (widthOf(bar) < shortBar * size && isCrossed(bar, isInk, width)) return null;
  const partOf = (isHigh: boolean): (Omit<Part, 'barred'> & { goesOn: number }) | null => {
    const gapTo = (piece: Box) => {
      const level = levelAt(bar, (piece.left + piece.right) / 2);
      return isHigh ? level - piece.bottom : piece.top - level;
    };
    const side = pieces.filter((piece) => gapTo(piece) > -mostAcross * heightOf(piece));
    const reach =
      widthOf(bar) < shortBar * size
        ? shortReach * size
        : Math.min(farthest * size, Math.max(partReach * size, reachOfLong * widthOf(bar)));
    const near = side.filter(
      (piece) => gapTo(piece) < reach && piece.left < bar.right && piece.right > bar.left,
    );
    const isAlong = ({ left, right }: Box) =>
      left < bar.right + alongReach * size && right > bar.left - alongReach * size;
    const own = grow(near, side.filter(isAlong), bar, size);
    if (own.length === 0) return null;
    const box = around(own);
    const isSign = own.some((piece) => heightOf(piece) >= leastSign * size);
    if (!isSign || heightOf(box) > mostHeight * size || widthOf(box) < leastShare * widthOf(bar)) return null;
    // an equals sign or a minus beside the bar is part of neither line
    const ofLine = side.filter(
      (piece) => heightOf(piece) >= flatSign * size || Math.abs(gapTo(piece)) > besideBar * size,
    );
    const line = around(grow(own, ofLine, bar, size));
    if (!isHigh && pieces.some((piece) => hangsOn(piece, bar, size))) return null;
    const most = Math.max(overhang * size, overhangOfLong * widthOf(bar));
    const isBeyond = (by: Box) => [by.left < bar.left - most, by.right > bar.right + most];
    if (isBeyond(box).includes(true)) return null;
    return {
      box,
      pixels: own.flatMap((piece) => piece.pixelsOf()),
      goesOn: isBeyond(line).filter(Boolean).length,
    };
  };
  const high = partOf(true);
  const low = high && partOf(false);
  // a line of text goes on beyond the stroke above or below it
  const isShort = widthOf(bar) < shortestOnScreen * size;
  if (!low || high.goesOn + low.goesOn > (isShort ? 0 : 1)) return null;
  const parts = [high, low].map(({ box, pixels }) => ({ box, pixels, barred: [] }));
  const pixels = [...bar.pixels, ...parts.flatMap((part) => part.pixels)];
  return { kind: 'fraction', box: around([bar, high.box, low.box]), bar, parts, pixels };
}

/** Adds what is close to pieces: above or below along the bar, and level with them beside it. */
function grow(from: readonly Near[], others: readonly Near[], bar: Box, size: number): Near[] {
  let own = [...from];
  for (let isGrown = true; isGrown && own.length > 0; ) {
    const box = around(own);
    const more = others.filter((piece) => {
      if (own.includes(piece)) return false;
      const apart = Math.max(piece.left - box.right, box.left - piece.right);
      const level = Math.min(piece.bottom, box.bottom) - Math.max(piece.top, box.top);
      const middle = (piece.left + piece.right) / 2;
      if (apart < 0 || (middle > bar.left && middle < bar.right)) return level > -scriptReach * size;
      return apart < beside * size && level > 0.5 * heightOf(piece);
    });
    isGrown = more.length > 0;
    own = [...own, ...more];
  }
  return own;
}

/** The sign of a root begins left of its bar. */
function isRoot(piece: Box, bar: Bar, size: number): boolean {
  const hook = (bar.left - piece.left) / heightOf(piece);
  return hook > leastHook && hook < mostHook && hangsOn(piece, bar, size);
}

/** From the left end of the bar it goes down, as the sign of a root does, and a sum's stroke. */
function hangsOn(piece: Box, bar: Bar, size: number): boolean {
  const reach = Math.max(rootTouch, rootReach * size);
  const start = bar.levels[0]!;
  return (
    piece.left <= bar.left + reach &&
    piece.right >= bar.left - reach &&
    Math.abs(piece.top - start) <= reach &&
    piece.bottom > start + leastSign * size
  );
}

/** A stroke goes through the bar, as through that of a t. */
function isCrossed(
  { left, right, top, bottom, pixels }: Bar,
  isInk: (at: number) => boolean,
  width: number,
): boolean {
  const own = new Set(pixels);
  const isTouched = (x: number, by: -1 | 1) => {
    let y = by < 0 ? bottom : top - 1;
    while (y >= top - 1 && y <= bottom && !own.has(y * width + x)) y += by;
    while (own.has(y * width + x)) y += by;
    return isInk(y * width + x) && isInk((y + by) * width + x);
  };
  // a slanting stroke, as that of a 7, comes out beside where it went in
  const reach = Math.ceil((2 * pixels.length) / (right - left));
  for (let x = left + 1; x < right - 1; x++) {
    if (!isTouched(x, -1)) continue;
    for (let near = Math.max(left, x - reach); near <= Math.min(right - 1, x + reach); near++)
      if (isTouched(near, 1)) return true;
  }
  return false;
}
