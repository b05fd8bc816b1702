/** Writes a region of the page as tabular: columns follow from its rules or from gaps that its lines share. */

import { markDoubt } from '../doubt.ts';
import { type InlineOptions, readLine } from '../lines/inline.ts';
import { findLines, type Line } from '../lines/lines.ts';
import { joinLines, type Span, writeSpans } from '../lines/spans.ts';
import { type Box, boundsOf, centreX, type Glyph, type Rule } from '../model.ts';
import type { ReadState } from '../state.ts';
import type { TableRegion } from './ruled-regions.ts';
import { groupRows, type Row, type RowCell } from './wrapped-cells.ts';

export interface Cell {
  glyphs: Glyph[];
  x0: number;
  x1: number;
}

/** The tabular of a region; null if its lines show no columns. */
export function writeTable(region: TableRegion, state: ReadState): string | null {
  const size = state.bodySize;
  const barRules = region.horizontals.filter((r) => r.x1 - r.x0 < 0.9 * (region.box.x1 - region.box.x0));
  const lines = findLines(region.glyphs, barRules, size);
  if (lines.length === 0) return null;
  const inner = region.verticals.map((v) => (v.x0 + v.x1) / 2);
  const cutsByRule = unique(inner.filter((x) => x > region.box.x0 + 2 && x < region.box.x1 - 2));
  const cuts = cutsByRule.length > 0 ? cutsByRule : gapCuts(lines, size, barRules);
  if (cuts.length === 0) return null;
  const columnCount = cuts.length + 1;
  const edges = [region.box.x0, ...cuts, region.box.x1];
  const rows = lines.map((line) => cellsOf(line, cuts, region.verticals, size));
  const groups = groupRows(
    lines.map((line, i) => ({ line, cells: rows[i] as Row['cells'] })),
    region.horizontals,
    size,
  );
  const alignment = Array.from({ length: columnCount }, (_, k) => {
    const isWrapped = groups.some(([, ...more]) => more.some(({ cells }) => cells[k]));
    const own = rows.map((r) => r[k]).filter((c): c is RowCell => c !== undefined && c.span === 1);
    return isWrapped
      ? fixedWidth(own)
      : columnAlignment(own, edges[k] as number, edges[k + 1] as number, cutsByRule.length > 0);
  });
  const hasLeft = inner.some((x) => x < region.box.x0 + 2);
  const hasRight = inner.some((x) => x > region.box.x1 - 2);
  const bars = cutsByRule.length > 0;
  const spec = `${hasLeft ? '|' : ''}${alignment.join(bars ? '|' : '')}${hasRight ? '|' : ''}`;
  const isBooktabs = !bars && region.verticals.length === 0;
  const full = region.horizontals.filter((r) => r.x1 - r.x0 > 0.97 * (region.box.x1 - region.box.x0));
  const thick = Math.max(...full.map((r) => r.y1 - r.y0));
  const thin = Math.min(...full.map((r) => r.y1 - r.y0));
  const usesBooktabs = isBooktabs && (thick > 1.25 * thin || thick > 0.7 || hasAir(full, lines, size));
  const ruleName = (index: number) => {
    if (!usesBooktabs) return '\\hline';
    return index === 0 ? '\\toprule' : index === full.length - 1 ? '\\bottomrule' : '\\midrule';
  };
  if (usesBooktabs) state.packages.add('booktabs');
  const partial = region.horizontals.filter(
    (r) => !full.includes(r) && r.x1 - r.x0 > 2 * size && !isFormulaBar(r, region.glyphs, size),
  );
  const out: string[] = [];
  let ruleIndex = 0;
  const flushRules = (y: number) => {
    while (ruleIndex < full.length && (full[ruleIndex] as Rule).y0 < y) {
      out.push(`  ${ruleName(ruleIndex)}`);
      ruleIndex += 1;
    }
    for (let i = partial.length - 1; i >= 0; i--) {
      const rule = partial[i] as Rule;
      if (rule.y0 > y) continue;
      const from = columnAt(rule.x0 + 1, cuts) + 1;
      const to = columnAt(rule.x1 - 1, cuts) + 1;
      out.push(`  \\c${usesBooktabs ? 'mid' : ''}${usesBooktabs ? 'rule' : 'line'}{${from}-${to}}`);
      partial.splice(i, 1);
    }
  };
  for (const group of groups) {
    flushRules((group[0] as Row).line.baseline);
    out.push(`  ${writeRow(group, columnCount, alignment, state, bars, hasLeft, hasRight)} \\\\`);
  }
  flushRules(Number.POSITIVE_INFINITY);
  return `\\begin{tabular}{${spec}}\n${out.join('\n')}\n\\end{tabular}`;
}

