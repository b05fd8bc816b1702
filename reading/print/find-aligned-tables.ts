/** Finds tables without rules: rows of short pieces of text whose edges are one below the other. */
import { around, type Box, heightOf, median, middleOf, widthOf } from '../box.ts';
import type { Table } from './find-tables.ts';
import { confidenceOf, type Line, type PrintedPage, type Word } from './printed-page.ts';

const leastRows = 3;
/** Narrowest space between columns, relative to the font size. */
const leastSpace = 0.75;
/** Edges of a column's cells differ by less than this, relative to the font size. */
const edgeTolerance = 0.45;
/** Rows are at most this far apart, relative to the font size. */
const farthestRow = 2;
/** Formulas one below the other are aligned too, but Tesseract does not read them. */
const leastConfidence = 0.7;
const leastFilled = 0.7;

/**
 * @param mayBe whether rows at a place may be a table, by what else is there; given the font's size
 * @returns tables, and the lines outside them
 */
export function findAlignedTables(
  page: PrintedPage,
  lines: readonly Line[],
  mayBe: (box: Box, size: number) => boolean = () => true,
): { tables: Table[]; rest: Line[] } {
  const tables: Table[] = [];
  const taken = new Set<Line>();
  for (let from = 0; from < lines.length; from++) {
    const found = tableFrom(lines, from);
    if (!found) continue;
    const box = around(found.lines);
    if (!mayBe(box, median(found.lines.map((line) => line.size)))) continue;
    tables.push({
      box,
      rows: found.rows,
      size: median(found.lines.map((line) => line.size)),
      rulesAfter: rulesAfter(page, box, found.rows),
      hasUprightRules: false,
    });
    for (const line of found.lines) taken.add(line);
    from += found.lines.length - 1;
  }
  return { tables, rest: lines.filter((line) => !taken.has(line)) };
}

interface Found {
  lines: Line[];
  rows: Word[][][];
}

/** The longest table that begins with the line at `from`. */
function tableFrom(lines: readonly Line[], from: number): Found | null {
  const own: Line[] = [];
  let found: Found | null = null;
  for (const line of lines.slice(from)) {
    const last = own.at(-1);
    const size = line.size;
    if (last && (line.top < last.top || middleOf(line).y - middleOf(last).y > farthestRow * size)) break;
    own.push(line);
    const bounds = boundsOf(own);
    if (bounds.length === 0) break;
    const table = readRows(own, bounds);
    if (table) found = { lines: [...own], rows: table };
  }
  return found;
}

/** Middles of the spaces that no line crosses and that divide some line. */
function boundsOf(lines: readonly Line[]): number[] {
  const size = median(lines.map((line) => line.size));
  const words = lines.flatMap((line) => line.words).sort((a, b) => a.left - b.left);
  const bounds: number[] = [];
  let reach = words[0]!.right;
  for (const word of words) {
    if (word.left - reach > leastSpace * size) bounds.push((word.left + reach) / 2);
    reach = Math.max(reach, word.right);
  }
  return bounds;
}

function readRows(lines: readonly Line[], bounds: readonly number[]): Word[][][] | null {
  const rows: Word[][][] = [];
  const size = median(lines.map((line) => line.size));
  for (const line of lines) {
    const cells: Word[][] = Array.from({ length: bounds.length + 1 }, () => []);
    for (const word of line.words)
      cells[bounds.filter((bound) => middleOf(word).x > bound).length]!.push(word);
    const last = rows.at(-1);
    // the second line of a cell
    if (cells[0]!.length === 0 && last)
      for (const [column, cell] of cells.entries()) last[column]!.push(...cell);
    else rows.push(cells);
  }
  const cells = rows.flat();
  if (rows.length < leastRows || cells.some((cell) => cell.some(isLeader))) return null;
  const filled = cells.filter((cell) => cell.length > 0);
  if (filled.length < leastFilled * cells.length || confidenceOf(filled.flat()) < leastConfidence)
    return null;
  // signs of a relation belong to a calculation
  if (filled.filter((cell) => cell.some(({ text }) => /[=<>≤≥+]/.test(text))).length > 0.2 * filled.length)
    return null;
  // marks of a list
  if (bounds.length === 1 && rows.filter(([first]) => isMark(first!)).length > 0.5 * rows.length) return null;
  const columns = bounds.map((_, column) =>
    rows.map((row) => row[column + 1]!).filter((cell) => cell.length > 0),
  );
  const isAligned = columns.every((column) =>
    [(box: Box) => box.left, (box: Box) => box.right, (box: Box) => middleOf(box).x].some((edge) => {
      const edges = column.map((cell) => edge(around(firstLine(cell))));
      return Math.max(...edges) - Math.min(...edges) < edgeTolerance * size;
    }),
  );
  return isAligned && columns.every((column) => column.length >= 2) ? rows : null;
}

/** The words of a cell that are on its first line. */
function firstLine(cell: readonly Word[]): Word[] {
  const [first] = cell;
  return cell.filter((word) => middleOf(word).y < first!.bottom);
}

const isLeader = (word: Word): boolean => /[._…]{4,}/.test(word.text) || widthOf(word) > 12 * heightOf(word);

const isMark = (cell: readonly Word[]): boolean =>
  cell.length === 1 &&
  (/^\(?[\p{L}\d]{1,3}[.):]$/u.test(cell[0]!.text) || !/[\p{L}\p{N}]{2}/u.test(cell[0]!.text));

function rulesAfter({ rules }: PrintedPage, box: Box, rows: readonly Word[][][]): Set<number> {
  const size = heightOf(box) / rows.length;
  return new Set(
    rules
      .filter((rule) => widthOf(rule) > 0.7 * widthOf(box) && rule.left < box.right && rule.right > box.left)
      .filter((rule) => rule.top > box.top - size && rule.bottom < box.bottom + size)
      .map((rule) => rows.filter((row) => middleOf(around(row.flat())).y < middleOf(rule).y).length),
  );
}
