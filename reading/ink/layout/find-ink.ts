/** Finds the pixels of a page that are writing, not its ruling, its holes or the table under it. */
import { type Box, contains, heightOf, middleOf, widthOf } from '../../box.ts';
import type { Bitmap } from '../../page.ts';
import { boxBlur } from '../../raster.ts';
import { chainRuns } from '../bars/chain-runs.ts';
import { findFrames } from '../bars/find-frames.ts';
import { findInkPieces } from '../ink-pieces.ts';

/** Pixels darker than the mean around them by this share may be ink. */
const leastContrast = 0.12;
/** The same where text detection tells writing from shadows: pencil, and the ruling under it, can be this faint. */
const leastContrastSeen = 0.06;
/**
 * Faint marks are show-through and shadows: ink has at least this share of the contrast of the darkest tenth of all
 * marks.
 */
const writingShare = 0.42;
/** The edge of a photo is darker than any ink; contrast (of 255) is capped here. */
const mostContrast = 110;
const backgroundRadius = 24;
/** Ruling: horizontal or vertical runs this long, chained over this share of the page. */
const minRun = 8;
const maxRunGap = 8;
const rulingShare = 0.35;
/** A page is ruled by so many such lines, or by one that runs over this share of it; fewer are bars of fractions. */
const leastLines = 4;
const wholeLine = 0.9;
const rulingThickness = 4;
/** An area dark throughout a square of this side, px, is not a pen stroke but a hole, a spiral, a table. */
const solidSide = 7;
/** In a detected word, one that covers less than this share of the word's box is where strokes of a thick pen meet. */
const mostOfWord = 0.25;
const solidLevel = 160;
const solidSmoothing = 1;
/** Solid areas extend this far beyond their dark pixels. */
const solidReach = 4;
/**
 * If more than this share of all marks is solid, the page was written with a brush or a marker, and nothing counts as
 * a hole.
 */
const mostSolid = 0.5;
/** Holes are in these outer shares of the page, over at least this much of its height; nobody writes beyond them. */
const bindingShare = 0.2;
const bindingLength = 0.3;
/**
 * An edge this straight (shares of the width), visible over this share of the height and this close to the side, is
 * extended.
 */
const offLine = 0.025;
const leastEdge = 0.08;
const straightShare = 0.14;
/** Rows between two holes, as a share of the height. */
const mostBetweenHoles = 0.12;

export interface FoundInk {
  /** 1 for writing. */
  ink: Uint8Array;
  /** 1 for marks that must not be read: ruling, holes, anything beyond the paper. */
  foreign: Uint8Array;
  /** Among what was taken for ruling are a few long lines on a page that is not ruled. */
  mayHaveBars: boolean;
}

/**
 * @param grey a prepared page of some 1000 pixels
 * @param isPaper false for a rendered page, whose horizontal lines are fractions and tables, and whose dark areas are
 * drawings
 * @param seen where text was detected, px: ink contrast is measured there, so that the table does not hide faint
 * pencil
 * @param mayKeep `bars`: a few long lines on a page that is not ruled are ink, since they may be bars of fractions;
 * `solid`: so are areas dark throughout, since a screen has no holes
 */
export function findInk(
  { width, height, data }: Bitmap,
  isPaper: boolean,
  seen: readonly Box[] | null = null,
  mayKeep: { bars?: boolean; solid?: boolean } = {},
): FoundInk {
  const around = boxBlur({ width, height, data: Float32Array.from(data) }, backgroundRadius).data;
  const contrastAt = (at: number) => around[at]! - data[at]!;
  const marksFrom = (least: number) => data.map((_, at) => (contrastAt(at) > least * around[at]! ? 1 : 0));
  const marks = marksFrom(leastContrast);
  const mayHaveHoles = isPaper && !mayKeep.solid;
  const mask = seen && maskOf(seen, width, height);
  const solid = mayHaveHoles
    ? findSolid(data, marks, seen ?? [], width, height)
    : new Uint8Array(width * height);
  const inkIn = (some: Uint8Array) => {
    const open = some.map((mark, at) => (solid[at] ? 0 : mark));
    const frames = isPaper ? findFrames(open, width, height) : null;
    const { clear, mayHaveBars } = isPaper
      ? withoutRuling(
          frames ? open.map((mark, at) => (frames[at] ? 0 : mark)) : Uint8Array.from(open),
          width,
          height,
          mayKeep.bars ?? false,
        )
      : { clear: open, mayHaveBars: false };
    return { open, clear, ink: darkestOf(clear, contrastAt, mask), mayHaveBars };
  };
  const { open, clear, ink, mayHaveBars } = inkIn(marks);
  const foreign = withEdges(
    solid.map((own, at) => (own || (open[at] && !clear[at]) ? 1 : 0)),
    ink,
    width,
  );
  // faint ruling is erased to find the lines but not from their pictures: what is written across it is as faint
  const faint = seen ? inkIn(marksFrom(leastContrastSeen)) : null;
  return { ink: faint?.ink ?? ink, foreign, mayHaveBars: mayHaveBars || faint?.mayHaveBars === true };
}

