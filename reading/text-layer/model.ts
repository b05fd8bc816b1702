/**
 * What a PDF page is made of once its operators are interpreted: glyphs, rules and drawings,
 * in points, origin at the top left of the page as seen, y growing downwards.
 */

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** The encoding of a glyph's code; `unicode` if the PDF's own mapping can be trusted. */
export type MathFamily =
  | 'letters'
  | 'symbols'
  | 'extension'
  | 'ams'
  | 'fraktur'
  | 'script'
  | 'unicode'
  | 'none';

export interface FontFace {
  /** PostScript name without the subset tag. */
  name: string;
  /** One id a font object of the PDF: text and mathematics may use two objects of one face. */
  id: string;
  family: MathFamily;
  bold: boolean;
  italic: boolean;
  mono: boolean;
  sans: boolean;
  smallCaps: boolean;
}

export interface Glyph {
  /** Unicode text with ligatures split; a piece or variant of a delimiter is already its plain character. */
  text: string;
  /** What `text` does not tell. */
  role: GlyphRole;
  font: FontFace;
  /** Em size in points. */
  size: number;
  /** Origin on the baseline. */
  x: number;
  baseline: number;
  /** Advance in points. */
  width: number;
  /** Ink, from the font's outline. */
  ink: Box;
}

/** A piece of a delimiter that TeX builds from parts; `side` is its place in the stack. */
export type GlyphRole =
  | 'plain'
  | 'piece'
  | 'operator-text'
  | 'operator-display'
  | 'brace-over'
  | 'brace-under';

/** A straight filled or stroked line along an axis. */
export interface Rule extends Box {
  horizontal: boolean;
}

/** Anything drawn that is not a rule: curves, slanted lines, filled shapes, pictures. */
export interface Drawing extends Box {
  kind: 'path' | 'panel' | 'image';
  /** A rectangle, perhaps with round corners. */
  isFrame: boolean;
}

export interface PageModel {
  width: number;
  height: number;
  glyphs: Glyph[];
  rules: Rule[];
  drawings: Drawing[];
  /** Glyphs painted invisibly (the text layer that scanning software puts behind or over a picture). */
  hiddenGlyphs: number;
  /** Glyphs whose character is unknown. */
  unknownGlyphs: number;
  /** Glyphs that are not upright; they are not in `glyphs`. */
  turnedGlyphs: Box[];
}

export function boxWidth(box: Box): number {
  return box.x1 - box.x0;
}

export function boxHeight(box: Box): number {
  return box.y1 - box.y0;
}

export function centreX(box: Box): number {
  return (box.x0 + box.x1) / 2;
}

export function centreY(box: Box): number {
  return (box.y0 + box.y1) / 2;
}

/** The smallest box around all. @throws Error without any, which is a bug in the caller */
export function boundsOf(boxes: readonly Box[]): Box {
  const first = boxes[0];
  if (!first) throw new Error('boundsOf needs at least one box');
  const all = { x0: first.x0, y0: first.y0, x1: first.x1, y1: first.y1 };
  for (const box of boxes) {
    all.x0 = Math.min(all.x0, box.x0);
    all.y0 = Math.min(all.y0, box.y0);
    all.x1 = Math.max(all.x1, box.x1);
    all.y1 = Math.max(all.y1, box.y1);
  }
  return all;
}

/** Whether both lists have the same members in the same order. */
export function areSame<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

export function overlapX(a: Box, b: Box): number {
  return Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
}

export function overlapY(a: Box, b: Box): number {
  return Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
}

export function contains(outer: Box, inner: Box, slack = 0): boolean {
  return (
    inner.x0 >= outer.x0 - slack &&
    inner.x1 <= outer.x1 + slack &&
    inner.y0 >= outer.y0 - slack &&
    inner.y1 <= outer.y1 + slack
  );
}