function isFormulaBar(rule: Rule, glyphs: readonly Glyph[], size: number): boolean {
  const inside = glyphs.filter(
    (g) =>
      centreX(g.ink) > rule.x0 &&
      centreX(g.ink) < rule.x1 &&
      g.ink.y1 > rule.y0 - 0.9 * size &&
      g.ink.y0 < rule.y1 + 0.9 * size,
  );
  const radical = glyphs.some((g) => g.text === '√' && Math.abs(g.ink.x1 - rule.x0) < 0.3 * g.size);
  const above = inside.filter((g) => rule.y0 - g.ink.y1 > -1);
  const below = inside.filter((g) => g.ink.y0 - rule.y1 > -1);
  // a fraction's bar is as wide as its wider part; a table's rule is wider than its columns
  const widest = Math.max(0, ...[above, below].map((part) => widthOf(part)));
  return (
    radical ||
    (above.some((g) => rule.y0 - g.ink.y1 < 0.5 * size) &&
      below.some((g) => g.ink.y0 - rule.y1 < 0.5 * size) &&
      widest > rule.x1 - rule.x0 - 0.5 * size &&
      inside.every((g) => g.font.family !== 'none' || /[\d()=+]/.test(g.text)))
  );
}

function widthOf(glyphs: readonly Glyph[]): number {
  if (glyphs.length === 0) return 0;
  const box = boundsOf(glyphs.map((g) => g.ink));
  return box.x1 - box.x0;
}

/** booktabs leaves visible space around its rules; \hline does not. */
function hasAir(rules: readonly Rule[], lines: readonly Line[], size: number): boolean {
  const gaps = rules.map((r) =>
    Math.min(...lines.map((l) => Math.abs(l.baseline - 0.7 * l.size - r.y1)).concat(99)),
  );
  return gaps.length > 0 && gaps.filter((g) => g > 0.32 * size && g < 2 * size).length > gaps.length / 2;
}

function unique(values: number[]): number[] {
  const out: number[] = [];
  for (const v of [...values].sort((a, b) => a - b))
    if (out.length === 0 || v - (out[out.length - 1] as number) > 2) out.push(v);
  return out;
}

/** The head of several columns, which a rule below it joins. */
function isSpanning(chunk: Cell, line: Line, rules: readonly Rule[], size: number): boolean {
  return rules.some(
    (r) =>
      r.y0 > line.baseline &&
      r.y0 < line.baseline + 1.2 * size &&
      r.x0 < chunk.x0 + 1 &&
      r.x1 > chunk.x1 - 1 &&
      r.x1 - r.x0 > chunk.x1 - chunk.x0 + size,
  );
}

/** Cuts where almost no line prints anything for the width of a column gap. */
export function gapCuts(lines: readonly Line[], size: number, rules: readonly Rule[] = []): number[] {
  const spans = lines.map((l) => chunksOf(l, size).filter((chunk) => !isSpanning(chunk, l, rules, size)));
  const edges = spans.flat();
  if (edges.length === 0) return [];
  const left = Math.min(...edges.map((e) => e.x0));
  const right = Math.max(...edges.map((e) => e.x1));
  const cuts: number[] = [];
  let start: number | null = null;
  const allowed = Math.floor(lines.length * 0.15);
  for (let x = left; x <= right; x += 0.5) {
    const covered = spans.filter((row) => row.some((c) => c.x0 < x && c.x1 > x)).length;
    if (covered <= allowed) start ??= x;
    else if (start !== null) {
      if (x - start > 0.6 * size) cuts.push((start + x) / 2);
      start = null;
    }
  }
  // a cut needs text on both sides in at least half of the lines; otherwise it is the space next to a short cell
  return cuts.filter(
    (c) =>
      spans.filter((row) => row.some((k) => k.x1 <= c) && row.some((k) => k.x0 >= c)).length >=
      Math.max(2, lines.length * 0.4),
  );
}

