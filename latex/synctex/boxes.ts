/** Interprets a page's boxes: which records have a reliable line, and which box represents a record. */
import { kinds, type Sheet, type SynctexTable } from './table.ts';

/** Records that end a line of text: at most a penalty's glue, a kern and the glue that fills it. */
const maxTrailing = 4;

/** True if a record's line is the source of its ink: not the glue that ends a line, nor a run's borrowed line. */
export function isTrustworthy(table: SynctexTable, index: number): boolean {
  const { kind } = table;
  const is = kind[index]!;
  if (is === kinds.emptyVerticalBox) return true;
  if (is !== kinds.glue && is !== kinds.kern && is !== kinds.math) return false;
  return !isTrailing(table, index);
}

/** True for the glue and kern that fill a line's end: they have their box's line, which is the paragraph's last. */
function isTrailing(table: SynctexTable, index: number): boolean {
  const { kind, line, parent, end, lowLine, highLine } = table;
  const box = parent[index]!;
  if (box < 0 || kind[box] !== kinds.horizontalBox || line[box] !== line[index]) return false;
  // the whole box has one line: no other could have been recorded
  if (lowLine[box] === highLine[box]) return false;
  let next = index + 1;
  // the glue comes last, possibly after the kern or glue that fills the last line
  while (
    next < end[box]! &&
    next - index <= maxTrailing &&
    (kind[next] === kinds.glue || kind[next] === kinds.kern)
  )
    next++;
  return next === end[box];
}

/** Returns the box to show for a record: its line of text or row, widened while everything in it has one line. */
export function lineBox(table: SynctexTable, index: number): number {
  const { kind, parent, lowLine, highLine, width } = table;
  let best = index;
  let isWhole = false;
  for (let box = kind[index] === kinds.horizontalBox ? index : parent[index]!; box >= 0; box = parent[box]!) {
    if (kind[box] === kinds.verticalBox) {
      // beyond a stack of lines only if all of it has one source line: a fraction, not a table
      if (best !== index && isWhole && (lowLine[box] !== highLine[box] || highLine[box] === -1)) break;
      continue;
    }
    if (width[box]! > 0 || best === index) best = box;
    isWhole = true;
  }
  return best;
}

/** True if anything in the box has a source line. */
export function hasLines(table: SynctexTable, box: number): boolean {
  const { highLine } = table;
  return highLine[box] !== 0;
}

/** Returns the record in a box that gives the source line at `x`; it may be a box itself. */
export function recordAt(table: SynctexTable, box: number, x: number): number {
  const { kind, end, width, x: lefts, line } = table;
  let at = -1;
  let atDistance = Number.POSITIVE_INFINITY;
  let previousEnd = lefts[box]!;
  for (let index = box + 1; index < end[box]!; index = end[index]!) {
    const isBox = isBoxKind(kind[index]!) || kind[index] === kinds.rule;
    const start = isBox ? lefts[index]! : Math.min(previousEnd, lefts[index]!);
    const stop = isBox ? lefts[index]! + width[index]! : lefts[index]!;
    previousEnd = stop;
    if (kind[index] === kinds.verticalBox && !hasLines(table, index)) continue;
    const distance = Math.max(0, start - x, x - stop);
    if (distance >= atDistance) continue;
    at = index;
    atDistance = distance;
    if (distance === 0) break;
  }
  if (at < 0) return box;
  if (isOpenBox(kind[at]!)) return at;
  if (isTrailing(table, at)) return sureBefore(table, box, at) ?? at;
  if (isTrustworthy(table, at)) return at;
  // a run borrows the line of the glue before it; the glue after it has the run's own line
  for (let index = end[at]!; index < end[box]!; index = end[index]!) {
    if (kind[index] === kinds.run) continue;
    if (isOpenBox(kind[index]!)) break;
    if (isTrustworthy(table, index)) return index;
    if (isTrailing(table, index)) break;
  }
  // a rule has TeX's line at the time the page was shipped, and a run after it inherits that
  if (kind[at] === kinds.rule || (kind[at] === kinds.run && kind[at - 1] === kinds.rule))
    return sureBefore(table, box, at) ?? firstSure(table, box) ?? box;
  return line[at] === line[box] ? (sureBefore(table, box, at) ?? at) : at;
}

function sureBefore(table: SynctexTable, box: number, before: number): number | null {
  const { end } = table;
  let found: number | null = null;
  for (let index = box + 1; index < before; index = end[index]!)
    if (isTrustworthy(table, index)) found = index;
  return found;
}

/** Returns the first record within a box whose line is reliable; null if there is none. */
export function firstSure(table: SynctexTable, box: number): number | null {
  const { end } = table;
  for (let index = box + 1; index < end[box]!; index++) if (isTrustworthy(table, index)) return index;
  return null;
}

/** Finds head and foot: all boxes but the tallest, at the first level of the page that has several. */
export function findFurniture({ kind, end, height, depth }: SynctexTable, sheet: Sheet): [number, number][] {
  let from = sheet.from;
  let to = sheet.to;
  for (let level = 0; level < 8; level++) {
    const boxes: number[] = [];
    for (let index = from; index < to; index = end[index]!) {
      if (isOpenBox(kind[index]!) && end[index]! > index + 1) boxes.push(index);
      if (boxes.length > 64) return [];
    }
    if (boxes.length === 0) return [];
    if (boxes.length > 1) {
      const tall = (box: number) => height[box]! + depth[box]!;
      const body = boxes.reduce((a, b) => (tall(b) > tall(a) ? b : a));
      const others = boxes.filter((box) => box !== body);
      return others.every((box) => tall(box) * 4 < tall(body)) ? others.map((box) => [box, end[box]!]) : [];
    }
    from = boxes[0]! + 1;
    to = end[boxes[0]!]!;
  }
  return [];
}

export const isOpenBox = (kind: number) => kind === kinds.horizontalBox || kind === kinds.verticalBox;
const isBoxKind = (kind: number) =>
  isOpenBox(kind) || kind === kinds.emptyHorizontalBox || kind === kinds.emptyVerticalBox;
