/** Tables without rules above and below: lines that share their columns, or rows between vertical rules. */

import { findLabel } from '../blocks/lists.ts';
import { readingOrder } from '../lines/columns.ts';
import { findLines, type Line, linesOf } from '../lines/lines.ts';
import { type Box, boundsOf, type Glyph, type PageModel, type Rule } from '../model.ts';
import type { ReadState } from '../state.ts';
import { chunksOf, gapCuts, writeCell, writeTable } from './tables.ts';

export interface UnruledTable {
  box: Box;
  latex: string;
  glyphs: Glyph[];
  rules: Rule[];
}

/** A table around a single rule: lines above and below it that stay within its ends and share columns. */
export function findUnruledTables(
  glyphs: readonly Glyph[],
  rules: readonly Rule[],
  model: PageModel,
  state: ReadState,
): UnruledTable[] {
  const out: UnruledTable[] = [];
  const used = new Set<Glyph>();
  const size = state.bodySize;
  for (const rule of rules.filter(
    (r) => r.horizontal && r.x1 - r.x0 > 4 * size && r.x1 - r.x0 < 0.8 * model.width,
  )) {
    const near = glyphs.filter(
      (g) =>
        !used.has(g) &&
        g.x > rule.x0 - 1 &&
        g.x + g.width < rule.x1 + 1 &&
        Math.abs(g.baseline - rule.y0) < 30 * size,
    );
    const lines = findLines(near, [], size);
    const isWithin = (l: Line) =>
      !glyphs.some(
        (g) =>
          Math.abs(g.baseline - l.baseline) < 0.5 &&
          ((g.ink.x1 < rule.x0 && g.ink.x1 > rule.x0 - 3 * size) ||
            (g.ink.x0 > rule.x1 && g.ink.x0 < rule.x1 + 3 * size)),
      );
    const above = lines.filter((l) => l.baseline <= rule.y0 + 1).reverse();
    const below = lines.filter((l) => l.baseline > rule.y0 + 1);
    const rows: Line[] = [];
    const take = (list: Line[], start: number, sign: number) => {
      let last = start;
      for (const l of list) {
        if (Math.abs(l.baseline - last) > 1.9 * size || !isWithin(l)) break;
        rows.push(l);
        last = l.baseline;
      }
      void sign;
    };
    take(above.slice(0, 2), rule.y0, -1);
    if (rows.length === 0) continue;
    take(below, rule.y0, 1);
    rows.sort((a, b) => a.baseline - b.baseline);
    const own = rows.flatMap((l) => l.glyphs);
    if (rows.length < 3 || gapCuts(rows, size).length === 0) continue;
    const box = boundsOf([rule, ...own.map((g) => g.ink)]);
    const latex = writeTable({ box, horizontals: [rule], verticals: [], glyphs: own, isFrame: false }, state);
    if (!latex) continue;
    for (const g of own) used.add(g);
    out.push({ box, latex, glyphs: own, rules: [rule] });
  }
  return out;
}

/** Rows between vertical rules without horizontal ones: the rules of one row touch those of the next. */
export function findVerticalTables(
  glyphs: readonly Glyph[],
  rules: readonly Rule[],
  state: ReadState,
): UnruledTable[] {
  const size = state.bodySize;
  const verticals = rules
    .filter((r) => !r.horizontal && r.y1 - r.y0 > 0.8 * size)
    .sort((a, b) => a.y0 - b.y0);
  const groups: Rule[][] = [];
  for (const rule of verticals) {
    const group = groups.find((g) => {
      const box = boundsOf(g);
      return rule.y0 < box.y1 + 1.5 && rule.y1 > box.y0 - 1.5;
    });
    if (group) group.push(rule);
    else groups.push([rule]);
  }
  const out: UnruledTable[] = [];
  for (const group of groups) {
    const places = new Set(group.map((r) => Math.round(r.x0 / 3)));
    if (places.size < 3) continue;
    const rulesBox = boundsOf(group);
    const own = glyphs.filter(
      (g) =>
        g.baseline > rulesBox.y0 &&
        g.baseline < rulesBox.y1 + 0.1 &&
        g.x > rulesBox.x0 - 1 &&
        g.x + g.width < rulesBox.x1 + 1,
    );
    if (own.length === 0 || findLines(own, [], size).length < 2) continue;
    const latex = writeTable(
      { box: rulesBox, horizontals: [], verticals: group, glyphs: own, isFrame: false },
      state,
    );
    if (latex) out.push({ box: rulesBox, latex, glyphs: own, rules: group });
  }
  return out;
}

/** Space between two columns, in ems; between words it is at most a third of this. */
const columnGap = 1.1;

/** Tables without any rules: three lines or more (two of three columns) whose parts begin or end at the same places. */
export function findColumnTables(
  glyphs: readonly Glyph[],
  model: PageModel,
  state: ReadState,
): UnruledTable[] {
  const out: UnruledTable[] = [];
  for (const region of readingOrder(model, glyphs)) {
    const lines = linesOf(region, [], state.bodySize);
    for (let i = 0; i < lines.length; i++) {
      if (!isColumnar(lines[i] as Line, state)) continue;
      const block = growBlock(lines, i, state);
      const table = readColumns(block, state);
      if (!table) continue;
      out.push(table);
      i += block.length - 1;
    }
  }
  return out;
}