/** Runs of a line's glyphs without a gap of `widest` ems. */
export function chunksOf(line: Line, size: number, widest = 0.62): Cell[] {
  const chunks: Cell[] = [];
  for (const g of [...line.glyphs].sort((a, b) => a.x - b.x)) {
    const last = chunks[chunks.length - 1];
    if (last && Math.min(g.x, g.ink.x0) - last.x1 < widest * size) {
      last.glyphs.push(g);
      last.x1 = Math.max(last.x1, g.x + g.width, g.ink.x1);
    } else chunks.push({ glyphs: [g], x0: Math.min(g.x, g.ink.x0), x1: Math.max(g.x + g.width, g.ink.x1) });
  }
  return chunks;
}

/** TeX aligns advances, not ink. */
function advanceBox(g: Glyph): Box {
  return { ...g.ink, x0: g.x, x1: g.x + g.width };
}

function columnAt(x: number, cuts: readonly number[]): number {
  return cuts.filter((c) => c < x).length;
}

function cellsOf(
  line: Line,
  cuts: readonly number[],
  verticals: readonly Rule[],
  size: number,
): (RowCell | undefined)[] {
  const cells: (RowCell | undefined)[] = Array.from({ length: cuts.length + 1 });
  for (const chunk of chunksOf(line, size)) {
    // a run across a cut, without a vertical rule at this line, spans several columns
    const closed = cuts.filter(
      (c) =>
        c > chunk.x0 &&
        c < chunk.x1 &&
        !verticals.some(
          (v) =>
            Math.abs((v.x0 + v.x1) / 2 - c) < 2 && v.y0 < line.baseline && v.y1 > line.baseline - 0.5 * size,
        ),
    );
    const from = columnAt(chunk.x0 + 0.5, cuts);
    const to = closed.length > 0 ? columnAt(chunk.x1 - 0.5, cuts) : from;
    const pieces =
      closed.length > 0 || columnAt(chunk.x1 - 0.5, cuts) === from
        ? [{ glyphs: chunk.glyphs, from, span: to - from + 1, isGuess: false }]
        : splitChunk(chunk, cuts).map((piece) => ({ ...piece, isGuess: true }));
    for (const piece of pieces) {
      const at = cells[piece.from];
      if (at) {
        at.glyphs.push(...piece.glyphs);
        at.isGuess ||= piece.isGuess;
      } else {
        const { span, isGuess } = piece;
        const box = boundsOf(piece.glyphs.map(advanceBox));
        cells[piece.from] = { glyphs: [...piece.glyphs], span, isGuess, x0: box.x0, x1: box.x1 };
      }
    }
  }
  for (const cell of cells) {
    if (!cell) continue;
    const box = boundsOf(cell.glyphs.map(advanceBox));
    cell.x0 = box.x0;
    cell.x1 = box.x1;
  }
  if (verticals.length > 0) widenByRules(cells, line, cuts, verticals, size);
  return cells;
}

/** in a table with vertical rules, a missing rule at this line means that the two cells are one */
function widenByRules(
  cells: (RowCell | undefined)[],
  line: Line,
  cuts: readonly number[],
  verticals: readonly Rule[],
  size: number,
): void {
  const isOpen = (c: number) =>
    !verticals.some(
      (v) => Math.abs((v.x0 + v.x1) / 2 - c) < 2 && v.y0 < line.baseline && v.y1 > line.baseline - 0.5 * size,
    );
  for (let k = 0; k < cells.length; k++) {
    let last = k;
    while (last < cuts.length && isOpen(cuts[last] as number)) last++;
    if (last === k) continue;
    const glyphs = cells.slice(k, last + 1).flatMap((c) => c?.glyphs ?? []);
    if (glyphs.length > 0) {
      const box = boundsOf(glyphs.map(advanceBox));
      cells[k] = { glyphs, span: last - k + 1, x0: box.x0, x1: box.x1 };
      for (let j = k + 1; j <= last; j++) cells[j] = undefined;
    }
    k = last;
  }
}

