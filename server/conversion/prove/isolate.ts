/** What cannot be repaired is kept as verbatim text: the smallest piece around each error, then the next larger. */
import { placeErrors } from './errors-by-page.ts';
import type { Round } from './mend.ts';
import type { PageWork } from './page-work.ts';
import { listPieces, type Piece, piecesAround } from './pieces.ts';
import { toVerbatim } from './verbatim.ts';

/** Puts a piece of a page into verbatim form. */
export function isolatePiece(page: PageWork, piece: Piece, pieces: readonly Piece[]): void {
  const text = page.body.slice(piece.start, piece.end);
  const isInCell = pieces.some(
    (one) => one.kind === 'row' && one.start <= piece.start && one.end >= piece.end,
  );
  page.isolate(piece.start, piece.end, toVerbatim(text, piece.kind, isInCell));
  const shown = text.replace(/\s+/g, ' ').trim();
  page.warn(
    'KEPT_VERBATIM',
    `A passage on page ${page.number} could not be typeset and is kept as plain text: ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`,
  );
}

/** Nothing of the page can be used. */
export function isolateWholePage(page: PageWork): void {
  page.isolate(0, page.body.length, toVerbatim(page.body, 'page', false));
}

/** Isolates around this round's errors, one piece for each part of a page. False when no error could be placed. */
export function isolateErrors(round: Round): boolean {
  const { placed } = placeErrors(round.document, round.errors, round.pages);
  let hasIsolated = false;
  const byPage = Map.groupBy(placed, ({ page }) => page);
  for (const [page, errors] of byPage) {
    const pieces = listPieces(page.body);
    const chosen: Piece[] = [];
    const blocks = new Set<number>();
    for (const { start, end } of errors) {
      const around = piecesAround(page.body, start, end);
      const block = around.at(-2)?.start ?? -1;
      // Errors after the first of a block are often its consequences.
      if (blocks.has(block)) continue;
      blocks.add(block);
      const piece = around.find((one) => !page.isVerbatim(one.start, one.end));
      if (piece && !chosen.some((one) => one.start < piece.end && piece.start < one.end)) chosen.push(piece);
    }
    for (const piece of chosen.sort((a, b) => b.start - a.start)) {
      isolatePiece(page, piece, pieces);
      hasIsolated = true;
    }
  }
  return hasIsolated;
}
