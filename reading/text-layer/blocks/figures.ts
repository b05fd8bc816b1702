/** Drawings and pictures: where they are on the page, and the words that belong to them. */
import { type Box, boundsOf, type Glyph, overlapX, overlapY, type PageModel } from '../model.ts';
import { findTextBoxes } from './text-boxes.ts';

/** Smallest figure, in points on either side; anything smaller is an ornament or a symbol. */
const smallest = 24;

/** Boxes of figures, top to bottom. Glyphs centred in a box belong to the figure. */
export function findFigures(model: PageModel, glyphs: readonly Glyph[]): Box[] {
  const pageArea = model.width * model.height;
  const drawings = model.drawings.filter((d) => (d.x1 - d.x0) * (d.y1 - d.y0) < 0.85 * pageArea);
  if (!drawings.some((d) => d.kind !== 'panel')) return [];
  const text = glyphs.length > 0 ? boundsOf(glyphs.map((g) => g.ink)) : null;
  const textWidth = text ? text.x1 - text.x0 : model.width;
  const textBoxes = findTextBoxes(drawings, glyphs, textWidth);
  const parts = drawings
    .filter((d) => !textBoxes.has(d))
    .filter((d) => d.kind !== 'panel' || Math.min(d.x1 - d.x0, d.y1 - d.y0) < 60);
  const seeds = parts.filter((d) => d.kind !== 'panel');
  if (seeds.length === 0) return [];
  let boxes: Box[] = [];
  const pool: Box[] = [...parts.slice(0, 6000)];
  for (const part of pool) boxes = join(boxes, part, 9);
  boxes = boxes.filter((b) => seeds.some((s) => overlapX(s, b) >= 0 && overlapY(s, b) >= 0));
  // horizontal and vertical lines count only once the drawing is known
  for (let i = 0; i < 3; i++) {
    for (const rule of model.rules) {
      const near = boxes.find(
        (b) =>
          overlapX({ ...b, x0: b.x0 - 6, x1: b.x1 + 6 }, rule) >= 0 &&
          overlapY({ ...b, y0: b.y0 - 6, y1: b.y1 + 6 }, rule) >= 0,
      );
      if (near)
        boxes = join(
          boxes.filter((b) => b !== near),
          boundsOf([near, rule]),
          4,
        );
    }
  }
  boxes = boxes.filter((b) => b.x1 - b.x0 > smallest && b.y1 - b.y0 > smallest);
  boxes = boxes.map((b) => withLabels(b, glyphs, textWidth));
  // a frame around whole paragraphs is not a figure
  boxes = boxes.filter((b) => glyphs.filter((g) => inside(b, g)).length < 400);
  return boxes.map((b) => grow(b, 2, model)).sort((a, b) => a.y0 - b.y0);
}

function inside(box: Box, g: Glyph): boolean {
  const x = (g.ink.x0 + g.ink.x1) / 2;
  const y = (g.ink.y0 + g.ink.y1) / 2;
  return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1;
}

function join(boxes: Box[], part: Box, slack: number): Box[] {
  let merged: Box = { x0: part.x0, y0: part.y0, x1: part.x1, y1: part.y1 };
  let rest = boxes;
  for (let guard = 0; guard < 50; guard++) {
    const touching = rest.filter((b) => overlapX(b, merged) > -slack && overlapY(b, merged) > -slack);
    if (touching.length === 0) break;
    merged = boundsOf([merged, ...touching]);
    rest = rest.filter((b) => !touching.includes(b));
  }
  return [...rest, merged];
}

/** Short labels next to the drawing (axis names, angles) are part of it. */
function withLabels(box: Box, glyphs: readonly Glyph[], bodyWidth: number): Box {
  let out = box;
  for (let round = 0; round < 3; round++) {
    const near = glyphs.filter(
      (g) => !inside(out, g) && overlapX(out, g.ink) > -10 && overlapY(out, g.ink) > -4,
    );
    const labels = near.filter((g) => {
      const row = glyphs.filter((o) => Math.abs(o.baseline - g.baseline) < 1 && !inside(out, o));
      const own = row.length > 0 ? boundsOf(row.map((o) => o.ink)) : null;
      if (own === null) return false;
      const isShort = row.length <= 12 && own.x1 - own.x0 < 0.3 * bodyWidth;
      return isShort || isOfAxis(row, own, out);
    });
    if (labels.length === 0) break;
    out = boundsOf([out, ...labels.map((g) => g.ink)]);
  }
  return out;
}

/** The numbers along an axis. */
function isOfAxis(row: readonly Glyph[], own: Box, drawing: Box): boolean {
  const isInside = own.x0 > drawing.x0 - 6 && own.x1 < drawing.x1 + 6;
  return isInside && row.every((g) => /[\d.,−-]/.test(g.text));
}

function grow(box: Box, by: number, model: PageModel): Box {
  return {
    x0: Math.max(0, box.x0 - by),
    y0: Math.max(0, box.y0 - by),
    x1: Math.min(model.width, box.x1 + by),
    y1: Math.min(model.height, box.y1 + by),
  };
}
