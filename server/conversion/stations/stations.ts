/**
 * The stations of a conversion, one function each, without database or storage: the server's jobs and the command
 * line run the same ones.
 *
 *   source ─► picture (once, on first call) ─► transcribePage ─┐
 *   source ─► picture                       ─► transcribePage ─┼─► assembleAndProve ─► LaTeX, PDF, figures, warnings
 */
import type { Logger } from 'pino';
import { describeAbsence } from '#platform/absence.ts';
import { ApiError } from '#platform/errors.ts';
import { WorkStarved } from '#platform/work/work-limit.ts';
import type { Typesetter } from '#typesetting/index.ts';
import type { DocumentDoubt, SourceMap } from '#shared/api/conversion.ts';
import { describeError, type ErrorObject, type Warning } from '#shared/api/errors.ts';
import type { PreamblePart } from '#latex/assemble/personal-preamble.ts';
import { toLines } from '#latex/assemble/source-map.ts';
import { blankWarning, isBlank } from '#reading/blank-page.ts';
import type { PageSource, PreparedPage } from '#reading/page.ts';
import { proveDocument, type Repairer } from '#proving/index.ts';
import { type PageFacts, warningsOfFailedPages } from '../queue/state-machine.ts';
import { handwritingWarning } from '#reading/handwriting-warnings.ts';
import type { TranscribedPage, TranscribeHints, Transcriber } from '#reading/transcriber.ts';

export interface PagePreparer {
  /**
   * Renders or decodes a page and makes it ready to be read.
   * @param owner whose turn it takes, as `queueOwner` writes it
   * @throws ApiError for what cannot be decoded; WorkStarved
   */
  prepare(source: PageSource, signal: AbortSignal, owner?: string): Promise<PreparedPage>;
  close(): Promise<void>;
}

/** What reads pages, and what sets them. */
export interface Stations {
  preparer: PagePreparer;
  transcriber: Transcriber;
  typesetter: Typesetter;
  /** Repairs by a model what rules cannot; absent without a key. */
  repairer?: Repairer;
  logger: Logger;
}

/** The page's picture, made on the first call. */
export function preparePage(
  preparer: PagePreparer,
  source: PageSource,
  signal: AbortSignal,
  owner?: string,
): () => Promise<PreparedPage> {
  let picture: Promise<PreparedPage> | undefined;
  return () => {
    picture ??= preparer.prepare(source, signal, owner);
    return picture;
  };
}

export type PageReading =
  | { kind: 'read'; page: TranscribedPage }
  | { kind: 'failed'; error: ErrorObject }
  /** The machine had no time for it: it may be tried again. */
  | { kind: 'starved'; error: ErrorObject }
  | { kind: 'copyrighted'; code: 'COPYRIGHTED_PDF' | 'COPYRIGHT_DETECTED' };

/**
 * Reads one page. Whatever goes wrong with it is its outcome, so that the other pages are kept.
 * @throws only the signal's reason, when it was aborted
 */
