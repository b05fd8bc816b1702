/** Tracks a result's text through edits: where its lines were read, and which spots are unconfirmed. */
import { diff } from '@codemirror/merge';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { moveSourceMap, type SourceRange, toRanges } from '#latex/assemble/source-map.ts';
import type { SourceMap } from '#shared/api/conversion.ts';
import { type DoubtfulSpot, describeSpots, findInkOf } from '#web/lib/doubtful-spots.ts';

interface DeliveredText {
  latex: string;
  deliveredLatex: string | null;
  /** Of `deliveredLatex`. */
  deliveredMap: SourceMap | null;
}

/** Where the lines of the current text were read, and which spots are unconfirmed. */
export function describeSource({
  spots,
  checked,
  ...text
}: DeliveredText & { spots: readonly DoubtfulSpot[]; checked: number }): SourceMap | null {
  const lines = moveLines(text);
  return lines && { lines, doubtful: describeSpots(spots), ...(checked > 0 ? { checked } : {}) };
}

/** The ink that a spot of the current text was read from; null if unknown. */
export function findInkInResult(text: DeliveredText, spot: DoubtfulSpot): ShareBox | null {
  return findInkOf(spot, toRanges(text.latex, moveLines(text) ?? []));
}

/** The ink that the lines of a range of the current text were read from, all on one page; empty if unknown. */
export function listInkInResult(text: DeliveredText, from: number, to: number): SourceRange[] {
  const start = text.latex.lastIndexOf('\n', from - 1) + 1;
  const lineEnd = text.latex.indexOf('\n', to);
  const end = lineEnd < 0 ? text.latex.length : lineEnd;
  const found = toRanges(text.latex, moveLines(text) ?? []).filter(
    (range) => range.box && range.start < end && range.end > start,
  );
  return found.filter(({ page }) => page === found[0]?.page);
}

function moveLines({ latex, deliveredLatex, deliveredMap }: DeliveredText): SourceMap['lines'] | null {
  if (deliveredMap === null || deliveredLatex === null) return null;
  const changes = diff(deliveredLatex, latex, { scanLimit: 500, timeout: 100 }).map(
    ({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: latex.slice(fromB, toB) }),
  );
  return moveSourceMap({ ...deliveredMap, doubtful: [] }, deliveredLatex, changes).lines;
}
