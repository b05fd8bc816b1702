/**
 * The stations of a conversion, without database or storage: the server's jobs and the command line run the same ones.
 *
 *   source ─► preparePage (once, on first call) ─► transcribePage ─┐
 *   source ─► preparePage                       ─► transcribePage ─┼─► assembleAndProve ─► LaTeX, PDF, figures, warnings
 */
import type { Logger } from 'pino';
import type { PreamblePart } from '#latex/assemble/personal-preamble.ts';
import { toLines } from '#latex/assemble/source-map.ts';
import { proveDocument, type Repairer } from '#proving/index.ts';
import {
  handwritingWarning,
  type PagePreparer,
  type TranscribedPage,
  type Transcriber,
} from '#reading/index.ts';
import type { DocumentDoubt, SourceMap } from '#shared/api/conversion.ts';
import type { ErrorObject, Warning } from '#shared/api/errors.ts';
import type { Typesetter } from '#typesetting/index.ts';
import { type PageFacts, warningsOfFailedPages } from '../state-machine.ts';

/** Reads pages, and typesets them. */
export interface Stations {
  preparer: PagePreparer;
  transcriber: Transcriber;
  typesetter: Typesetter;
  /** Repairs by a model what rules cannot; absent without a key. */
  repairer?: Repairer;
  logger: Logger;
}

/** Keeps a warning that concerns the whole document on the first page only. */
function withoutDuplicates(warnings: readonly Warning[]): Warning[] {
  const first = warnings.findIndex(({ code }) => code === handwritingWarning.code);
  return warnings.filter(({ code }, at) => code !== handwritingWarning.code || at === first);
}

/** A page ready for the document: read, or missing with its reason. */
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
  /** Numbers of the pages in the document. */
  pages: number[];
}

export type Assembly =
  | {
      kind: 'proven';
      document: ProvenDocument;
      /** Pages that were read but whose LaTeX could not be typeset: they count as failed, and are left out. */
      unsettable: { number: number; error: ErrorObject }[];
    }
  | { kind: 'failed'; error: ErrorObject };

/**
 * Makes one document of the pages that were read and compiles it; missing pages are named in the warnings.
 * @param owner whose turn in the typesetter's queue the compiles take
 * @param personal the beginning of all the person's documents; a line of it that clashes with a page is
 * repaired like the page's
 * @throws WorkStarved; the signal's reason if aborted
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
      throw new Error('proving was cancelled without a reason');
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
          warnings: [...warningsOfFailedPages(pages), ...withoutDuplicates(proof.warnings)],
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
 * Adds it before each page's own lines, because any page may be left out; equal lines are merged. A command
 * that the document's packages define keeps their meaning: the page may use it.
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
