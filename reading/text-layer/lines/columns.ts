/** Reading order: where a page has two columns, and which lines span both. */
import { areSame, type Box, boundsOf, type Glyph, type PageModel } from '../model.ts';
import { findBands } from './side-by-side.ts';

/** A part of the page that is read top to bottom before the next. */
export interface Region {
  box: Box;
  glyphs: Glyph[];
  /** 0 for a part over the whole width, 1 and 2 for columns. */
  column: 0 | 1 | 2;
}

interface Segment extends Box {
  glyphs: Glyph[];
  baseline: number;
}

/** Space between two columns, in ems: some classes leave less than 1.5. */
const gutterGap = 0.85;

/** A heading may stand beside text in the other column: the space between them is the text's. Scripts are not counted. */
function gapSize(left: Glyph, right: Glyph): number {
  const areWords = [left, right].every((g) => g.font.family === 'none' && /[\p{L}\d.,]/u.test(g.text));
  return areWords ? Math.min(left.size, right.size) : right.size;
}

/** Runs of glyphs on one baseline without a gap of more than `widest` ems. */
export function segmentsOf(glyphs: readonly Glyph[], widest = 1.3): Segment[] {
  const rows = new Map<number, Glyph[]>();
  for (const glyph of glyphs) {
    const key = Math.round(glyph.baseline);
    const row = rows.get(key);
    if (row) row.push(glyph);
    else rows.set(key, [glyph]);
  }
  const segments: Segment[] = [];
  for (const row of rows.values()) {
    row.sort((a, b) => a.x - b.x);
    let run: Glyph[] = [];
    let end = 0;
    for (const glyph of row) {
      const last = run.at(-1);
      if (last && glyph.x - end > widest * gapSize(last, glyph)) {
        segments.push({
          ...boundsOf(run.map((g) => g.ink)),
          glyphs: run,
          baseline: (run[0] as Glyph).baseline,
        });
        run = [];
      }
      run.push(glyph);
      end = glyph.x + glyph.width;
    }
    if (run.length > 0)
      segments.push({
        ...boundsOf(run.map((g) => g.ink)),
        glyphs: run,
        baseline: (run[0] as Glyph).baseline,
      });
  }
  return segments;
}

/** The x of a gutter between two columns of prose, or null for a page of one column. */
function findGutter(model: PageModel, glyphs: readonly Glyph[]): number | null {
  const segments = segmentsOf(glyphs, gutterGap);
  if (segments.length < 16) return null;
  const left = Math.min(...segments.map((s) => s.x0));
  const right = Math.max(...segments.map((s) => s.x1));
  const width = right - left;
  if (width < 0.4 * model.width) return null;
  let best: { x: number; crossing: number; room: number } | null = null;
  for (let x = left + 0.35 * width; x <= left + 0.65 * width; x += 1.5) {
    let crossing = 0;
    let before = left;
    let after = right;
    for (const { x0, x1 } of segments) {
      if (x0 < x && x1 > x) crossing++;
      if (x1 <= x && x - x1 < 0.1 * width) before = Math.max(before, x1);
      if (x0 >= x && x0 - x < 0.1 * width) after = Math.min(after, x0);
    }
    const room = Math.min(x - before, after - x);
    if (!best || crossing < best.crossing || (crossing === best.crossing && room > best.room))
      best = { x, crossing, room };
  }
  if (!best) return null;
  const { x, crossing } = best;
  const leftSide = segments.filter((s) => s.x1 <= x);
  const rightSide = segments.filter((s) => s.x0 >= x);
  const isProse = (side: Segment[]) => side.filter((s) => s.x1 - s.x0 > 0.28 * width).length >= 5;
  if (crossing <= 0.2 * segments.length && isProse(leftSide) && isProse(rightSide)) return x;
  const areShort = crossing <= 0.1 * segments.length && hasEdge(leftSide) && hasEdge(rightSide);
  return areShort && !isTable(leftSide, rightSide) ? x : null;
}

/** Ten or more short lines, many of which begin at the same x: a column of a list. */
function hasEdge(side: readonly Segment[]): boolean {
  const most = Math.max(0, ...side.map((s) => side.filter((o) => Math.abs(o.x0 - s.x0) < 1).length));
  return most >= 10 && most >= 0.4 * side.length;
}

