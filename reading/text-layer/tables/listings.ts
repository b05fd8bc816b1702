/** Listings without rules: lines in a typewriter face, or code that is told by its numbers or by its letters' distances. */
import { median } from '../../box.ts';
import { plainCode, writeCode, writeListing } from '../blocks/code.ts';
import { findLines } from '../lines/lines.ts';
import { type Box, boundsOf, type Glyph } from '../model.ts';
import type { ReadState } from '../state.ts';

interface Listing {
  box: Box;
  glyphs: Glyph[];
  latex: string;
}

/** Two or more lines entirely in a typewriter face. */
export function findCodeBlocks(glyphs: readonly Glyph[], state: ReadState): Listing[] {
  if (!glyphs.some((g) => g.font.mono)) return [];
  const blocks: Glyph[][] = [];
  let run: Glyph[][] = [];
  let last = 0;
  const flush = () => {
    if (run.length >= 2) blocks.push(run.flat());
    run = [];
  };
  for (const line of findLines(glyphs, [], state.bodySize)) {
    const mono = line.glyphs.filter((g) => g.font.mono).length;
    const isMono = mono === line.glyphs.length && (line.glyphs.length > 1 || run.length > 0);
    if (!isMono || (run.length > 0 && line.baseline - last > 3 * line.size)) flush();
    if (isMono) run.push([...line.glyphs]);
    last = line.baseline;
  }
  flush();
  return blocks.map((own) => ({
    box: boundsOf(own.map((g) => g.ink)),
    glyphs: own,
    latex: writeCode(own, state, '', false),
  }));
}

/** A row of the page, its glyphs from left to right. */
type Row = readonly Glyph[];

/** Least rows of a listing in the text's face: with numbers, and without. */
const leastNumbered = 5;
const leastSpaced = 2;
/** Space between a listing's letters, in ems; fonts that TeX stretches stay below. */
const leastSpacing = 0.04;

/**
 * Code in the text's face: its lines are counted from row to row without a point behind the number, or its letters
 * stand apart, since `listings` gives each letter of a word a cell of the same width.
 */
export function findTextListings(glyphs: readonly Glyph[], state: ReadState): Listing[] {
  const listings: Listing[] = [];
  const rows = rowsOf(glyphs);
  for (let i = 0; i < rows.length; ) {
    const numbered = runOf(rows, i, (row, before) => {
      const number = numberOf(row);
      return number !== null && (!before || number - 1 === numberOf(before));
    });
    const spaced = runOf(rows, i, (row, before) => isSpaced(row) || (before !== null && row.length <= 3));
    const hasNumbers = numbered >= leastNumbered;
    const own = rows.slice(i, i + (hasNumbers ? numbered : spaced));
    const code = hasNumbers ? own.map(withoutNumber) : own;
    const isCode = own.length >= (hasNumbers ? leastNumbered : leastSpaced) && hasCodeSigns(code);
    if (isCode) {
      const all = own.flat();
      const latex = writeListing(writeRows(code), state, '', hasNumbers);
      listings.push({ box: boundsOf(all.map((g) => g.ink)), glyphs: all, latex });
    }
    i += isCode ? own.length : 1;
  }
  return listings;
}

/** `listings` lowers its asterisks a little. */
function rowsOf(glyphs: readonly Glyph[]): Row[] {
  const levels = new Map<number, Glyph[]>();
  for (const g of glyphs) {
    const key = Math.round(g.baseline);
    const level = levels.get(key);
    if (level) level.push(g);
    else levels.set(key, [g]);
  }
  const rows: Glyph[][] = [];
  for (const [, level] of [...levels].sort(([a], [b]) => a - b)) {
    const [upper, lower] = [rows.at(-1)?.[0], level[0] as Glyph];
    if (upper && lower.baseline - upper.baseline < 0.2 * lower.size) rows.at(-1)?.push(...level);
    else rows.push(level);
  }
  return rows.map((row) => row.sort((a, b) => a.x - b.x));
}

/** Of its letters, not of its number. */
function sizeOf(row: Row): number {
  return Math.max(...row.map((g) => g.size));
}

/** How many rows from `start` on belong together, as close as lines of a paragraph. */
function runOf(
  rows: readonly Row[],
  start: number,
  belongs: (row: Row, before: Row | null) => boolean,
): number {
  let end = start;
  for (; end < rows.length; end++) {
    const [row, before] = [rows[end] as Row, end > start ? (rows[end - 1] as Row) : null];
    const [first, last] = [row[0] as Glyph, before?.[0]];
    if (before && last && first.baseline - last.baseline > 1.6 * Math.max(sizeOf(row), sizeOf(before))) break;
    if (!belongs(row, before)) break;
  }
  return end - start;
}

/** Number of a row's own digits at its beginning, apart from what follows. */
function numberOf(row: Row): number | null {
  const length = digitsOf(row);
  const [last, next] = [row[length - 1], row[length]];
  if (!last || length > 3 || (next && next.x - last.x - last.width < 0.3 * last.size)) return null;
  return Number(
    row
      .slice(0, length)
      .map((g) => g.text)
      .join(''),
  );
}

function digitsOf(row: Row): number {
  const end = row.findIndex((g) => !/^\d$/.test(g.text));
  return end < 0 ? row.length : end;
}

function withoutNumber(row: Row): Row {
  return row.slice(digitsOf(row));
}

/** Space before each glyph but the first, in ems. */
function gapsOf(row: Row): number[] {
  return row.slice(1).map((g, i) => {
    const before = row[i] as Glyph;
    return (g.x - before.x - before.width) / g.size;
  });
}

/** Usual space between letters of one word, in ems; TeX's own words have none. */
function spacing(row: Row): number {
  const isLetter = (g: Glyph | undefined) =>
    g !== undefined && g.font.family === 'none' && !g.font.mono && /^\p{L}$/u.test(g.text);
  const gaps = gapsOf(row).filter((gap, i) => gap < 0.4 && isLetter(row[i]) && isLetter(row[i + 1]));
  return gaps.length >= 4 ? median(gaps) : 0;
}

function isSpaced(row: Row): boolean {
  return spacing(row) > leastSpacing && !row.some((g) => g.font.family === 'letters');
}

/** Brackets, equals signs and semicolons in two rows of five. */
function hasCodeSigns(rows: readonly Row[]): boolean {
  const filled = rows.filter((row) => row.length > 0);
  const signs = filled.filter((row) => row.some((g) => /[;{}()[\]=]/.test(g.text)));
  return signs.length > 0 && signs.length >= 0.4 * filled.length;
}

/** A space is as wide as half an em, or as a cell. */
function writeRows(rows: readonly Row[]): string[] {
  const left = Math.min(...rows.flatMap((row) => row.slice(0, 1).map((g) => g.x)));
  return rows.map((row) => {
    const gaps = gapsOf(row);
    const typical = spacing(row);
    const indent = row[0] ? Math.round((row[0].x - left) / (0.5 * row[0].size)) : 0;
    const words = row.map((g, i) => {
      const gap = i === 0 ? 0 : (gaps[i - 1] as number) - typical;
      return `${gap > (typical > leastSpacing ? 0.3 : 0.15) ? ' '.repeat(Math.max(1, Math.round(gap / 0.6))) : ''}${g.text}`;
    });
    return plainCode(`${' '.repeat(Math.min(80, indent))}${words.join('')}`);
  });
}
