/**
 * Finds the lines of handwriting on a page as boxes, in reading order, by the appearance of the ink alone. Works on
 * prepared pages (upright, evenly lit); the paper's ruling is removed first.
 */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { type Box, contains, middleOf, mostHeight } from '../../box.ts';
import type { Bitmap } from '../../page.ts';
import { shrink, toGrey } from '../../raster.ts';
import { eraseRing } from '../bars/erase-ring.ts';
import { type Barred, findBarred, withInner } from '../bars/find-barred.ts';
import { ringsBefore } from '../bars/find-rings.ts';
import { findStruck } from '../bars/find-struck.ts';
import { isUnderlined } from '../bars/is-underlined.ts';
import { findInkPieces } from '../ink-pieces.ts';
import { splitColumns, takeNotes } from './find-columns.ts';
import { findDrawings, isDrawn } from './find-drawings.ts';
import { findInk } from './find-ink.ts';
import { findMaybeJoined, type Joint, type MaybeJoinedRows } from './find-maybe-joined.ts';
import {
  around,
  findRows,
  heightOf,
  joinBeside,
  joinFractions,
  leastInRow,
  leastWhereSeen,
  type Piece,
  takeLoose,
  widthOf,
} from './find-rows.ts';
import { gatherWords, insideOf, joinNumbers, sizeIn, withoutBinding } from './gather-words.ts';
import { isDrawnOnScreen } from './is-drawn-on-screen.ts';
import { isPrintedForm } from './is-printed-form.ts';
import { splitBlocks } from './split-blocks.ts';

/** Long side of the picture used, px: x-heights of print are about 6, of handwriting 10 and more. */
const side = 1000;
/** Share of its box that a thin piece covers at most. */
const leastCover = 0.08;
/** How much of its right side and its bottom a frame or ring covers, and how wide a strip counts as a side. */
const frameCover = 0.25;
const frameSide = 0.1;

/** @param mayBeRuled false for a rendered page, whose horizontal lines are fractions and tables */
export function findInkLines(bitmap: Bitmap, mayBeRuled: boolean): ShareBox[] {
  return findInkRows(bitmap, mayBeRuled, false).boxes;
}

export interface MaybeJoined {
  /** Indices of the longest row, and of those that may belong to it. */
  row: number;
  added: number[];
  as: Joint;
  box: ShareBox;
}

export interface InkRows {
  boxes: ShareBox[];
  /** Rows that may be one line; reading them decides. */
  maybeJoined: MaybeJoined[];
  /** Boxes from this index on are notes in the margin. */
  notesFrom: number;
  /** Rows with fractions and roots that are certain by their look, from left to right; after the rows come the pairs. */
  built: { row: number; barred: Barred[] }[];
  /** The writing of the reduced page, 1 for ink. */
  ink: Bitmap;
  /** Height of most letters on it, px. */
  size: number;
  drawings: ShareBox[];
  /** Crossed-out words within rows; a row that is crossed out entirely is dropped. */
  struck: ShareBox[];
  /** Indices in `boxes` of lines that begin with a number in a ring; the ring no longer counts as writing. */
  ringed: number[];
  /** Rows that are underlined. */
  underlined: number[];
  /** The page was drawn on a screen: all its ink is writing. */
  isFromScreen: boolean;
  /**
   * Pixels of the reduced page that are not writing: 1 for ruling, holes and anything beside the paper; `ringMark`
   * for rings.
   */
  foreign: Bitmap;
}

/**
 * @param sparesDrawings whether drawings are told from writing; otherwise their ink makes lines too
 * @param seen where text was detected on the page by other means: ink away from it is not writing. Null: not
 * searched.
 * @param refused what an earlier search took for fractions and roots; null: they are not searched
 * @param wasDrawnOnScreen undefined: its paper tells
 */
