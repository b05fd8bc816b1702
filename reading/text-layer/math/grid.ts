/** Rows and columns: matrices, cases, aligned systems, binomials, stacked limits. */
import { median } from '../../box.ts';
import { overlapX, type Rule } from '../model.ts';
import { axisOf, type Item, type MathContext, parseItems } from './items.ts';

export interface Grid {
  rows: Item[][][];
  /** Left edges of columns after the first, in points. */
  columnCount: number;
  /** `l`, `c` or `r` a column. */
  alignment: string[];
  /** Columns with a vertical line to their left. */
  barsBefore: Set<number>;
  /** Median distance of baselines. */
  rowDistance: number;
  /** Column at which rows are aligned by a relation, when there are no real columns. */
  relationAt: number | null;
}

/** A glyph's vertical extent on its line, at least that of an ordinary letter. */
function rowBox(item: Item): { y0: number; y1: number } {
  if (item.kind === 'built' || item.kind === 'delimiter' || item.atom === 'op')
    return { y0: item.y0, y1: item.y1 };
  return {
    y0: Math.min(item.y0, item.baseline - 0.62 * item.size),
    y1: Math.max(item.y1, item.baseline + 0.12 * item.size),
  };
}

/** Items in rows from top to bottom, by blank bands between them. */
export function splitRows(items: readonly Item[]): Item[][] {
  const bands: { y0: number; y1: number; items: Item[] }[] = [];
  for (const item of [...items].sort((a, b) => rowBox(a).y0 - rowBox(b).y0)) {
    const box = rowBox(item);
    const band = bands[bands.length - 1];
    if (band && box.y0 < band.y1 - 0.02 * item.size) {
      band.items.push(item);
      band.y1 = Math.max(band.y1, box.y1);
    } else bands.push({ ...box, items: [item] });
  }
  // a band with only small items (a high script) belongs to its neighbour
  const largest = Math.max(...items.map((i) => i.size));
  for (let i = bands.length - 1; i >= 0 && bands.length > 1; i--) {
    const band = bands[i] as (typeof bands)[number];
    const isSmall = band.items.every((item) => item.size < 0.87 * largest && !item.isCentred);
    if (!isSmall) continue;
    const up = bands[i - 1];
    const down = bands[i + 1];
    const gapUp = up ? band.y0 - up.y1 : Infinity;
    const gapDown = down ? down.y0 - band.y1 : Infinity;
    const target = gapUp < gapDown ? up : down;
    if (!target || Math.min(gapUp, gapDown) > 0.35 * largest) continue;
    target.items.push(...band.items);
    target.y0 = Math.min(target.y0, band.y0);
    target.y1 = Math.max(target.y1, band.y1);
    bands.splice(i, 1);
  }
  return bands
    .flatMap((band) => splitTouching(band.items, largest))
    .map((row) => row.sort((a, b) => a.start - b.start));
}

/** Most signs of full size that are looked at in pairs, for rows that touch. */
const mostEntries = 300;

/** Rows that touch: something at full size is above or below something else that is. */
function splitTouching(items: Item[], size: number): Item[][] {
  const main = items
    .filter((i) => i.size > 0.87 * size || i.text === 'fraction')
    .sort((a, b) => axisOf(a) - axisOf(b));
  if (main.length > mostEntries) return [items];
  const rows: Item[][] = [];
  for (const item of main) {
    const last = rows.at(-1)?.at(-1);
    if (last && axisOf(item) - axisOf(last) < 0.5 * size) rows.at(-1)?.push(item);
    else rows.push([item]);
  }
  const isAbove = (upper: Item, lower: Item) =>
    overlapX(upper, lower) > 0.3 * Math.min(upper.x1 - upper.x0, lower.x1 - lower.x0);
  const [stacked, single] = [true, false].map((isStacked) =>
    rows.filter((row) => row.some((a) => main.some((b) => !row.includes(b) && isAbove(a, b))) === isStacked),
  ) as [Item[][], Item[][]];
  // what is above and below an operator, or above and below right after it, are its limits
  const areLimits = items.some(
    (i) =>
      i.atom === 'op' &&
      stacked.flat().some((other) => other !== i && overlapX({ ...i, x1: i.x1 + 0.5 * size }, other) > 0),
  );
  // what stands on the axis after the rows is in none of them
  const end = Math.max(...stacked.flat().map((i) => i.end));
  if (stacked.length < 2 || areLimits || single.flat().some((i) => i.start < end - 1)) return [items];
  const axes = rows.map((row) => median(row.map(axisOf)));
  const out: Item[][] = rows.map(() => []);
  for (const item of items) {
    const middle =
      item.size > 0.87 * size || item.text === 'fraction' ? axisOf(item) : (item.y0 + item.y1) / 2;
    const distances = axes.map((axis) => Math.abs(axis - middle));
    out[distances.indexOf(Math.min(...distances))]?.push(item);
  }
  return out;
}