function splitChunk(chunk: Cell, cuts: readonly number[]): { glyphs: Glyph[]; from: number; span: number }[] {
  const groups = new Map<number, Glyph[]>();
  for (const g of chunk.glyphs) {
    const k = columnAt(centreX(g.ink), cuts);
    const group = groups.get(k);
    if (group) group.push(g);
    else groups.set(k, [g]);
  }
  return [...groups].map(([from, glyphs]) => ({ glyphs, from, span: 1 }));
}

function columnAlignment(cells: readonly RowCell[], left: number, right: number, hasEdges: boolean): string {
  if (cells.length === 0) return 'l';
  const spread = (v: number[]) => Math.max(...v) - Math.min(...v);
  const lefts = spread(cells.map((c) => c.x0));
  const rights = spread(cells.map((c) => c.x1));
  const centres = spread(cells.map((c) => (c.x0 + c.x1) / 2));
  const best = Math.min(lefts, rights, centres);
  if (best === lefts && lefts < rights - 0.12 && lefts < centres - 0.06) return 'l';
  if (best === rights && rights < lefts - 0.12 && rights < centres - 0.06) return 'r';
  if (best === centres && centres < lefts - 0.12) return 'c';
  if (!hasEdges) return 'l';
  const cell = cells[0] as RowCell;
  const a = cell.x0 - left;
  const b = right - cell.x1;
  return Math.abs(a - b) < 2 ? 'c' : a < b ? 'l' : 'r';
}

/** The column specification of cells that wrap. */
function fixedWidth(cells: readonly RowCell[]): string {
  const width = Math.max(...cells.map((c) => c.x1)) - Math.min(...cells.map((c) => c.x0));
  return `p{${(Math.ceil((10 * width) / 28.45) / 10).toFixed(1)}cm}`;
}

function writeRow(
  rows: readonly Row[],
  count: number,
  alignment: readonly string[],
  state: ReadState,
  bars: boolean,
  hasLeft: boolean,
  hasRight: boolean,
): string {
  const out: string[] = [];
  const [{ cells, line }] = rows as [Row];
  for (let k = 0; k < count; ) {
    const cell = cells[k];
    if (!cell) {
      out.push('');
      k += 1;
      continue;
    }
    const parts = rows.flatMap((row) => {
      const own = row.cells[k];
      return own ? [readCell(own.glyphs, row.line, state.inline)] : [];
    });
    const written = writeSpans(joinLines(parts, state.knows)).trim();
    const latex = cell.isGuess ? markDoubt(written, 'cell') : written;
    if (cell.span > 1) {
      const centre = alignment[k + cell.span - 1] ?? 'c';
      const spec = bars
        ? `${k === 0 && hasLeft ? '|' : ''}${spanAlignment(cell, line, centre)}${k + cell.span < count || hasRight ? '|' : ''}`
        : spanAlignment(cell, line, 'c');
      out.push(`\\multicolumn{${cell.span}}{${spec}}{${latex}}`);
    } else out.push(latex);
    k += cell.span;
  }
  return out.join(' & ').replace(/ {2,}/g, ' ');
}

function spanAlignment(cell: RowCell, line: Line, fallback: string): string {
  void line;
  void cell;
  return fallback === 'l' ? 'l' : fallback;
}

export function writeCell(glyphs: readonly Glyph[], line: Line, options: InlineOptions): string {
  return writeSpans(readCell(glyphs, line, options)).trim();
}

function readCell(glyphs: readonly Glyph[], line: Line, options: InlineOptions): Span[] {
  const sorted = [...glyphs].sort((a, b) => a.x - b.x);
  const box = boundsOf(sorted.map((g) => g.ink));
  const cellLine: Line = {
    ...line,
    ...box,
    glyphs: sorted,
    rules: line.rules.filter((r) => r.x0 > box.x0 - 4 && r.x1 < box.x1 + 4),
  };
  return readLine(cellLine, options);
}
