/** Stretches of a document that the reader was unsure of, tracked through edits. Pure. */

import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { SourceRange } from '#latex/assemble/source-map.ts';
import { findDifference } from '#latex/edits/text-difference.ts';
import type { DocumentDoubt } from '#shared/api/conversion.ts';

export interface DoubtfulSpot {
  /** Stays the same when the spot moves. */
  id: number;
  /** The page it was read from. */
  page: number;
  /** UTF-16 offsets into the current LaTeX. */
  start: number;
  end: number;
  reason: string | null;
  /** 0 … 1: how sure the reader is; null if it did not say. */
  confidence: number | null;
  /** Its alternatives, the likeliest first: LaTeX that can replace it. */
  alternatives: readonly string[];
}

export type SpotOrder = 'document' | 'least-sure';

/** In document order. */
export function listSpots(doubtful: readonly DocumentDoubt[]): DoubtfulSpot[] {
  return doubtful
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ page, start, end, reason, confidence, alternatives }, id) => ({
      id,
      page,
      start,
      end,
      reason: reason ?? null,
      confidence: confidence ?? null,
      alternatives: alternatives ?? [],
    }));
}

/** As source maps describe them. */
export function describeSpots(spots: readonly DoubtfulSpot[]): DocumentDoubt[] {
  return spots.map(({ page, start, end, reason, confidence, alternatives }) => ({
    start,
    end,
    page,
    ...(confidence === null ? {} : { confidence }),
    ...(reason === null ? {} : { reason }),
    ...(alternatives.length === 0 ? {} : { alternatives: [...alternatives] }),
  }));
}

/** The order in which they are checked; those without a confidence are neither sure nor unsure. */
export function orderSpots(spots: readonly DoubtfulSpot[], order: SpotOrder): DoubtfulSpot[] {
  const rank = ({ confidence }: DoubtfulSpot) => (order === 'document' ? 0 : (confidence ?? 0.5));
  return [...spots].sort((a, b) => rank(a) - rank(b) || a.start - b.start);
}

/**
 * Moves spots after a change whose position is unknown. Spots before and after the change move with their text; one
 * inside it is found by its words if they occur exactly once, and dropped otherwise.
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

/** A box taller than this share of the page is not a line, and would be too small to read in a strip. */
const tallestInk = 0.2;

/**
 * The ink that a spot was read from: the bounding box of the stretches it overlaps, or of the first one if that is
 * more than a few lines. Null if no box is known.
 */
export function findInkOf(
  { page, start, end }: Pick<DoubtfulSpot, 'page' | 'start' | 'end'>,
  stretches: readonly SourceRange[],
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