function rowBaseline(row: readonly Item[]): number {
  const size = Math.max(...row.map((i) => i.size));
  const main = row.filter((i) => i.size > 0.85 * size && !i.isCentred);
  const pool = main.length > 0 ? main : row;
  return median(pool.map((i) => i.baseline));
}

/** Finds the columns common to all rows. */
export function classifyGrid(rows: Item[][], verticals: readonly Rule[]): Grid {
  const all = rows.flat();
  const size = Math.max(...all.map((i) => i.size));
  const spans = all
    .map((i) => ({ x0: Math.min(i.start, i.x0), x1: Math.max(i.end, i.x1) }))
    .sort((a, b) => a.x0 - b.x0);
  const cuts: number[] = [];
  let reach = spans[0]?.x1 ?? 0;
  for (const span of spans) {
    if (span.x0 - reach > 0.55 * size) cuts.push((span.x0 + reach) / 2);
    reach = Math.max(reach, span.x1);
  }
  const cells = rows.map((row) => {
    const out: Item[][] = Array.from({ length: cuts.length + 1 }, () => []);
    for (const item of row) (out[cuts.filter((c) => c < item.start).length] as Item[]).push(item);
    return out;
  });
  const barsBefore = new Set<number>();
  for (const v of verticals) {
    let nearest = -1;
    let best = size;
    cuts.forEach((c, k) => {
      const d = Math.abs(c - (v.x0 + v.x1) / 2);
      if (d < best) {
        best = d;
        nearest = k + 1;
      }
    });
    if (nearest >= 0) barsBefore.add(nearest);
  }
  const baselines = rows.map(rowBaseline);
  const distances = baselines.slice(1).map((b, i) => b - (baselines[i] as number));
  return {
    rows: cells,
    columnCount: cuts.length + 1,
    alignment: Array.from({ length: cuts.length + 1 }, (_, k) =>
      alignmentOf(
        cells.map((r) => r[k] as Item[]),
        size,
      ),
    ),
    barsBefore,
    rowDistance: median(distances) || 0,
    relationAt: relationColumn(rows, size),
  };
}

function alignmentOf(cells: Item[][], size: number): string {
  const filled = cells.filter((c) => c.length > 0);
  const lefts = filled.map((c) => Math.min(...c.map((i) => i.start)));
  const rights = filled.map((c) => Math.max(...c.map((i) => i.end)));
  const spread = (v: number[]) => Math.max(...v) - Math.min(...v);
  const centres = lefts.map((l, k) => (l + (rights[k] as number)) / 2);
  const options: [string, number][] = [
    ['c', spread(centres)],
    ['l', spread(lefts)],
    ['r', spread(rights)],
  ];
  const best = options.reduce((a, b) => (b[1] < a[1] - 0.06 * size ? b : a));
  return best[0];
}

/** The x at which every row, except continuation rows, has a relation or an operator that begins it. */
function relationColumn(rows: Item[][], size: number): number | null {
  if (rows.length < 2) return null;
  const positions = (rows[0] as Item[]).filter((i) => i.atom === 'rel').map((i) => i.start);
  for (const x of positions) {
    if (
      rows.every((row) =>
        row.some((i) => Math.abs(i.start - x) < 0.12 * size && (i.atom === 'rel' || i.atom === 'bin')),
      )
    )
      return x;
  }
  return null;
}

