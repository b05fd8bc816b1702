/** Boxes with text in them (tcolorbox, mdframed, nodes of TikZ): they are drawn, but their words are the document's. */
import { type Box, boundsOf, type Drawing, type Glyph, overlapX, overlapY } from '../model.ts';

/** Letters in one row of a box; labels of a drawing have fewer. */
const leastLetters = 20;
/** Letters in a row that begins at the left edge of a box, as a paragraph does. */
const leastAtEdge = 5;
/** Width of a box, as a share of the text's. */
const leastWidth = 0.4;

interface Row extends Box {
  letters: number;
  size: number;
}

/** The drawings that are boxes with text: those with paragraphs, and the titles on their edges. */
export function findTextBoxes(
  drawings: readonly Drawing[],
  glyphs: readonly Glyph[],
  textWidth: number,
): Set<Drawing> {
  const wide = drawings.filter((d) => d.isFrame && d.x1 - d.x0 > leastWidth * textWidth);
  if (wide.length === 0) return new Set();
  const rows = rowsOf(glyphs);
  const holding = new Map(wide.map((d) => [d, rows.filter((row) => contains(d, row))]));
  const boxes = new Set(wide.filter((d) => holding.get(d)?.some((row) => isOfParagraph(row, d))));
  const isTitle = (d: Drawing) =>
    !boxes.has(d) &&
    d.isFrame &&
    [...boxes].some((box) => overlapX(box, d) > 0 && overlapY(box, d) > -2) &&
    rows.some((row) => contains(d, row) && row.letters >= 3 && d.y1 - d.y0 < 2.5 * row.size);
  const titles = drawings.filter(isTitle);
  const others = drawings.filter((d) => !boxes.has(d) && !titles.includes(d));
  for (const box of boxes) {
    // an axis' legend and the words on a drawing are no paragraph
    const inner = others.filter((d) => overlapX(box, d) > 0 && overlapY(box, d) > 0);
    if (inner.length === 0) continue;
    const drawn = boundsOf(inner);
    const isClear = (row: Row) => overlapX(row, drawn) <= 0 || overlapY(row, drawn) <= 0;
    if (!holding.get(box)?.some((row) => isOfParagraph(row, box) && isClear(row))) boxes.delete(box);
  }
  return boxes.size > 0 ? new Set([...boxes, ...titles]) : boxes;
}

function isOfParagraph({ letters, x0, size }: Row, box: Box): boolean {
  return letters >= leastLetters || (letters >= leastAtEdge && x0 - box.x0 < 2.5 * size);
}

function contains(box: Box, row: Row): boolean {
  const middle = (row.y0 + row.y1) / 2;
  return row.x0 > box.x0 - 1 && row.x1 < box.x1 + 1 && middle > box.y0 && middle < box.y1;
}

/** Words on one baseline, of any number of columns. */
function rowsOf(glyphs: readonly Glyph[]): Row[] {
  const rows = new Map<number, Row>();
  for (const { font, text, ink, baseline, size } of glyphs) {
    if (font.family !== 'none' || !/^\p{L}$/u.test(text)) continue;
    const key = Math.round(baseline);
    const row = rows.get(key);
    if (!row) rows.set(key, { ...ink, letters: 1, size });
    else rows.set(key, { ...boundsOf([row, ink]), letters: row.letters + 1, size: row.size });
  }
  return [...rows.values()];
}
