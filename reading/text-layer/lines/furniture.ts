/** Page numbers and running heads, dropped from the body. */

import type { Glyph, PageModel, Rule } from '../model.ts';
import { segmentsOf } from './columns.ts';

interface EdgeRow {
  key: string;
  y: number;
  glyphs: Glyph[];
}

const known = new WeakMap<PageModel, readonly EdgeRow[]>();

/** Text of the outermost rows of a page with digits folded, to find what repeats on several pages. */
export function edgeRows(model: PageModel): readonly EdgeRow[] {
  const rows = known.get(model) ?? findEdgeRows(model);
  known.set(model, rows);
  return rows;
}

function findEdgeRows(model: PageModel): EdgeRow[] {
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
      .replace(/\d+/g, '#')
      // the number of a left page stands first, that of a right page last
      .replace(/^#(.+)$/, '$1#')}@${Math.round(y / 4)}`,
  }));
}

export const pageNumber =
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
    // raised beside words, it is the mark of a note
    const isMark = /^\d+$/.test(text) && !nothingNear(model, row.y, row.glyphs, 0.8);
    const isRepeated = isFarOut && repeated.has(row.key) && !isMark;
    const isHead =
      isTop && row.y === top && isRunningHead(row.glyphs) && nothingNear(model, row.y, row.glyphs, 1.25);
    const isAlone = isNumber && nothingNear(model, row.y, row.glyphs, isFarOut ? 1.2 : 1.9);
    if (!isAlone && !isRepeated && !isRuled && !isHead) continue;
    for (const g of row.glyphs) glyphs.add(g);
    if (rule) rules.add(rule);
  }
  return { glyphs, rules };
}

/** A page's number at one end of a row, far from words that do not make a sentence: 2  A. AUTHOR, or 1.2 Bases  17. */
function isRunningHead(glyphs: readonly Glyph[]): boolean {
  const sorted = [...glyphs].sort((a, b) => a.x - b.x);
  const parts: Glyph[][] = [];
  for (const g of sorted) {
    const last = parts.at(-1)?.at(-1);
    if (last && g.x - last.x - last.width < 1.6 * g.size) parts.at(-1)?.push(g);
    else parts.push([g]);
  }
  return (
    sorted.every((g) => g.font.family === 'none') &&
    isHeadRow(parts.map((part) => part.map((g) => g.text).join('')))
  );
}

/** @param texts of a row, parted where it has wide spaces */
export function isHeadRow(texts: readonly string[]): boolean {
  const isNumber = (text: string | undefined) => /^(\d{1,4}|[ivxlc]{1,7})$/.test(text ?? '');
  if (texts.length < 2 || texts.length > 3 || isNumber(texts[0]) === isNumber(texts.at(-1))) return false;
  const words = isNumber(texts[0]) ? texts.slice(1) : texts.slice(0, -1);
  return words.every((w) => /\p{L}{2}/u.test(w) && !/[.,;:]$/.test(w));
}

/** A page number is separated from the text (by `room` ems); the first row of a matrix at the top of a page is not. */
function nothingNear(model: PageModel, y: number, own: readonly Glyph[], room: number): boolean {
  const size = own[0]?.size ?? 10;
  return !model.glyphs.some((g) => !own.includes(g) && Math.abs(g.baseline - y) < room * size);
}