/** Space added between rows by hand (\\[1ex]), beyond array's own: 1.22 em a line, times \arraystretch. */
function rowSkips(grid: Grid, size: number, stretch: number): string[] {
  const line = 1.22 * size * stretch;
  const rows = grid.rows.map((row) => row.flat());
  return rows.slice(1).map((row, i) => {
    const above = rows[i] as Item[];
    const upper = rowBaseline(above);
    const lower = rowBaseline(row);
    const depth = Math.max(0.3 * line, ...above.map((item) => item.y1 - upper));
    const height = Math.max(0.7 * line, ...row.map((item) => lower - item.y0));
    // \\vdots and \\ddots have extra space above them
    if (row.some((item) => /dots$/.test(item.latex) || /[⋮⋱]/.test(item.text))) return '';
    const isWider = lower - upper - depth - height > 0.12 * size;
    // the extra space is added to the strut's depth, not to the row's
    const extra = lower - upper - height - 0.3 * line;
    return isWider ? `[${(Math.round(extra * 2) / 2).toFixed(1)}pt]` : '';
  });
}

interface Surround {
  left: string;
  right: string;
  size: number;
  /** Size of the row that contains the grid. */
  outer: number;
  /** Space between a delimiter and the columns, in points: array leaves \arraycolsep on both sides, a matrix none. */
  padding: number;
}

/** \arraycolsep is 5 pt in every class; half of it decides. */
const minPadding = 3;

const matrixNames: Record<string, string> = {
  '()': 'pmatrix',
  '[]': 'bmatrix',
  '{}': 'Bmatrix',
  '||': 'vmatrix',
  '∣∣': 'vmatrix',
  '‖‖': 'Vmatrix',
};

/** Fractions are set in a matrix's text style: their parts are smaller than its cells. */
function sizeOfCells({ rows }: Grid, { size }: Surround): number {
  return rows.flat(2).every((i) => i.text === 'fraction') ? size / 0.7 : size;
}

/** LaTeX of a grid between its delimiters (empty strings if it has none). */
export function writeGrid(grid: Grid, around: Surround, context: MathContext): string {
  const size = sizeOfCells(grid, around);
  const isSmall = size < 0.85 * around.outer;
  const isArray = around.padding >= minPadding;
  const isBinomial = around.left === '(' && around.right === ')' && !isArray;
  if (isBinomial && grid.columnCount === 1 && grid.rows.length === 2) {
    if (isSmall || grid.rowDistance > 1.31 * around.size) return binomial(grid, around, context);
  }
  const cell: MathContext = { ...context, style: 'text' };
  const isCases = around.left === '{' && around.right === '' && !isArray;
  const skips = rowSkips(grid, size, isCases ? 1.2 : 1);
  const write = (rows: Item[][][]) =>
    rows
      .map(
        (row, i) =>
          row.map((c) => parseItems(c, [], cell).latex).join(' & ') +
          (i < rows.length - 1 ? ` \\\\${skips[i]} ` : ''),
      )
      .join('');
  if (isCases) {
    const starts = grid.rows.map((row) => Math.min(...row.flat().map((i) => i.start)));
    const isLeftAligned = Math.max(...starts) - Math.min(...starts) < 0.12 * around.size;
    if (grid.relationAt !== null && !(isLeftAligned && grid.columnCount > 1))
      return `\\left\\{${aligned(grid, context)}\\right.`;
    const [first, second] = [(row: Item[][]) => row[0] as Item[], (row: Item[][]) => row.slice(1).flat()];
    const conditions = grid.rows.map(second).filter((cell) => cell.length > 0);
    const lefts = conditions.map((cell) => Math.min(...cell.map((i) => i.start)));
    // spaces set by hand make no column
    const isRagged = conditions.length > 1 && Math.max(...lefts) - Math.min(...lefts) > 0.3 * around.size;
    const columns = grid.rows.map((row) => (isRagged ? [row.flat()] : [first(row), second(row)]));
    return `\\begin{cases} ${write(grid.columnCount > 1 ? columns : grid.rows)} \\end{cases}`;
  }
  const name = isArray ? undefined : matrixNames[around.left + around.right];
  const isPlain = grid.barsBefore.size === 0 && grid.alignment.every((a) => a === 'c');
  if (name && isSmall)
    return `\\left${around.left}\\begin{smallmatrix} ${write(grid.rows)} \\end{smallmatrix}\\right${around.right}`;
  if (name && isPlain) return `\\begin{${name}} ${write(grid.rows)} \\end{${name}}`;
  if (
    name &&
    grid.barsBefore.size === 0 &&
    grid.relationAt === null &&
    grid.rows.length > 0 &&
    grid.columnCount > 1
  ) {
    return `\\begin{${name}} ${write(grid.rows)} \\end{${name}}`;
  }
  const left = delimiterName(around.left);
  const right = delimiterName(around.right);
  if (grid.relationAt !== null && grid.barsBefore.size === 0 && !isArray)
    return `\\left${left}${aligned(grid, context)}\\right${right}`;
  const columns = grid.alignment.map((a, k) => (grid.barsBefore.has(k) ? `|${a}` : a)).join('');
  return `\\left${left}\\begin{array}{${columns}} ${write(grid.rows)} \\end{array}\\right${right}`;
}

