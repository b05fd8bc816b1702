/** Keeps what cannot be repaired as verbatim text: the smallest fragment around each error, then the next larger. */
import type { AssembledDocument } from '#latex/assemble/assemble.ts';
import { type PlacedError, placeErrors } from '../pages/errors-by-page.ts';
import type { PageWork } from '../pages/page-work.ts';
import { listPieces, type Piece, piecesAround } from '../pages/pieces.ts';
import type { Round } from '../repair/repair-by-rule.ts';
import { toVerbatim } from '../repair/verbatim.ts';

/** For one page alone: startup, preamble and a few tenths of a second. */
const aloneCpuMs = 12_000;

/** Turns a fragment of a page into verbatim text. */
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

/** Turns the whole page into verbatim text. */
export function isolateWholePage(page: PageWork): void {
  page.isolate(0, page.body.length, toVerbatim(page.body, 'page', false));
}

/**
 * Isolates a fragment around each of this round's errors, one per block of a page. If several pages have errors, each
 * is compiled alone first, so that a page TeX reached in a broken state is not blamed. False if no error has a place.
 */
export async function isolateErrors(
  round: Round,
  assemble: (pages: readonly PageWork[]) => AssembledDocument,
): Promise<boolean> {
  const { placed } = placeErrors(round.document, round.errors, round.pages);
  const byPage = Map.groupBy(placed, ({ page }) => page);
  const judged =
    byPage.size < 2
      ? [...byPage.values()]
      : await Promise.all(
          [...byPage.keys()].map(async (page) => {
            const document = assemble([page]);
            const result = await round.compiler.compile(document.latex, aloneCpuMs);
            if (result.kind === 'timed-out') isolateWholePage(page);
            const errors =
              result.kind === 'failed' ? result.messages.filter(({ level }) => level === 'error') : [];
            return placeErrors(document, errors, [page]).placed;
          }),
        );
  let hasIsolated = false;
  for (const errors of judged) {
    const page = errors[0]?.page;
    if (page && isolateOnPage(page, errors)) hasIsolated = true;
  }
  return hasIsolated;
}

function isolateOnPage(page: PageWork, errors: readonly PlacedError[]): boolean {
  const pieces = listPieces(page.body);
  const chosen: Piece[] = [];
  const blocks = new Set<number>();
  for (const { start, end } of errors) {
    const around = piecesAround(page.body, start, end);
    const block = around.at(-2)?.start ?? -1;
    // Later errors of a block often follow from its first.
    if (blocks.has(block)) continue;
    blocks.add(block);
    const piece = around.find((one) => !page.isVerbatim(one.start, one.end));
    if (piece && !chosen.some((one) => one.start < piece.end && piece.start < one.end)) chosen.push(piece);
  }
  for (const piece of chosen.sort((a, b) => b.start - a.start)) isolatePiece(page, piece, pieces);
  return chosen.length > 0;
}