function isColumnar(line: Line, state: ReadState): boolean {
  const words = line.glyphs.filter((g) => g.font.family === 'none' && g.size > 0.85 * line.size);
  const mono = line.glyphs.filter((g) => g.font.mono).length;
  const dots = line.glyphs.filter((g) => g.text === '.').length;
  const isPlain =
    line.size < 1.12 * state.bodySize &&
    line.y1 - line.y0 < 2 * line.size &&
    words.length > 0.6 * line.glyphs.length &&
    mono < 0.7 * line.glyphs.length &&
    dots < 6;
  if (!isPlain) return false;
  const chunks = chunksOf(line, line.size, columnGap);
  return (
    chunks.length > 1 &&
    findLabel(line) === null &&
    !isContentsEntry(chunks.map((c) => c.glyphs.map((g) => g.text).join(''))) &&
    !isEquation(chunks[0]?.glyphs ?? [])
  );
}

/** A section's number, title and page. */
function isContentsEntry(texts: readonly string[]): boolean {
  const isNumbered =
    /^(?:\d+|[A-Z])(?:\.\d+)*\.?(?:\p{L}|$)/u.test(texts[0] ?? '') && /\p{L}{2}/u.test(texts.join(''));
  return isNumbered && texts.length <= 3 && /^\d{1,3}$/.test(texts.at(-1) ?? '');
}

/** A row of an align with a remark next to it. */
function isEquation(glyphs: readonly Glyph[]): boolean {
  const letters = glyphs.filter((g) => /^\p{L}+$/u.test(g.text));
  const words = letters.filter((g) => g.font.family === 'none' && !g.font.italic);
  return glyphs.some((g) => /^[=<>≤≥≈]$/.test(g.text)) && words.length < 0.5 * letters.length;
}

/** The lines from `from` on that are rows, or continue the later columns of the row above. */
function growBlock(lines: readonly Line[], from: number, state: ReadState): Line[] {
  const first = lines[from] as Line;
  const block = [first];
  for (let i = from + 1; i < lines.length; i++) {
    const line = lines[i] as Line;
    const last = block[block.length - 1] as Line;
    if (line.baseline - last.baseline > 2.2 * line.size || Math.abs(line.size - first.size) > 0.5) break;
    const second = chunksOf(first, first.size, columnGap)[1];
    const goesOn = second !== undefined && line.x0 > second.x0 - 0.5 * line.size;
    if (!isColumnar(line, state) && !goesOn) break;
    block.push(line);
  }
  return block;
}

function readColumns(block: readonly Line[], state: ReadState): UnruledTable | null {
  const size = (block[0] as Line).size;
  const heads = block.filter((l) => isColumnar(l, state));
  const cuts = gapCuts(heads, size);
  const first = cuts[0];
  if (first === undefined || heads.length < (cuts.length > 1 ? 2 : 3)) return null;
  if (!cuts.every((cut, k) => isAligned(heads, cut, cuts[k + 1] ?? Number.POSITIVE_INFINITY))) return null;
  const glyphs = block.flatMap((l) => l.glyphs);
  const box = boundsOf(glyphs.map((g) => g.ink));
  const rows: Line[][] = [];
  for (const line of block) {
    const last = rows[rows.length - 1];
    if (last && line.x0 > first) last.push(line);
    else rows.push([line]);
  }
  const latex = rows.some((row) => row.length > 1)
    ? writeWrapped(rows, cuts, box, state)
    : writeTable({ box, horizontals: [], verticals: [], glyphs, isFrame: false }, state);
  return latex ? { box, latex, glyphs, rules: [] } : null;
}

/** What is between two cuts begins, ends or is centred at the same x in most lines. */
function isAligned(lines: readonly Line[], from: number, to: number): boolean {
  const boxes = lines.flatMap((l) => {
    const own = l.glyphs.filter((g) => g.x >= from && g.x < to);
    return own.length > 0 ? [boundsOf(own.map((g) => ({ ...g.ink, x0: g.x, x1: g.x + g.width })))] : [];
  });
  const agrees = (place: (box: Box) => number) => {
    const places = boxes.map(place);
    return Math.max(...places.map((p) => places.filter((q) => Math.abs(p - q) < 1).length));
  };
  const most = Math.max(
    agrees((b) => b.x0),
    agrees((b) => b.x1),
    agrees((b) => (b.x0 + b.x1) / 2),
  );
  return boxes.length >= 2 && most >= 0.7 * boxes.length;
}

/** Cells with several lines become columns with a width. */
function writeWrapped(rows: readonly Line[][], cuts: readonly number[], box: Box, state: ReadState): string {
  const starts = [box.x0, ...cuts];
  const cellOf = (line: Line, k: number) =>
    line.glyphs.filter(
      (g) => (k === 0 || g.x >= (starts[k] as number)) && g.x < (starts[k + 1] ?? Number.POSITIVE_INFINITY),
    );
  const isWrapped = starts.map((_, k) =>
    rows.some((row) => row.filter((line) => cellOf(line, k).length > 0).length > 1),
  );
  const spec = starts
    .map((x, k) => {
      const share = ((starts[k + 1] ?? box.x1) - x) / (box.x1 - box.x0);
      return isWrapped[k] ? `p{${(0.94 * share).toFixed(2)}\\linewidth}` : 'l';
    })
    .join('');
  const body = rows.map((row) =>
    starts
      .map((_, k) => {
        const parts = row.flatMap((line) => {
          const own = cellOf(line, k);
          return own.length > 0 ? [writeCell(own, line, state.inline)] : [];
        });
        return parts.join(' ');
      })
      .join(' & '),
  );
  return `\\begin{tabular}{${spec}}\n${body.map((row) => `  ${row} \\\\`).join('\n')}\n\\end{tabular}`;
}