/** The marks dark enough for writing, measured on those that the mask covers. */
function darkestOf(
  marks: Uint8Array,
  contrastAt: (at: number) => number,
  mask: Uint8Array | null,
): Uint8Array {
  const counts = new Uint32Array(mostContrast + 1);
  let count = 0;
  for (let at = 0; at < marks.length; at++) {
    if (!marks[at] || (mask && !mask[at])) continue;
    counts[Math.min(mostContrast, Math.floor(contrastAt(at)))]!++;
    count++;
  }
  let strong = mostContrast;
  for (let above = counts[strong]!; strong > 0 && above < count / 10; above += counts[strong]!) strong--;
  return marks.map((mark, at) => (mark && contrastAt(at) > writingShare * strong ? 1 : 0));
}

const areaOf = (box: Box) => widthOf(box) * heightOf(box);

function maskOf(boxes: readonly Box[], width: number, height: number): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (const { left, top, right, bottom } of boxes)
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y++)
      mask.fill(1, y * width + Math.max(0, Math.floor(left)), y * width + Math.min(width, Math.ceil(right)));
  return mask;
}

/** A ruled line is a little wider than its dark pixels. */
function withEdges(foreign: Uint8Array, ink: Uint8Array, width: number): Uint8Array {
  return foreign.map((own, at) =>
    own || (!ink[at] && (foreign[at - width] || foreign[at + width] || foreign[at - 1] || foreign[at + 1]))
      ? 1
      : 0,
  );
}

/** Holes and spirals with everything beyond them, and dark areas beside the paper. */
function findSolid(
  data: Uint8Array,
  marks: Uint8Array,
  texts: readonly Box[],
  width: number,
  height: number,
): Uint8Array {
  const smooth = boxBlur({ width, height, data: Float32Array.from(data) }, solidSmoothing).data;
  // summed-area table: the number of dark pixels above and to the left, so that four entries give any square
  const sums = new Uint32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0, row = 0; x < width; x++) {
      if (smooth[y * width + x]! < solidLevel) row++;
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row;
    }
  const half = solidSide >> 1;
  const middles = new Uint8Array(width * height);
  for (let y = half; y < height - half; y++)
    for (let x = half; x < width - half; x++) {
      const [top, bottom] = [(y - half) * (width + 1), (y + half + 1) * (width + 1)];
      const inside =
        sums[bottom + x + half + 1]! -
        sums[bottom + x - half]! -
        sums[top + x + half + 1]! +
        sums[top + x - half]!;
      if (inside === solidSide * solidSide) middles[y * width + x] = 1;
    }
  const solid = new Uint8Array(width * height);
  const reach = half + solidReach;
  const { labels, pieces } = findInkPieces(width, height, (at) => middles[at] === 1);
  // holes are taken for words, too
  const words = texts.filter((text) => Math.abs(middleOf(text).x - width / 2) < (0.5 - bindingShare) * width);
  const isHole = pieces.map(
    (piece) =>
      !words.some((word) => contains(word, middleOf(piece)) && areaOf(piece) < mostOfWord * areaOf(word)),
  );
  for (let y = half; y < height - half; y++)
    for (let x = half; x < width - half; x++) {
      const label = labels[y * width + x]!;
      if (label === 0 || !isHole[label - 1]) continue;
      for (let near = Math.max(0, y - reach); near <= Math.min(height - 1, y + reach); near++)
        solid.fill(1, near * width + Math.max(0, x - reach), near * width + Math.min(width, x + reach + 1));
    }
  let [all, covered] = [0, 0];
  for (let at = 0; at < marks.length; at++) {
    if (!marks[at]) continue;
    all++;
    covered += solid[at]!;
  }
  if (covered > mostSolid * all) return new Uint8Array(width * height);
  fillBeyond(solid, width, height, true);
  fillBeyond(solid, width, height, false);
  return solid;
}

