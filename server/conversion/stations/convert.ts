/**
 * A conversion in one process, without database or storage: the same stations as the server's jobs, for the
 * command line.
 */
import { FairQueue } from '#platform/work/fair-queue.ts';
import { unboundedWaiting } from '#platform/work/queue-limits.ts';
import {
  type InspectedFile,
  inspectFile,
  isBlank,
  localOwner,
  type PageReading,
  type PageSource,
  preparePage,
  transcribePage,
} from '#reading/index.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { describeError } from '#shared/api/errors.ts';
import { decideAfterReading } from '../state-machine.ts';
import type { PageRange } from './page-range.ts';

import { type PlannedPage, planPages } from './plan-pages.ts';
import { assembleAndProve, type FinishedPage, type ProvenDocument, type Stations } from './stations.ts';

export interface ConvertOptions {
  /** In document order. */
  files: { path: string; displayName: string }[];
  range: PageRange;
  drawings?: 'figure' | 'tikz';
  stations: Stations;
  /** Pages being read at once. */
  readConcurrency: number;
  onProgress?: (progress: ConvertProgress) => void;
  signal: AbortSignal;
}

export type ConvertProgress =
  | { kind: 'planned'; pageCount: number }
  | { kind: 'page'; number: number; outcome: 'read' | 'failed'; reason?: string }
  | { kind: 'assembling' };

export type ConvertResult =
  | { kind: 'converted'; document: ProvenDocument; missingPages: number[] }
  | { kind: 'failed'; error: ErrorObject };

/**
 * Converts files into one document.
 * @throws ApiError for faults of the input (INVALID_INPUT, PDF_TOO_LONG, COPYRIGHTED_PDF); the signal's reason
 */
export async function convertFiles(options: ConvertOptions): Promise<ConvertResult> {
  const { files, range, stations, readConcurrency, onProgress, signal } = options;
  const inspected: InspectedFile[] = [];
  for (const { path, displayName } of files) inspected.push(await inspectFile(path, displayName, signal));
  const plan = planPages(inspected, range);
  onProgress?.({ kind: 'planned', pageCount: plan.length });

  // a page of published material stops the work on all others
  const stopped = new AbortController();
  const readers = new FairQueue({ concurrency: readConcurrency, ...unboundedWaiting });
  const readings = await Promise.all(
    plan.map((page) =>
      readers.take(localOwner, signal, () => readPage(page, AbortSignal.any([signal, stopped.signal]))),
    ),
  );
  signal.throwIfAborted();
  const copyrighted = readings.find((reading) => reading?.kind === 'copyrighted');
  if (copyrighted?.kind === 'copyrighted') {
    const { code } = copyrighted;
    return {
      kind: 'failed',
      error: { code, error: describeError({ code, error: '', source: 'user' }), source: 'user' },
    };
  }
  const pages = plan.map(({ number }, index) => finishPage(number, readings[index] ?? null));
  const next = decideAfterReading(pages, null);
  if (next?.kind === 'fail') return { kind: 'failed', error: next.error };
  onProgress?.({ kind: 'assembling' });
  const proof = await assembleAndProve(stations, pages, 'command line', signal);
  if (proof.kind === 'failed') return proof;
  const { document, unsettable } = proof;
  for (const { number, error } of unsettable)
    onProgress?.({ kind: 'page', number, outcome: 'failed', reason: error.error });
  const missingPages = plan.map((page) => page.number).filter((number) => !document.pages.includes(number));
  return { kind: 'converted', document, missingPages };

  /** Null if another page has ended the work. */
  async function readPage(page: PlannedPage, pageSignal: AbortSignal): Promise<PageReading | null> {
    if (stopped.signal.aborted) return null;
    const source: PageSource = {
      kind: inspected[page.fileIndex]!.kind,
      path: files[page.fileIndex]!.path,
      index: page.pageIndex,
    };
    const hints = {
      pageNumber: page.number,
      pageCount: plan.length,
      drawings: options.drawings ?? ('figure' as const),
      document: 'command line',
    };
    try {
      const picture = preparePage(stations.preparer, source, pageSignal);
      const reading = await transcribePage(stations, source, picture, hints, pageSignal);
      if (reading.kind === 'copyrighted') stopped.abort(new Error('published material'));
      else
        onProgress?.({
          kind: 'page',
          number: page.number,
          outcome: reading.kind === 'read' ? 'read' : 'failed',
          ...(reading.kind !== 'read' ? { reason: reading.error.error } : {}),
        });
      return reading;
    } catch (error) {
      if (stopped.signal.aborted && !signal.aborted) return null;
      throw error;
    }
  }
}

function finishPage(number: number, reading: PageReading | null): FinishedPage {
  if (reading?.kind === 'read') {
    const { page } = reading;
    return { number, state: 'read', error: null, isBlank: isBlank(page), transcribed: page };
  }
  const error = reading?.kind === 'failed' || reading?.kind === 'starved' ? reading.error : null;
  return { number, state: 'failed', error, isBlank: false, transcribed: null };
}
