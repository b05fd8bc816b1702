/**
 * Matches the LaTeX that a model wrote for a page with the lines of ink on it. Only the ink's position is known, so
 * blocks and lines are matched in order, by the width that each should take. The result is approximate, and marked as
 * such.
 */

import type { PagePlace, ShareBox } from '#latex/assemble/page-body.ts';
import { median } from '../box.ts';
import { boxAround, type KnownLine } from './align-text.ts';
import { type Block, listBlocks, pairsOf } from './list-blocks.ts';
import { type VisibleCharacter, visibleCharacters } from './visible-characters.ts';

interface InkLine {
  box: ShareBox;
  /** Pairs of letters of the text that it was read as. */
  pairs: readonly string[];
  /** Its width relative to a full line. */
  width: number;
}

/** No paragraph has more lines than this on one page. */
const maxLines = 40;
/**
 * @param lines in reading order, without those of figures; `text` is another reader's result, if there is one: it has
 * errors, but is the best evidence of which line is meant
 */
export function alignInk(body: string, lines: readonly KnownLine[]): PagePlace[] {
  const visible = visibleCharacters(body);
  const blocks = listBlocks(body, visible);
  if (blocks.length === 0 || lines.length === 0) return [];
  const full = Math.max(...lines.map(({ box }) => box[2]));
  const ink = lines.map(({ box, text }) => ({
    box,
    width: box[2] / full,
    pairs: pairsOf(visibleCharacters(text).map(({ character }) => character)),
  }));
  const total = (some: readonly { length: number }[]) => some.reduce((sum, { length }) => sum + length, 0);
  const room = (some: readonly InkLine[]) => some.reduce((sum, { width }) => sum + width, 0);
  // how much fits into a line is estimated from the whole page first, then from what was matched
  const first = matchBlocks(blocks, ink, total(blocks) / room(ink));
  const matched = first.filter(({ block }) => !block.isElastic);
  const perWidth =
    total(matched.map(({ block }) => block)) / room(matched.flatMap(({ from, to }) => ink.slice(from, to)));
  const matches = perWidth > 0 ? matchBlocks(blocks, ink, perWidth) : first;
  const found = ink.some(({ pairs }) => pairs.length > 0) ? matchRead(blocks, ink, matches) : matches;
  return found.flatMap(({ block, from, to }) =>
    block.isElastic
      ? [
          {
            start: block.start,
            end: block.end,
            box: boxAround(lines.slice(from, to).map(({ box }) => box)),
            isApproximate: true as const,
          },
        ]
      : spread(body, visible, block, ink.slice(from, to)),
  );
}

interface Match {
  block: Block;
  /** The lines `[from, to)`. */
  from: number;
  to: number;
}

/** Cost of a block whose text differs from that of its lines, and of a difference in width if lines were read. */
const readWeight = 1;
const lookWeight = 0.2;
/** Cost of a line or block without a counterpart if lines were read. */
const skipRead = 0.45;

