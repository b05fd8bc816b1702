/**
 * Finds tables between horizontal rules of equal extent; columns come from vertical rules, or from gaps through all
 * rows.
 */
import { around, type Box, contains, heightOf, middleOf, widthOf } from '../box.ts';
import type { Line, PrintedPage, Word } from './printed-page.ts';

export interface Table {
  box: Box;
  rows: Word[][][];
  /** Its font size. */
  size: number;
  /** The row (0 … rows) after which a horizontal rule follows. */
  rulesAfter: Set<number>;
  hasUprightRules: boolean;
}

/** A line is a horizontal or vertical rule if it is this many times longer than thick. */
const minElongation = 12;
/** Shortest horizontal rule of a table, as a share of the page's width. */
const minRuleShare = 0.12;
/** Largest difference between the ends of a table's rules, as a share of the page's width. */
const endTolerance = 0.02;
/** A table taller than this share of the page is the page's own frame. */
const maxHeightShare = 0.65;
/** Narrowest gap between columns without rules, relative to the font size. */
const minGap = 0.9;
/** Share of cells with content; with fewer, it is not a plain table. */
const minFilled = 0.6;
const maxColumns = 12;

/** @returns tables with their words, and the lines outside them. */
export function findTables(page: PrintedPage): { tables: Table[]; rest: Line[] } {
  const tables: Table[] = [];
  const level = page.rules.filter(
    (rule) => widthOf(rule) > heightOf(rule) * minElongation && widthOf(rule) > page.width * minRuleShare,
  );
  const upright = page.rules.filter((rule) => heightOf(rule) > widthOf(rule) * minElongation);
  for (const group of groupByExtent(level, page.width * endTolerance)) {
    const table = readTable(page, group, upright);
    if (table && !tables.some((other) => overlaps(other.box, table.box))) tables.push(table);
  }
  const rest: Line[] = [];
  for (const line of page.lines) {
    const words = line.words.filter((word) => !tables.some((table) => contains(table.box, middleOf(word))));
    if (words.length === line.words.length) rest.push(line);
    else if (words.length) rest.push({ ...line, ...around(words), words });
  }
  return { tables, rest };
}

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function groupByExtent(rules: Box[], tolerance: number): Box[][] {
  const groups: Box[][] = [];
  for (const rule of [...rules].sort((a, b) => a.top - b.top)) {
    const group = groups.find(
      ([first]) =>
        Math.abs(first!.left - rule.left) < tolerance && Math.abs(first!.right - rule.right) < tolerance,
    );
    if (group) group.push(rule);
    else groups.push([rule]);
  }
  return groups.filter((group) => group.length >= 2);
}

function readTable(page: PrintedPage, level: Box[], upright: Box[]): Table | null {
  const box = around(level);
  if (heightOf(box) > page.height * maxHeightShare) return null;
  const words = page.lines
    .flatMap((line) => line.words)
    .filter((word) => contains(box, middleOf(word)) && !isRuleSign(word));
  const size = Math.max(
    ...page.lines.filter((line) => contains(box, middleOf(line))).map((line) => line.size),
    8,
  );
  const rows = readRows(page, box, size);
  if (rows.length < 2 || words.length < 4) return null;
  const inner = upright
    .filter((rule) => contains({ ...box, top: box.top - size, bottom: box.bottom + size }, middleOf(rule)))
    .filter((rule) => heightOf(rule) > heightOf(box) * 0.6)
    .map((rule) => middleOf(rule).x)
    .filter((x) => x > box.left + size / 2 && x < box.right - size / 2);
  const bounds = inner.length ? inner.sort((a, b) => a - b) : findGaps(rows, box, size * minGap);
  const columns = bounds.length + 1;
  if (columns < 2 || columns > maxColumns) return null;
  const cells = rows.map((row) => {
    const cellsOfRow: Word[][] = Array.from({ length: columns }, () => []);
    for (const word of row) cellsOfRow[bounds.filter((bound) => middleOf(word).x > bound).length]!.push(word);
    return cellsOfRow.map((cell) => cell.sort((a, b) => a.left - b.left));
  });
  const filled = cells.flat().filter((cell) => cell.length > 0).length;
  if (filled < cells.length * columns * minFilled) return null;
  const rulesAfter = new Set(
    level.map((rule) => rows.filter((row) => middleOf(around(row)).y < middleOf(rule).y).length),
  );
  return { box, rows: cells, size, rulesAfter, hasUprightRules: inner.length > 0 };
}

/** Vertical rules are often read as this sign. */
const isRuleSign = (word: Word): boolean => /^[|¦]+$/.test(word.text);

function readRows(page: PrintedPage, box: Box, size: number): Word[][] {
  const words = page.lines
    .flatMap((line) => line.words)
    .filter((word) => contains(box, middleOf(word)) && !isRuleSign(word))
    .sort((a, b) => middleOf(a).y - middleOf(b).y);
  const rows: Word[][] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const word of words) {
    const { y } = middleOf(word);
    if (y > reach) rows.push([]);
    rows.at(-1)!.push(word);
    // a row's words share a middle; the next row begins at least half a line further down
    reach = middleOf(around(rows.at(-1)!.slice(0, 3))).y + size * 0.6;
  }
  return rows;
}

/**
 * Finds column boundaries: gaps that no row crosses. In a table of four or more rows, one row may cross (a misread
 * sign, a heading over two columns).
 */
function findGaps(rows: Word[][], box: Box, minWidth: number): number[] {
  const allowed = rows.length >= 4 ? 1 : 0;
  const [from, to] = [Math.floor(box.left), Math.ceil(box.right)];
  const crossings = new Uint16Array(to - from + 1);
  for (const row of rows) {
    const covered = new Uint8Array(crossings.length);
    for (const word of row)
      covered.fill(1, Math.max(0, Math.floor(word.left) - from), Math.ceil(word.right) - from);
    for (let x = 0; x < covered.length; x++) crossings[x]! += covered[x]!;
  }
  const bounds: number[] = [];
  let start = -1;
  let hasText = false;
  for (let x = 0; x < crossings.length; x++) {
    const isFree = crossings[x]! <= allowed;
    if (isFree && start < 0) start = x;
    if (isFree) continue;
    if (hasText && start >= 0 && x - start >= minWidth) bounds.push(from + (start + x) / 2);
    start = -1;
    hasText = true;
  }
  return bounds;
}
