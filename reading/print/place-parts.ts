/** Puts lines, tables, figures and listings into reading order, with their captions. */
import { type Box, heightOf } from '../box.ts';
import { captionStart } from '../text-layer/blocks/captions.ts';
import type { Listing } from './find-listings.ts';
import type { Table } from './find-tables.ts';
import type { Line } from './printed-page.ts';

export interface PlacedFigure extends Box {
  name: string;
}

export interface Caption {
  /** Without its name; LaTeX prints that. */
  lines: Line[];
  number: string;
  isAbove: boolean;
}

export type Part =
  | { kind: 'line'; line: Line }
  | { kind: 'table'; table: Table; caption: Caption | null }
  | { kind: 'figure'; figure: PlacedFigure; caption: Caption | null }
  | { kind: 'code'; listing: Listing; caption: Caption | null };

/** A caption is at most this far from its table, and its lines from each other, relative to their size. */
const farthest = 2.5;
const farthestLine = 0.8;
const mostLines = 6;

/** @param lines in reading order */
export function placeParts(
  lines: readonly Line[],
  tables: readonly Table[],
  figures: readonly PlacedFigure[],
  listings: readonly Listing[],
): Part[] {
  const left = [...lines];
  const objects: { box: Box; part: Part }[] = [
    ...tables.map((table) => ({
      box: table.box,
      part: { kind: 'table' as const, table, caption: takeCaption(left, table.box, 'table') },
    })),
    ...figures.map((figure) => ({
      box: figure as Box,
      part: { kind: 'figure' as const, figure, caption: takeCaption(left, figure, 'figure') },
    })),
    ...listings.map((listing) => ({
      box: listing.box,
      part: { kind: 'code' as const, listing, caption: takeCaption(left, listing.box, 'code') },
    })),
  ];
  const parts: Part[] = left.map((line) => ({ kind: 'line', line }));
  for (const { box, part } of objects.sort((a, b) => b.box.top - a.box.top)) {
    const isBelow = (other: Box) => other.top >= box.top && other.left < box.right && other.right > box.left;
    const place = parts.findIndex((other) => isBelow(boxOf(other)));
    parts.splice(place < 0 ? parts.length : place, 0, part);
  }
  return parts;
}

function boxOf(part: Part): Box {
  if (part.kind === 'line') return part.line;
  if (part.kind === 'figure') return part.figure;
  return part.kind === 'table' ? part.table.box : part.listing.box;
}

/** Removes the caption next to `box` from `lines`. */
function takeCaption(lines: Line[], box: Box, kind: 'table' | 'figure' | 'code'): Caption | null {
  for (const [at, line] of lines.entries()) {
    if (line.left > box.right || line.right < box.left) continue;
    const start = captionStart(textOf(line));
    if (start?.kind !== kind) continue;
    let end = at + 1;
    while (end - at < mostLines && goesOn(lines[end - 1]!, lines[end], box)) end++;
    const last = lines[end - 1]!;
    const isAbove = line.top < box.top;
    const space = isAbove ? box.top - last.bottom : line.top - box.bottom;
    if (space > farthest * line.size || space < -line.size) continue;
    const [first, ...others] = lines.splice(at, end - at) as [Line, ...Line[]];
    const number = /\d{1,4}(?=\D*$)/.exec(textOf(first).slice(0, start.length))?.[0] ?? '';
    const words = wordsFrom(first, start.length);
    return { lines: [...(words.length ? [{ ...first, words }] : []), ...others], number, isAbove };
  }
  return null;
}

function goesOn(before: Line, line: Line | undefined, box: Box): boolean {
  if (!line || line.display || line.top - before.bottom > farthestLine * before.size) return false;
  const isOutside = line.bottom < box.top + heightOf(line) || line.top > box.bottom - heightOf(line);
  return (
    isOutside &&
    line.top > before.top &&
    line.left < before.right &&
    Math.abs(line.size / before.size - 1) < 0.2
  );
}

const textOf = (line: Line): string => line.words.map((word) => word.text).join(' ');

/** The words after the first `length` characters. */
function wordsFrom({ words }: Line, length: number): Line['words'] {
  let passed = 0;
  return words.filter(({ text }) => {
    const starts = passed;
    passed += text.length + 1;
    return starts >= length;
  });
}