/** Similarity of two texts, 0 … 1, by the pairs that they share. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const pair of one) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of other) {
    const left = counts.get(pair) ?? 0;
    if (left > 0) shared++;
    counts.set(pair, left - 1);
  }
  return (2 * shared) / Math.max(1, one.length + other.length);
}

/** The lowest cost of assigning the next few lines to each block; lines and blocks may be left over. */
function matchBlocks(blocks: readonly Block[], ink: readonly InkLine[], perWidth: number): Match[] {
  const usual = median(ink.map(({ box }) => box[3]));
  const gaps = ink.map(({ box }, index) => {
    const before = ink[index - 1]?.box;
    return before ? box[1] - before[1] - before[3] : Number.POSITIVE_INFINITY;
  });
  const usualGap = [...gaps].sort((a, b) => a - b)[gaps.length >> 2] ?? 0;
  const left = [...ink.map(({ box }) => box[0])].sort((a, b) => a - b)[ink.length >> 2]!;
  const widths = [0];
  for (const line of ink) widths.push(widths.at(-1)! + line.width);

  const isRead = ink.some(({ pairs }) => pairs.length > 0);
  const cost = (block: Block, from: number, to: number): number => {
    if (block.isElastic) return 0.08 * (to - from);
    const expected = block.length / perWidth;
    if (isRead) {
      const readPairs = ink.slice(from, to).flatMap(({ pairs }) => pairs);
      const differs = 1 - likeness(readPairs, block.pairs);
      return (
        readWeight * differs +
        lookWeight * (look(block, from, to) + Math.abs(widths[to]! - widths[from]! - expected))
      );
    }
    return Math.abs(widths[to]! - widths[from]! - expected) + look(block, from, to);
  };
  const look = (block: Block, from: number, to: number): number => {
    let sum = 0;
    const first = ink[from]!.box;
    const gap = gaps[from]! - usualGap;
    if (gap < 0.1 * usual) sum += 0.12;
    if (block.isHeading && gap < 0.6 * usual) sum += 0.25;
    if (!block.isHeading && !block.isDisplay && gap > 1.6 * usual) sum += 0.08;
    if (block.isDisplay) {
      sum += 0.5 * (to - from - 1);
      if (first[0] < left + 0.02) sum += 0.12;
    }
    const isTall = first[3] > 1.5 * usual;
    if (block.isTall !== isTall) sum += 0.15;
    for (let index = from + 1; index < to; index++) {
      // within a paragraph lines follow closely, and each but the last is full
      if (gaps[index]! > usualGap + usual) sum += 0.25;
      if (!block.isDisplay) sum += 0.3 * Math.max(0, 0.75 - ink[index - 1]!.width);
    }
    return sum;
  };
  // lines that were not read are mostly dust
  const skipLine = (index: number) => (isRead ? skipRead : 0.25 + ink[index]!.width);
  const skipBlock = (block: Block) => (isRead ? skipRead : 0.4 + block.length / perWidth);

  const [rows, columns] = [blocks.length + 1, ink.length + 1];
  const best = new Float64Array(rows * columns).fill(Number.POSITIVE_INFINITY);
  // number of lines of the block that ends here; -1: a line was left over
  const taken = new Int16Array(rows * columns);
  best[0] = 0;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const here = best[row * columns + column]!;
      const reach = (toRow: number, toColumn: number, value: number, took: number) => {
        const at = toRow * columns + toColumn;
        if (value >= best[at]!) return;
        best[at] = value;
        taken[at] = took;
      };
      if (column < ink.length) reach(row, column + 1, here + skipLine(column), -1);
      const block = blocks[row];
      if (!block) continue;
      reach(row + 1, column, here + skipBlock(block), 0);
      for (let to = column + 1; to <= Math.min(ink.length, column + maxLines); to++)
        reach(row + 1, to, here + cost(block, column, to), to - column);
    }
  const matches: Match[] = [];
  let [row, column] = [blocks.length, ink.length];
  while (row > 0 || column > 0) {
    const took = taken[row * columns + column]!;
    if (took < 0) column--;
    else {
      if (took > 0) matches.push({ block: blocks[row - 1]!, from: column - took, to: column });
      row--;
      column -= took;
    }
  }
  return matches.reverse();
}

/** From this similarity on, a block and a line match whatever their order. */
const surelyAlike = 0.5;
/** A match is clear if its similarity exceeds that of all other pairs of the two by this. */
const clearMargin = 0.15;
/** Cost of a line that is far from its expected place, and the number of lines that is far. */
const orderWeight = 0.25;
const farthest = 6;
/**
 * A block belongs to a line that contains others too (two columns read as one line) if it contains this share of the
 * block.
 */
const heldShare = 0.5;

/**
 * Assigns lines to blocks by their text, best pairs first, whatever their order: columns, notes and adjacent steps may
 * be written and read in several orders. The remaining blocks are placed in order, if lines are left, or in a line that
 * contains their text among other things.
 */