export async function transcribePage(
  { transcriber, logger }: Pick<Stations, 'transcriber' | 'logger'>,
  source: PageSource,
  picture: () => Promise<PreparedPage>,
  hints: TranscribeHints,
  signal: AbortSignal,
): Promise<PageReading> {
  let usedPicture: PreparedPage | undefined;
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
        const { page } = transcription;
        const warnings = [
          ...(usedPicture?.warnings ?? []),
          ...page.warnings,
          ...(isBlank(page) ? [blankWarning] : []),
        ];
        return { kind: 'read', page: { ...page, warnings: numberWarnings(warnings, hints.pageNumber) } };
      }
      case 'copyrighted':
        return transcription;
      case 'failed':
        return {
          kind: 'failed',
          error: transcription.isVendorAway
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

/** Every warning names its page, and is said once. */
function numberWarnings(warnings: readonly Warning[], page: number): Warning[] {
  const seen = new Map(
    warnings.map((warning) => [`${warning.code} ${warning.message}`, { ...warning, page }]),
  );
  return [...seen.values()];
}

/** What holds for the document as much as for its page is said with the first page alone. */
function sayOnce(warnings: readonly Warning[]): Warning[] {
  const first = warnings.findIndex(({ code }) => code === handwritingWarning.code);
  return warnings.filter(({ code }, at) => code !== handwritingWarning.code || at === first);
}

function readingFailed(message: string): ErrorObject {
  const code = 'GENERATION_FAILED';
  return { code, error: message || describeError({ code, error: '', source: 'server' }), source: 'server' };
}

/** A page on its way into the document: read, or missing with its reason. */
export interface FinishedPage extends PageFacts {
  transcribed: TranscribedPage | null;
}

export interface ProvenDocument {
  latex: string;
  pdf: Uint8Array;
  warnings: Warning[];
  figures: { name: string; mediaType: 'image/png' | 'image/jpeg'; bytes: Uint8Array }[];
  /** Offsets into `latex`. */
  doubtful: DocumentDoubt[];
  /** Where its lines were read from. */
  lines: SourceMap['lines'];
  /** Numbers of the pages the document is made of. */
  pages: number[];
}

export type Assembly =
  | {
      kind: 'proven';
      document: ProvenDocument;
      /** Pages that were read but whose LaTeX could not be set: they have failed, and are left out. */
      unsettable: { number: number; error: ErrorObject }[];
    }
  | { kind: 'failed'; error: ErrorObject };

/**
 * Makes one document of the pages that were read and compiles it; those that are missing are named in the warnings.
 * @param owner whose place in the typesetter's queue the compiles take
 * @param personal what the person's documents begin with; a line of it that clashes with a page is mended like the page's
 * @throws WorkStarved; the signal's reason, when it was aborted
 */
export async function assembleAndProve(
  { typesetter, repairer }: Pick<Stations, 'typesetter' | 'repairer'>,
  pages: readonly FinishedPage[],
  owner: string,
  signal: AbortSignal,
  personal: PreamblePart = { packages: [], lines: [] },
): Promise<Assembly> {
  const read = pages.flatMap(({ number, transcribed }) =>
    transcribed ? [{ number, page: withPersonalPreamble(transcribed, personal) }] : [],
  );
  const proof = await proveDocument({
    pages: read,
    assets: read.flatMap(({ page }) => page.figures.map(({ name, bytes }) => ({ name, bytes }))),
    typesetter,
    owner,
    ...(repairer ? { repairer } : {}),
    signal,
  });
  signal.throwIfAborted();
  switch (proof.kind) {
    case 'cancelled':
      throw new Error('proving was cancelled by nobody');
    case 'failed':
      return {
        kind: 'failed',
        error: {
          ...proof.error,
          warnings: [...warningsOfFailedPages(pages), ...(proof.error.warnings ?? [])],
        },
      };
    case 'proved': {
      const delivered = read.filter(({ number }) => !proof.failedPages.includes(number));
      const figures = delivered.flatMap(({ page }) => page.figures);
      return {
        kind: 'proven',
        document: {
          latex: proof.latex,
          pdf: proof.pdf,
          warnings: [...warningsOfFailedPages(pages), ...sayOnce(proof.warnings)],
          figures: figures.map(({ name, bytes }) => ({ name, bytes, mediaType: mediaTypeOf(name) })),
          doubtful: proof.doubtful,
          lines: toLines(proof.latex, proof.places),
          pages: delivered.map(({ number }) => number),
        },
        unsettable: proof.failedPages.map((number) => ({ number, error: unsettablePage })),
      };
    }
  }
}

/**
 * Before the page's own lines, and on every page, because any of them may be left out: equal lines are merged. A command
 * that the document's packages define stays theirs: the page may mean it.
 */
function withPersonalPreamble(page: TranscribedPage, { packages, lines }: PreamblePart): TranscribedPage {
  const own = lines.map((line) => line.replace(/^\\newcommand(?![A-Za-z])/, '\\providecommand'));
  return { ...page, packages: [...packages, ...page.packages], preamble: [...own, ...page.preamble] };
}

const unsettablePage: ErrorObject = {
  code: 'GENERATION_FAILED',
  error: 'More than a third of this page could not be turned into LaTeX that compiles.',
  source: 'server',
};

function mediaTypeOf(name: string): 'image/png' | 'image/jpeg' {
  return /\.jpe?g$/i.test(name) ? 'image/jpeg' : 'image/png';
}
