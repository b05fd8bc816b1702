/** Columns on a part of a page alone: multicols, and minipages beside each other. */
import type { Box, Glyph } from '../model.ts';

interface Segment extends Box {
  glyphs: Glyph[];
  baseline: number;
}

export interface Band {
  y0: number;
  y1: number;
  /** Where the second column begins. */
  x: number;
}

/** Least lines of either column. */
const leastLines = 4;

/**
 * Bands of two columns of paragraphs, top to bottom. TeX sets their lines to one width, so most begin at one x and end
 * at another, which cells of a table do not.
 */
export function findBands(segments: readonly Segment[]): Band[] {
  const left = Math.min(...segments.map((s) => s.x0));
  const width = Math.max(...segments.map((s) => s.x1)) - left;
  const isLine = (s: Segment) => s.x1 - s.x0 > 0.25 * width && s.x1 - s.x0 < 0.6 * width;
  const isRight = (s: Segment) => isLine(s) && s.x0 > left + 0.4 * width && s.x0 < left + 0.65 * width;
  const starts = segments.filter(isRight).sort((a, b) => a.baseline - b.baseline);
  const bands: Band[] = [];
  for (const [i, first] of starts.entries()) {
    if (bands.some((band) => first.baseline <= band.y1)) continue;
    // the first line of a paragraph may be indented
    const x = Math.min(...starts.slice(i, i + leastLines).map((s) => s.x0)) - 1;
    const size = first.glyphs[0]?.size ?? 10;
    // down to the first line across both, or a gap
    let y1 = first.baseline;
    for (const s of segments.filter((o) => o.baseline > y1).sort((a, b) => a.baseline - b.baseline)) {
      if ((s.x0 < x && s.x1 > x) || s.baseline - y1 > 2.5 * size) break;
      y1 = s.baseline;
    }
    const inside = segments.filter((s) => s.baseline >= first.baseline - 0.5 * size && s.baseline <= y1);
    const columns = [inside.filter((s) => s.x1 < x), inside.filter((s) => s.x0 > x)];
    if (columns.every((column) => isParagraphs(column.filter(isLine))))
      bands.push({ y0: Math.min(...inside.map((s) => s.baseline)) - size, y1: y1 + 0.3 * size, x });
  }
  return bands;
}

function isParagraphs(lines: readonly Segment[]): boolean {
  const most = (at: (s: Segment) => number) =>
    Math.max(0, ...lines.map((s) => lines.filter((o) => Math.abs(at(o) - at(s)) < 1).length));
  const least = Math.max(leastLines, 0.6 * lines.length);
  return most((s) => s.x0) >= least && most((s) => s.x1) >= least && lines.every(isProse);
}

function isProse({ glyphs }: Segment): boolean {
  return glyphs.filter((g) => g.font.family === 'none' && /\p{L}/u.test(g.text)).length > 0.5 * glyphs.length;
}
