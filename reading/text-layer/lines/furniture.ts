/** Page numbers and running heads, dropped from the body. */

import type { Glyph, PageModel, Rule } from '../model.ts';
import { segmentsOf } from './columns.ts';

/** Text of the outermost rows of a page with digits folded, to find what repeats on several pages. */
export function edgeRows(model: PageModel): { key: string; y: number; glyphs: Glyph[] }[] {
  const rows = new Map<number, Glyph[]>();
  for (const s of segmentsOf(model.glyphs)) {
    const key = Math.round(s.baseline);
    rows.set(key, [...(rows.get(key) ?? []), ...s.glyphs]);
  }
  const sorted = [...rows.entries()].sort((a, b) => a[0] - b[0]);
  const edge = [...sorted.slice(0, 2), ...sorted.slice(-2)];
  return edge.map(([y, glyphs]) => ({
    y,
    glyphs,
    key: `${glyphs
      .map((g) => g.text)
      .join('')
      .replace(/\d+/g, '#')}@${Math.round(y / 4)}`,
  }));
}

const pageNumber =
  /^[-–—([]*\s*(page|seite|p\.|s\.)?\s*(\d{1,4}|[ivxlc]{1,7})(\s*(\/|of|von|sur|de)\s*\d{1,4})?\s*[-–—)\]]*$/i;

/** Glyphs and rules that are furniture; `repeated` contains keys seen on other pages. */
export function findFurniture(
  model: PageModel,
  repeated: ReadonlySet<string>,
): { glyphs: Set<Glyph>; rules: Set<Rule> } {
  const glyphs = new Set<Glyph>();
  const rules = new Set<Rule>();
  const rows = edgeRows(model);
  const ys = rows.map((r) => r.y);
  const top = Math.min(...ys);
  const bottom = Math.max(...ys);
  for (const row of rows) {
    const text = row.glyphs.map((g) => g.text).join('');
    const isTop = row.y < 0.15 * model.height;
    const isBottom = row.y > 0.78 * model.height;
    if (!isTop && !isBottom) continue;
    const outermost = row.y === top || row.y === bottom;
    const isNumber = outermost && pageNumber.test(text);
    const isFarOut = row.y < 0.13 * model.height || row.y > 0.87 * model.height;
    const rule = isTop
      ? model.rules.find(
          (r) => r.horizontal && r.x1 - r.x0 > 0.5 * model.width && r.y0 > row.y && r.y0 < row.y + 12,
        )
      : undefined;
    const isRuled = isTop && row.y === top && rule !== undefined;
    const isRepeated = isFarOut && repeated.has(row.key);
    const isAlone = isNumber && nothingNear(model, row.y, row.glyphs, isFarOut ? 1.2 : 1.9);
    if (!isAlone && !isRepeated && !isRuled) continue;
    for (const g of row.glyphs) glyphs.add(g);
    if (rule) rules.add(rule);
  }
  return { glyphs, rules };
}

/** A page number is separated from the text (by `room` ems); the first row of a matrix at the top of a page is not. */
function nothingNear(model: PageModel, y: number, own: readonly Glyph[], room: number): boolean {
  const size = own[0]?.size ?? 10;
  return !model.glyphs.some((g) => !own.includes(g) && Math.abs(g.baseline - y) < room * size);
}
