/** The stretches of a document the reader was unsure of, and where they stand while it is edited. Pure. */

import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { SourceStretch } from '#latex/assemble/source-map.ts';
import type { DocumentDoubt } from '#shared/api/conversion.ts';
import { findDifference } from './text-difference.ts';

export interface DoubtfulSpot {
  /** Stays the same while the spot moves. */
  id: number;
  /** The page it was read from. */
  page: number;
  /** UTF-16 offsets into the LaTeX as it stands. */
  start: number;
  end: number;
  reason: string | null;
}

/** In the order of the document. */
export function listSpots(doubtful: readonly DocumentDoubt[]): DoubtfulSpot[] {
  return doubtful
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ page, start, end, reason }, id) => ({ id, page, start, end, reason: reason ?? null }));
}

/**
 * Where spots went when a text was changed by something that does not say where. Those before and after the change
 * move with their text; one inside it is found again by its words if they stand there once, and is gone otherwise.
 */
export function moveSpots(spots: readonly DoubtfulSpot[], from: string, to: string): DoubtfulSpot[] {
  if (from === to) return [...spots];
  const { start, fromEnd, toEnd } = findDifference(from, to);
  const changed = to.slice(start, toEnd);
  return spots.flatMap((spot) => {
    if (spot.end <= start) return [spot];
    if (spot.start >= fromEnd)
      return [{ ...spot, start: spot.start + toEnd - fromEnd, end: spot.end + toEnd - fromEnd }];
    const words = from.slice(spot.start, spot.end);
    const found = changed.indexOf(words);
    if (found < 0 || changed.indexOf(words, found + 1) >= 0) return [];
    return [{ ...spot, start: start + found, end: start + found + words.length }];
  });
}

/** Ink taller than this share of the page is no line: it would be too small to be read in a strip. */
const tallestInk = 0.2;

/**
 * The ink that a spot was read from: what encloses the boxes of the stretches it lies in, or the first of them where that
 * is more than a few lines. Null where no box is known.
 */
export function findInkOf(
  { page, start, end }: Pick<DoubtfulSpot, 'page' | 'start' | 'end'>,
  stretches: readonly SourceStretch[],
): ShareBox | null {
  const boxes = stretches.flatMap((stretch) =>
    stretch.page === page && stretch.box && stretch.start < end && stretch.end > start ? [stretch.box] : [],
  );
  const [first] = boxes;
  if (!first) return null;
  const left = Math.min(...boxes.map((box) => box[0]));
  const top = Math.min(...boxes.map((box) => box[1]));
  const right = Math.max(...boxes.map((box) => box[0] + box[2]));
  const bottom = Math.max(...boxes.map((box) => box[1] + box[3]));
  return bottom - top <= tallestInk ? [left, top, right - left, bottom - top] : first;
}
