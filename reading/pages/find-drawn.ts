/** What is drawn on a typed page, if any of it may be handwriting. */
import { findInkRows } from '../ink/layout/find-ink-lines.ts';
import type { DrawnPicture } from '../page.ts';
import type { DrawnMarks } from '../text-layer/glyphs/find-strokes.ts';
import { hidePrint, inkShare, minInk, showOnly } from './hide-print.ts';

/** @returns null if there is too little of it, or it has no line that could be read: a diagram mostly has none */
export function findDrawn({ bitmap, origin }: DrawnPicture, marks: DrawnMarks): DrawnPicture | null {
  const drawn = showOnly(hidePrint(bitmap, marks.words), marks.strokes);
  if (inkShare(drawn) < minInk) return null;
  // as `readInk` looks for them; on paper it asks a network first
  const hasNoLines = origin === 'render' && findInkRows(drawn, false).boxes.length === 0;
  return hasNoLines ? null : { bitmap: drawn, origin };
}