export function findInkRows(
  bitmap: Bitmap,
  mayBeRuled: boolean,
  sparesDrawings = true,
  seen: readonly ShareBox[] | null = null,
  refused: readonly Barred[] | null = [],
  wasDrawnOnScreen?: boolean,
): InkRows {
  const grey = shrink(toGrey(bitmap), side);
  const { width, height } = grey;
  const found = withoutBinding(seen?.map((box) => boxOn(box, width, height)) ?? [], width);
  const words = found.length > 0 ? found : null;
  // on photographs, signs of roots fall apart, and are read better with their line
  const isFromScreen = sparesDrawings && refused !== null && (wasDrawnOnScreen ?? isDrawnOnScreen(grey));
  const { ink, foreign, mayHaveBars } = findInk(grey, mayBeRuled, words, { solid: isFromScreen });
  const { pieces } = findInkPieces(width, height, (at) => ink[at]! > 0);
  const size = letterSize(words ? insideOf(pieces, words) : pieces);
  const wordSize = words ? sizeIn(words, size) : size;
  const inside = pieces.filter((piece) => !touchesEdge(piece, width, height));
  const isBeside = (piece: Piece) =>
    words !== null && touchesEdge(piece, width, height) && insideOf([piece], words).length === 0;
  const isWritten = (one: Barred) =>
    (one.kind === 'fraction' || isFromScreen) &&
    !refused?.some((other) => other.bar.left === one.bar.left && other.bar.top === one.bar.top) &&
    (isFromScreen || words === null || words.some((word) => overlaps(one.box, word)));
  const writtenOf = (some: readonly Barred[]): Barred[] =>
    some.filter(isWritten).map((one) => ({
      ...one,
      parts: one.parts.map((part) => ({ ...part, barred: writtenOf(part.barred) })),
    }));
  // on paper only where text was detected: ruling looks like bars
  const barred =
    sparesDrawings && refused && (isFromScreen || words || !mayBeRuled)
      ? writtenOf(
          findBarred(
            mayHaveBars ? findInk(grey, mayBeRuled, words, { bars: true, solid: isFromScreen }).ink : ink,
            width,
            height,
            wordSize,
            isFromScreen,
          ),
        )
      : [];
  for (const at of withInner(barred).flatMap(({ bar }) => bar.pixels)) {
    ink[at] = 1;
    foreign[at] = 0;
  }
  // as large as a drawing, the sign of a root is writing
  const roots = isFromScreen ? barred.filter(({ kind }) => kind === 'root').map(({ box }) => box) : [];
  const drawings = sparesDrawings
    ? findDrawings(
        inside.filter((piece) => !roots.some((root) => contains(root, middleOf(piece)))),
        grey,
        size,
      )
    : [];
  // what is long, bent and thin is left of ruling, and on a screen an integral, a bracket or the sign of a root
  const isThin = (piece: Piece) => piece.pixels < leastCover * widthOf(piece) * heightOf(piece);
  const mayBeWritten = pieces.filter(
    (piece) =>
      (!isThin(piece) || (isFromScreen && !isFrame(piece, pieces, ink, width))) &&
      !isBeside(piece) &&
      !isDrawn(piece, drawings),
  );
  const written = mayBeWritten.filter((piece) => isWriting(piece, size, width, height));
  // a root is in one row as it is
  const fractions = barred.filter(({ kind }) => kind === 'fraction');
  const loose = written.filter((piece) => !fractions.some(({ box }) => contains(box, middleOf(piece))));
  const letters = [
    ...(words
      ? gatherWords(
          loose,
          words,
          size,
          isFromScreen,
          fractions.map(({ box }) => box),
        )
      : loose),
    ...fractions.map(({ box, pixels }) => ({ ...box, pixels: pixels.length })),
  ];
  const rowsIn = (some: readonly Piece[]) => findRows(some, size);
  const { text, notes } = takeNotes(letters, size, rowsIn);
  const columns = splitColumns(text, width, wordSize, rowsIn, words !== null).flatMap((region) =>
    words
      ? splitBlocks(region, wordSize, (some) => findRows(some, size, mayBeRuled, leastWhereSeen))
      : [region],
  );
  const inRegions = [...columns, notes].map((region) => {
    const all = findRows(region, size, mayBeRuled, words ? leastWhereSeen : leastInRow);
    const rows = joinFractions(all, ink, width, size).filter(
      (row) => !mayBeRuled || !isPrintedForm(row, ink, width),
    );
    return words ? joinNumbers(rows, size) : rows;
  });
  if (isFromScreen) takeLoose(inRegions.flat(), mayBeWritten, size);
  const regions = isFromScreen ? joinBeside(inRegions, size) : inRegions;
  const crossed = regions.flat().map((row) => ({ row, struck: findStruck(row, ink, width, size) }));
  const rows = crossed.filter(({ row, struck }) => !isAllStruck(row, struck, size)).map(({ row }) => row);
  const ringed = [...rows.entries()].filter(([, row]) =>
    ringsBefore(row, written, ink, width, size).some(({ ring, leastSeen }) =>
      eraseRing(ring, leastSeen, ink, foreign, width),
    ),
  );
  const isDark = (at: number) => ink[at]! > 0 || foreign[at] === 1;
  const pairs = regions.flatMap((region) =>
    findMaybeJoined(
      region.filter((row) => rows.includes(row)),
      size,
      isFromScreen ? 'limits' : 'fraction',
    ),
  );
  const joined = withBoth(pairs);
  const barredIn = (row: Piece) => barred.filter((one) => rowOf(one.box, rows) === row);
  // where operators have limits, both rows together have what each of them has
  const builtOf = [
    ...rows.map(barredIn),
    ...joined.map(({ row, added, as }) => (as === 'limits' ? [row, ...added].flatMap(barredIn) : [])),
  ];
  return {
    boxes: rows.map((row) => shareOf(row, width, height)),
    notesFrom: rows.length - rows.filter((row) => regions.at(-1)!.includes(row)).length,
    maybeJoined: joined.map(({ row, added, as }) => ({
      row: rows.indexOf(row),
      added: added.map((one) => rows.indexOf(one)),
      as,
      box: shareOf([row, ...added].reduce(around), width, height),
    })),
    built: builtOf.flatMap((own, row) =>
      own.length > 0 ? [{ row, barred: own.toSorted((one, other) => one.box.left - other.box.left) }] : [],
    ),
    ink: { width, height, channels: 1, data: ink },
    size: wordSize,
    drawings: drawings.map((box) => shareOf(box, width, height)),
    struck: crossed.flatMap(({ struck }) => struck.map((box) => shareOf(box, width, height))),
    ringed: ringed.map(([at]) => at),
    underlined: [...rows.keys()].filter((at) => isUnderlined(rows[at]!, isDark, { width, height }, size)),
    foreign: { width, height, channels: 1, data: foreign },
    isFromScreen,
  };
}