function delimiterName(text: string): string {
  if (text === '') return '.';
  if (text === '{' || text === '}') return `\\${text}`;
  const names: Record<string, string> = {
    '∣': '|',
    '‖': '\\|',
    '∥': '\\|',
    '⟨': '\\langle',
    '⟩': '\\rangle',
    '〈': '\\langle',
    '〉': '\\rangle',
    '⌊': '\\lfloor',
    '⌋': '\\rfloor',
    '⌈': '\\lceil',
    '⌉': '\\rceil',
  };
  return names[text] ?? (/^[()[\]|/]$/.test(text) ? text : '.');
}

function binomial(grid: Grid, around: Surround, context: MathContext): string {
  const isSmall = around.size < 0.85 * around.outer;
  const inner: MathContext = { ...context, style: isSmall ? 'script' : 'text' };
  const [top, bottom] = grid.rows.map((row) => parseItems(row.flat(), [], inner).latex);
  const name =
    context.style === 'display'
      ? isSmall
        ? 'tbinom'
        : 'binom'
      : context.style === 'text' && !isSmall
        ? 'dbinom'
        : 'binom';
  return `\\${name}{${top}}{${bottom}}`;
}

function aligned(grid: Grid, context: MathContext): string {
  const x = grid.relationAt as number;
  const cell: MathContext = { ...context, style: 'display' };
  const rows = grid.rows.map((row) => {
    const items = row.flat().sort((a, b) => a.start - b.start);
    const left = items.filter((i) => i.start < x - 1);
    const right = items.filter((i) => i.start >= x - 1);
    return `${parseItems(left, [], cell).latex} &${parseItems(right, [], cell).latex}`;
  });
  return `\\begin{aligned} ${rows.join(' \\\\ ')} \\end{aligned}`;
}

/** Rows without delimiters: stacked limits in scripts, a gathered block elsewhere. */
export function writeStack(rows: Item[][], context: MathContext): string {
  const isScript = context.style === 'script' || context.style === 'scriptscript';
  if (isScript) return `\\substack{${rows.map((row) => parseItems(row, [], context).latex).join(' \\\\ ')}}`;
  const grid = classifyGrid(rows, []);
  if (grid.relationAt !== null) return aligned(grid, context);
  if (grid.columnCount > 1) {
    const body = grid.rows
      .map((row) => row.map((c) => parseItems(c, [], { ...context, style: 'text' }).latex).join(' & '))
      .join(' \\\\ ');
    return `\\begin{array}{${grid.alignment.join('')}} ${body} \\end{array}`;
  }
  return `\\begin{gathered} ${rows.map((row) => parseItems(row, [], context).latex).join(' \\\\ ')} \\end{gathered}`;
}
