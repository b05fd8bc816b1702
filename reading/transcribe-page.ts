/** Reads one page; an error affects only that page's outcome, never the document's. */
import type { Logger } from 'pino';
import { describeAbsence } from '#platform/absence.ts';
import { ApiError } from '#platform/errors.ts';
import { WorkStarved } from '#platform/work/work-limit.ts';
import { describeError, type ErrorObject, type Warning } from '#shared/api/errors.ts';
import { blankWarning, isBlank } from './blank-page.ts';
import type { PagePicture, PageSource, Quarters } from './page.ts';
import type { PagePreparer } from './pages/page-preparer.ts';
import type { TranscribedPage, TranscribeHints, Transcriber } from './transcriber.ts';

/** The page's picture, made on first call. */
export function preparePage(
  preparer: PagePreparer,
  source: PageSource,
  signal: AbortSignal,
  owner?: string,
): () => Promise<PagePicture> {
  let picture: Promise<PagePicture> | undefined;
  return () => {
    picture ??= preparer.look(source, signal, owner);
    return picture;
  };
}

export type PageReading =
  /** `turned`: the rotation that the reader found; the preview has to be rotated too. */
  | { kind: 'read'; page: TranscribedPage; turned?: { picture: PagePicture; turn: Quarters } }
  | { kind: 'failed'; error: ErrorObject }
  /** The machine was too busy; the page may be tried again. */
  | { kind: 'starved'; error: ErrorObject }
  | { kind: 'copyrighted'; code: 'COPYRIGHTED_PDF' | 'COPYRIGHT_DETECTED' };

/**
 * Reads one page. An error becomes its outcome, so that the other pages are not lost.
 * @throws only the signal's reason, when it was aborted
 */
export async function transcribePage(
  { transcriber, logger }: { transcriber: Transcriber; logger: Logger },
  source: PageSource,
  picture: () => Promise<PagePicture>,
  hints: TranscribeHints,
  signal: AbortSignal,
): Promise<PageReading> {
  let usedPicture: PagePicture | undefined;
  try {
    const transcription = await transcriber.transcribe({
      source,
      picture: async () => {
        usedPicture = await picture();
        return usedPicture;
      },
      hints,
      signal,
    });
    signal.throwIfAborted();
    switch (transcription.kind) {
      case 'transcribed': {
        const { page, turned } = transcription;
        const warnings = [
          ...((turned?.picture ?? usedPicture)?.warnings ?? []),
          ...page.warnings,
          ...(isBlank(page) ? [blankWarning] : []),
        ];
        const read = { ...page, warnings: numberWarnings(warnings, hints.pageNumber) };
        return { kind: 'read', page: read, ...(turned ? { turned } : {}) };
      }
      case 'copyrighted':
        return transcription;
      case 'failed':
        return {
          kind: 'failed',
          error: transcription.isVendorDown
            ? new ApiError('AI_UNAVAILABLE').toObject()
            : readingFailed(transcription.message),
        };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WorkStarved) return { kind: 'starved', error: error.toObject() };
    if (error instanceof ApiError) return { kind: 'failed', error: error.toObject() };
    logger.error({ err: error, page: hints.pageNumber }, 'reading a page failed');
    return { kind: 'failed', error: describeAbsence(error)?.toObject() ?? readingFailed('') };
  }
}

/** Every warning names its page and appears once. */
function numberWarnings(warnings: readonly Warning[], page: number): Warning[] {
  const seen = new Map(
    warnings.map((warning) => [`${warning.code} ${warning.message}`, { ...warning, page }]),
  );
  return [...seen.values()];
}

function readingFailed(message: string): ErrorObject {
  const code = 'GENERATION_FAILED';
  return { code, error: message || describeError({ code, error: '', source: 'server' }), source: 'server' };
}