/** Of a row with limits above and below it, all first, and then each by itself. */
function withBoth(pairs: readonly MaybeJoinedRows[]) {
  return pairs.flatMap((pair) => {
    const { row, as } = pair;
    const all = pairs.filter((other) => other.row === row).map(({ added }) => added);
    const isFirst = pairs.find((other) => other.row === row) === pair;
    const one = { row, added: [pair.added], as };
    return as === 'limits' && all.length > 1 && isFirst ? [{ row, added: all, as }, one] : [one];
  });
}

/** Of the rows that it may be in, the one that is most level with it. */
function rowOf(box: Box, rows: readonly Piece[]): Piece | undefined {
  const { y } = middleOf(box);
  return rows
    .filter((row) => contains(row, middleOf(box)))
    .sort((a, b) => Math.abs(middleOf(a).y - y) - Math.abs(middleOf(b).y - y))[0];
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Fewer than two letters of the row remain. */
function isAllStruck(row: Piece, struck: readonly Omit<Piece, 'pixels'>[], size: number): boolean {
  const width = struck.reduce((sum, { left, right }) => sum + right - left, 0);
  return width > 0 && widthOf(row) - width < 1.5 * size;
}

function shareOf(
  { left, top, right, bottom }: Omit<Piece, 'pixels'>,
  width: number,
  height: number,
): ShareBox {
  return [left / width, top / height, (right - left) / width, (bottom - top) / height];
}

function boxOn([left, top, wide, tall]: ShareBox, width: number, height: number) {
  return {
    left: left * width,
    top: top * height,
    right: (left + wide) * width,
    bottom: (top + tall) * height,
  };
}

/** Height of most letters or joined words. */
function letterSize(pieces: readonly Piece[]): number {
  const letters = pieces.filter(
    (piece) => heightOf(piece) >= 4 && heightOf(piece) <= 70 && piece.pixels >= 8,
  );
  return mostHeight(letters) ?? 10;
}

function touchesEdge({ left, top, right, bottom }: Piece, width: number, height: number): boolean {
  const edge = 0.012 * width;
  return left <= edge || top <= edge || right >= width - edge || bottom >= height - edge;
}

/** It is drawn around other ink: signs of roots are open to the right and below, and integrals and brackets hold nothing. */
function isFrame(piece: Piece, all: readonly Piece[], ink: Uint8Array, width: number): boolean {
  const { left, top, right, bottom } = piece;
  const covered = (columns: boolean) => {
    const [from, to] = columns ? [left, right] : [top, bottom];
    const [end, depth] = columns ? [bottom, bottom - top] : [right, right - left];
    const isInk = (at: number, by: number) => ink[columns ? (end - by) * width + at : at * width + end - by];
    const strip = Array.from({ length: Math.max(2, Math.ceil(frameSide * depth)) }, (_, by) => by + 1);
    let count = 0;
    for (let at = from; at < to; at++) if (strip.some((by) => isInk(at, by))) count++;
    return count > frameCover * (to - from);
  };
  const holdsInk = all.some((other) => other !== piece && contains(piece, middleOf(other)));
  return holdsInk && covered(true) && covered(false);
}

function isWriting(piece: Piece, size: number, width: number, height: number): boolean {
  if (touchesEdge(piece, width, height) && Math.max(widthOf(piece), heightOf(piece)) > 3 * size) return false;
  if (heightOf(piece) > 4 * size && widthOf(piece) < 0.35 * size) return false;
  // dots and accents are small; dust is smaller
  return (
    piece.pixels >= Math.max(3, 0.02 * size * size) &&
    heightOf(piece) < 14 * size &&
    widthOf(piece) < 0.9 * width
  );
}