/** Rows of a table have their cells on one baseline; lines of two columns align only by chance. */
function isTable(left: readonly Segment[], right: readonly Segment[]): boolean {
  const paired = left.filter((s) => right.some((o) => Math.abs(o.baseline - s.baseline) < 1)).length;
  return paired > 0.85 * Math.min(left.length, right.length);
}

/** What was found for a page, by the glyphs it was asked about: often all but its head and number, more than once. */
const known = new WeakMap<PageModel, { glyphs: readonly Glyph[]; regions: Region[] }[]>();

/** The page's parts in reading order. Callers share them and leave them as they are. */
export function readingOrder(model: PageModel, glyphs: readonly Glyph[]): readonly Region[] {
  const before = known.get(model) ?? [];
  const same = before.find((one) => areSame(one.glyphs, glyphs));
  if (same) return same.regions;
  const regions = findRegions(model, glyphs);
  known.set(model, [...before, { glyphs, regions }]);
  return regions;
}

function findRegions(model: PageModel, glyphs: readonly Glyph[]): Region[] {
  const gutter = findGutter(model, glyphs);
  if (gutter === null) return splitBands(model, glyphs);
  const across = segmentsOf(glyphs, gutterGap)
    .filter((s) => s.x0 < gutter && s.x1 > gutter)
    .sort((a, b) => a.y0 - b.y0);
  const bands: { y0: number; y1: number }[] = [];
  for (const s of across) {
    const last = bands[bands.length - 1];
    const slack = 0.9 * (s.glyphs[0] as Glyph).size;
    const crosses = glyphs.some((g) => last && g.ink.y0 > last.y1 && g.ink.y1 < s.y0);
    if (last && (s.y0 - last.y1 < slack || !crosses)) last.y1 = Math.max(last.y1, s.y1);
    else bands.push({ y0: s.y0, y1: s.y1 });
  }
  const regions: Region[] = [];
  let from = 0;
  const emitColumns = (y0: number, y1: number) => {
    const inside = glyphs.filter((g) => g.baseline > y0 && g.baseline <= y1);
    const leftGlyphs = inside.filter((g) => g.x + g.width / 2 < gutter);
    const rightGlyphs = inside.filter((g) => g.x + g.width / 2 >= gutter);
    if (leftGlyphs.length > 0)
      regions.push({ box: { x0: 0, y0, x1: gutter, y1 }, glyphs: leftGlyphs, column: 1 });
    if (rightGlyphs.length > 0)
      regions.push({ box: { x0: gutter, y0, x1: model.width, y1 }, glyphs: rightGlyphs, column: 2 });
  };
  for (const band of bands) {
    const y0 = band.y0 - 0.5;
    emitColumns(from, y0);
    const inside = glyphs.filter((g) => g.baseline > y0 && g.baseline <= band.y1 + 0.5);
    if (inside.length > 0)
      regions.push({ box: { x0: 0, y0, x1: model.width, y1: band.y1 + 0.5 }, glyphs: inside, column: 0 });
    from = band.y1 + 0.5;
  }
  emitColumns(from, model.height);
  return regions;
}

/** A page of one column, which parts of it may leave for two. */
function splitBands(model: PageModel, glyphs: readonly Glyph[]): Region[] {
  const regions: Region[] = [];
  const add = (column: Region['column'], box: Box, own: Glyph[]) => {
    regions.push({ box, glyphs: own, column });
  };
  let from = 0;
  // multicols leaves 10 pt, whatever the text's size
  const bands = findBands(segmentsOf(glyphs, 0.7));
  for (const { y0, y1, x } of bands) {
    const inside = glyphs.filter((g) => g.baseline > y0 && g.baseline <= y1);
    const above = glyphs.filter((g) => g.baseline > from && g.baseline <= y0);
    if (above.length > 0) add(0, { x0: 0, y0: from, x1: model.width, y1: y0 }, above);
    add(
      1,
      { x0: 0, y0, x1: x, y1 },
      inside.filter((g) => g.x + g.width / 2 < x),
    );
    add(
      2,
      { x0: x, y0, x1: model.width, y1 },
      inside.filter((g) => g.x + g.width / 2 >= x),
    );
    from = y1;
  }
  const rest = bands.length > 0 ? glyphs.filter((g) => g.baseline > from) : [...glyphs];
  if (rest.length > 0 || bands.length === 0)
    add(0, { x0: 0, y0: from, x1: model.width, y1: model.height }, rest);
  return regions;
}
