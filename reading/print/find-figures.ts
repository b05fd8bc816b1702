/**
 * Finds drawings on a printed page: connected ink far larger than letters that is not just horizontal and vertical
 * rules. Only certain drawings are returned; the rest stays text, marked doubtful.
 */

import { around, type Box, heightOf, middleOf, widthOf } from '../box.ts';
import { findInkPieces, type InkPiece } from '../ink/ink-pieces.ts';
import { measureSide } from '../ink/layout/glyphs.ts';
import type { Bitmap } from '../page.ts';
import { inkLevel, shrink } from '../raster.ts';
import type { Line } from './printed-page.ts';

/** Smallest drawing, as shares of the page's long side. */
const minWidthShare = 0.1;
const minHeightShare = 0.05;
/** A drawing larger than this share of the page is the page itself: a border, a shadow. */
const maxAreaShare = 0.7;
/** Ink within this share of the long side belongs to the adjacent drawing: labels, arrow heads. */
const reachShare = 0.02;
/** Runs of ink at least this long are rules; a component with more than this share of its ink in them is a table. */
const minRun = 25;
const maxRuleInk = 0.85;
const proseWord = /^\p{P}*\p{L}{4,}\p{P}*$/u;

interface Component extends InkPiece {
  /** Number of its pixels that are part of rules. */
  ruleInk: number;
}

/** @returns boxes in the picture's pixels, top to bottom. */
export function findFigures(grey: Bitmap, lines: readonly Line[], tables: readonly Box[]): Box[] {
  const small = shrink(grey, measureSide);
  const scale = grey.width / small.width;
  const components = collectComponents(small);
  const side = Math.max(small.width, small.height);
  const onPage = (box: Box): Box => ({
    left: Math.floor(box.left * scale),
    top: Math.floor(box.top * scale),
    right: Math.ceil(box.right * scale),
    bottom: Math.ceil(box.bottom * scale),
  });
  const isInTable = (box: Box) => tables.some((table) => touches(table, onPage(box), 0));
  const touchesEdge = (box: Box) =>
    box.left <= 2 || box.top <= 2 || box.right >= small.width - 2 || box.bottom >= small.height - 2;
  const seeds = components.filter(
    (component) =>
      widthOf(component) > side * minWidthShare &&
      heightOf(component) > side * minHeightShare &&
      widthOf(component) * heightOf(component) < small.width * small.height * maxAreaShare &&
      component.ruleInk < component.pixels * maxRuleInk &&
      !touchesEdge(component) &&
      !isInTable(component),
  );
  const proseLines = lines.filter(
    (line) => line.words.filter((word) => proseWord.test(word.text) && word.confidence > 80).length >= 2,
  );
  const figures: Box[] = [];
  for (const seed of seeds) {
    let box: Box = seed;
    for (let grew = true; grew; ) {
      grew = false;
      for (const other of components) {
        if (isInside(other, box) || !touches(box, other, side * reachShare) || touchesEdge(other)) continue;
        const wider = around([box, other]);
        if (proseLines.some((line) => touches(onPage(wider), line, 0))) continue;
        box = wider;
        grew = true;
      }
    }
    const found = onPage(box);
    if (proseLines.some((line) => isInside(middleBox(line), found))) continue;
    if (!figures.some((figure) => touches(figure, found, 0))) figures.push(found);
  }
  return figures.sort((a, b) => a.top - b.top);
}

const touches = (a: Box, b: Box, reach: number): boolean =>
  a.left - reach < b.right &&
  b.left < a.right + reach &&
  a.top - reach < b.bottom &&
  b.top < a.bottom + reach;
const isInside = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left &&
  inner.right <= outer.right &&
  inner.top >= outer.top &&
  inner.bottom <= outer.bottom;
function middleBox(line: Line): Box {
  const { x, y } = middleOf(line);
  return { left: x, right: x, top: y, bottom: y };
}

function collectComponents({ width, height, data }: Bitmap): Component[] {
  const isInk = (at: number) => data[at]! < inkLevel;
  const inRule = markRuns(width, height, isInk);
  const { labels, pieces } = findInkPieces(width, height, isInk);
  const components = pieces.map((piece) => ({ ...piece, ruleInk: 0 }));
  labels.forEach((label, at) => {
    if (label > 0) components[label - 1]!.ruleInk += inRule[at]!;
  });
  return components;
}

/** Marks ink in long horizontal or vertical runs. */
function markRuns(width: number, height: number, isInk: (at: number) => boolean): Uint8Array {
  const marks = new Uint8Array(width * height);
  const scan = (lines: number, length: number, lineStep: number, step: number) => {
    for (let line = 0; line < lines; line++)
      for (let at = 0, run = 0; at <= length; at++) {
        if (at < length && isInk(line * lineStep + at * step)) {
          run++;
          continue;
        }
        if (run >= minRun)
          for (let back = 1; back <= run; back++) marks[line * lineStep + (at - back) * step] = 1;
        run = 0;
      }
  };
  scan(height, width, width, 1);
  scan(width, height, 1, width);
  return marks;
}