function matchRead(blocks: readonly Block[], ink: readonly InkLine[], inOrder: readonly Match[]): Match[] {
  const alike = blocks.map((block) => ink.map((line) => likeness(block.pairs, line.pairs)));
  const matches = new Map<number, Match>();
  const taken = new Set<number>();
  const take = (at: number, from: number) => {
    matches.set(at, { block: blocks[at]!, from, to: from + 1 });
    taken.add(from);
  };
  const lineOf = (at: number) => matches.get(at)?.from;
  /** Distance of a line from where the nearest matched blocks suggest that this one is. */
  const away = (at: number, from: number): number => {
    const known = [...matches.keys()];
    const before = Math.max(-1, ...known.filter((one) => one < at));
    const after = Math.min(blocks.length, ...known.filter((one) => one > at));
    const expected = [(lineOf(before) ?? -1) + at - before, (lineOf(after) ?? ink.length) - (after - at)];
    return Math.min(farthest, ...expected.map((line) => Math.abs(line - from))) / farthest;
  };
  const free = (least: number) =>
    alike.flatMap((row, at) =>
      matches.has(at)
        ? []
        : row.flatMap((value, from) => (taken.has(from) || value < least ? [] : [{ at, from, value }])),
    );
  // unique matches come first: they suggest where the rest is
  const all = free(surelyAlike);
  const isClear = ({ at, from, value }: (typeof all)[number]) =>
    all.every((other) => (other.at === at) === (other.from === from) || other.value < value - clearMargin);
  for (const { at, from } of all.filter(isClear).sort((a, b) => b.value - a.value))
    if (!matches.has(at) && !taken.has(from)) take(at, from);
  for (;;) {
    const worth = free(surelyAlike).map((pair) => ({
      ...pair,
      worth: pair.value - orderWeight * away(pair.at, pair.from),
    }));
    if (worth.length === 0) break;
    const best = worth.reduce((a, b) => (b.worth > a.worth ? b : a));
    take(best.at, best.from);
  }
  for (const [at, block] of blocks.entries()) {
    if (matches.has(at) || block.pairs.length === 0) continue;
    const held = ink
      .map((line, from) => ({
        from,
        share: shareHeld(block.pairs, line.pairs) - orderWeight * away(at, from),
      }))
      .reduce((a, b) => (b.share > a.share ? b : a));
    if (held.share >= heldShare) matches.set(at, { block, from: held.from, to: held.from + 1 });
  }
  for (const match of inOrder) {
    const at = blocks.indexOf(match.block);
    const own = Array.from({ length: match.to - match.from }, (_, index) => match.from + index);
    const readPairs = own.flatMap((line) => ink[line]!.pairs);
    // a block over several lines, of which the most similar was assigned
    const isBetter =
      own.length > 1 &&
      likeness(match.block.pairs, readPairs) > alike[at]![matches.get(at)?.from ?? 0]! + clearMargin;
    if (matches.has(at) ? !isBetter : own.some((line) => taken.has(line))) continue;
    matches.set(at, match);
    for (const line of own) taken.add(line);
  }
  return [...matches].sort(([a], [b]) => a - b).map(([, match]) => match);
}

/** The share of a block's pairs that are in a line. */
const shareHeld = (block: readonly string[], line: readonly string[]) =>
  (likeness(block, line) * (block.length + line.length)) / (2 * block.length);

/** Divides a block's text among its lines by their widths, between words. */
function spread(
  body: string,
  visible: readonly VisibleCharacter[],
  block: Block,
  lines: readonly InkLine[],
): PagePlace[] {
  const own = visible.filter(({ start, end }) => start >= block.start && end <= block.end);
  const total = lines.reduce((sum, line) => sum + line.width, 0);
  const places: PagePlace[] = [];
  let start = block.start;
  let share = 0;
  for (const [index, line] of lines.entries()) {
    share += line.width / total;
    const isLast = index === lines.length - 1;
    const next = isLast ? undefined : own[Math.round(share * own.length)];
    const end = next ? wordStart(body, start, next.start) : block.end;
    if (end > start) {
      const text = body.slice(start, end);
      places.push({ start, end: start + text.trimEnd().length, box: line.box, isApproximate: true });
    }
    start = end + /^\s*/.exec(body.slice(end, block.end))![0].length;
  }
  return places.filter((place) => place.end > place.start);
}

/** The start of the word at an offset; not before `from`. */
function wordStart(body: string, from: number, offset: number): number {
  let at = offset;
  while (at > from && !/\s/.test(body[at - 1]!)) at--;
  return at > from ? at : offset;
}
