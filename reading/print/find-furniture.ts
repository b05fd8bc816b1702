/** Running heads and page numbers, which are not part of the text. */
import { around, type Box, heightOf, widthOf } from '../box.ts';
import { isHeadRow, pageNumber } from '../text-layer/lines/furniture.ts';
import type { Line, PrintedPage } from './printed-page.ts';

/** Heads are in this upper part of the page, and footers as far from its end. */
const edgeShare = 0.13;
/** A rule of this share of the page's width, at most so far below, relative to the size, belongs to a head. */
const leastRule = 0.5;
const nearestRule = 1.2;
/** Least space between a head, or a page number, and the text. */
const leastSpace = 1;

/** @returns the lines of the first and the last row, if these are furniture */
export function findFurniture(page: PrintedPage, lines: readonly Line[]): Set<Line> {
  const found = new Set<Line>();
  const sorted = [...lines].sort((a, b) => a.top - b.top);
  for (const [outer, isTop] of [
    [sorted[0], true],
    [sorted.at(-1), false],
  ] as const) {
    if (!outer) continue;
    const row = lines.filter(
      (line) => overlap(line, outer) > 0.5 * Math.min(heightOf(line), heightOf(outer)),
    );
    const box = around(row);
    const isAtEdge = isTop ? box.bottom < edgeShare * page.height : box.top > (1 - edgeShare) * page.height;
    if (!isAtEdge || row.length === lines.length || row.some(({ display }) => display)) continue;
    if (isApart(box, row, lines, outer.size) && (isNumber(row) || isHeadRow(partsOf(row))))
      for (const line of row) found.add(line);
    else if (isTop && page.rules.some((rule) => isBelow(rule, box, outer.size, page)))
      for (const line of row) found.add(line);
  }
  return found;
}

const overlap = (a: Box, b: Box): number => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);

const isNumber = (row: readonly Line[]): boolean =>
  row.length === 1 && pageNumber.test(row[0]!.words.map(({ text }) => text).join(' '));

function isApart(box: Box, row: readonly Line[], lines: readonly Line[], size: number): boolean {
  return lines.every(
    (line) =>
      row.includes(line) ||
      line.top - box.bottom > leastSpace * size ||
      box.top - line.bottom > leastSpace * size,
  );
}

function isBelow(rule: Box, box: Box, size: number, page: PrintedPage): boolean {
  const space = rule.top - box.bottom;
  return widthOf(rule) > leastRule * page.width && space > -0.4 * size && space < nearestRule * size;
}

/** The row's texts, apart where there is space between them. */
function partsOf(row: readonly Line[]): string[] {
  const words = row
    .flatMap((line) => line.words.map((word) => ({ ...word, size: line.size })))
    .sort((a, b) => a.left - b.left);
  const parts: string[] = [];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    if (before && word.left - before.right < 1.6 * word.size) parts.push(`${parts.pop()} ${word.text}`);
    else parts.push(word.text);
  }
  return parts;
}
