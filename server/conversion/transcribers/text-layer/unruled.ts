/** Tables with one rule or none: lines that share their columns. */
import { findLines, type Line } from './lines.ts';
import { type Box, boundsOf, type Glyph, type PageModel, type Rule } from './model.ts';
import type { ReadState } from './state.ts';
import { gapCuts, writeTable } from './tables.ts';

export interface UnruledTable {
  box: Box;
  latex: string;
  glyphs: Glyph[];
  rules: Rule[];
}

/** A table around a single rule: lines above and below it that keep within its ends and share columns. */
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
    const latex = writeTable(
      { box, horizontals: [rule], verticals: [], glyphs: own, isFrame: false },
      { ...state.inline, bodySize: size },
    );
    if (!latex) continue;
    for (const g of own) used.add(g);
    out.push({ box, latex, glyphs: own, rules: [rule] });
  }
  return out;
}