/** Fills from a row of holes along a side, or from a dark area there, to that side. */
function fillBeyond(solid: Uint8Array, width: number, height: number, isLeft: boolean): void {
  const zone = Math.round(bindingShare * width);
  const depths = new Int32Array(height).fill(-1);
  const runs: { from: number; to: number; depth: number }[] = [];
  for (let y = 0; y < height; y++) {
    for (let depth = zone; depth >= 0 && depths[y]! < 0; depth--)
      if (solid[y * width + (isLeft ? depth : width - 1 - depth)]) depths[y] = depth;
    const depth = depths[y]!;
    const last = runs.at(-1);
    if (depth < 0) continue;
    if (last?.to === y) {
      last.to = y + 1;
      last.depth = Math.max(last.depth, depth);
    } else runs.push({ from: y, to: y + 1, depth });
  }
  const fill = (y: number, depth: number) => {
    if (depth < 0) return;
    if (isLeft) solid.fill(1, y * width, y * width + depth + 1);
    else solid.fill(1, (y + 1) * width - depth - 1, (y + 1) * width);
  };
  // areas dark across the whole top or bottom are no evidence about the sides
  const edge = [...depths.entries()]
    .map(([y, depth]) => ({ y, depth }))
    .filter(
      ({ y, depth }) => depth >= 0 && depth < straightShare * width && y > 0.03 * height && y < 0.97 * height,
    );
  const line = edge.length > leastEdge * height ? lineThrough(edge, width) : null;
  const deepest = Math.max(0, ...edge.map(({ depth }) => depth));
  if (line) {
    for (let y = 0; y < height; y++) fill(y, Math.min(deepest, Math.round(line.at + line.slope * y)));
    return;
  }
  const groups = runs.reduce<(typeof runs)[]>((all, run) => {
    const last = all.at(-1)?.at(-1);
    if (last && run.from - last.to < mostBetweenHoles * height) all.at(-1)!.push(run);
    else all.push([run]);
    return all;
  }, []);
  for (const group of groups) {
    if (group.at(-1)!.to - group[0]!.from < bindingLength * height) continue;
    for (const [at, run] of group.entries()) {
      for (let y = run.from; y < run.to; y++) fill(y, depths[y]!);
      const next = group[at + 1];
      if (next) for (let y = run.to; y < next.from; y++) fill(y, Math.min(run.depth, next.depth));
    }
  }
}

/** The straight line along the holes or the edge of the paper, extended where they are too faint to detect. */
function lineThrough(
  points: readonly { y: number; depth: number }[],
  width: number,
): { at: number; slope: number } | null {
  const mean = (of: (point: { y: number; depth: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [y, depth] = [mean((point) => point.y), mean((point) => point.depth)];
  const slope = mean((p) => (p.y - y) * (p.depth - depth)) / mean((p) => (p.y - y) ** 2);
  const at = depth - slope * y;
  const isStraight = points.every((p) => Math.abs(at + slope * p.y - p.depth) < offLine * width);
  return isStraight ? { at, slope } : null;
}

function withoutRuling(
  ink: Uint8Array,
  width: number,
  height: number,
  keepsBars: boolean,
): { clear: Uint8Array; mayHaveBars: boolean } {
  const mayHaveBars = removeRuling(ink, width, height, keepsBars);
  const upright = transpose(ink, width, height);
  removeRuling(upright, height, width, false);
  return { clear: transpose(upright, height, width), mayHaveBars };
}

function transpose(from: Uint8Array, width: number, height: number): Uint8Array {
  const to = new Uint8Array(from.length);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) to[x * height + y] = from[y * width + x]!;
  return to;
}

/**
 * Removes horizontal lines that run over much of the page, and keeps writing that crosses them.
 * @param keepsBars few lines are kept
 * @returns whether there are only few
 */
function removeRuling(ink: Uint8Array, width: number, height: number, keepsBars: boolean): boolean {
  const limits = { leastRun: minRun, columnGap: maxRunGap, rowGap: 1 };
  const lines = chainRuns(ink, width, height, limits).flatMap((own) => {
    const covered = new Uint8Array(width);
    for (const { from, to } of own) covered.fill(1, from, to);
    const [left, right] = [covered.indexOf(1), covered.lastIndexOf(1)];
    const count = covered.reduce((sum, value) => sum + value, 0);
    const isLong = right - left >= rulingShare * width && count >= 0.5 * (right - left);
    return isLong ? [{ own, length: right - left }] : [];
  });
  const isBar = ({ length }: { length: number }) => lines.length < leastLines && length < wholeLine * width;
  for (const { own, length } of lines) {
    if (keepsBars && isBar({ length })) continue;
    for (const { y, from, to } of own)
      for (let x = from; x < to; x++)
        if (thickness(ink, width, height, x, y) <= rulingThickness) ink[y * width + x] = 2;
  }
  for (let at = 0; at < ink.length; at++) if (ink[at] === 2) ink[at] = 0;
  return lines.some(isBar);
}

function thickness(ink: Uint8Array, width: number, height: number, x: number, y: number): number {
  let [top, bottom] = [y, y];
  while (top > 0 && y - top <= rulingThickness && ink[(top - 1) * width + x]) top--;
  while (bottom + 1 < height && bottom - y <= rulingThickness && ink[(bottom + 1) * width + x]) bottom++;
  return bottom - top + 1;
}
