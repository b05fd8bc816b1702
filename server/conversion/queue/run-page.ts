/**
 * One page job: reads one page of the upload, records its outcome and stores its picture and crops. Files of a
 * discarded reading are deleted with the conversion's other files.
 */

import { describeNotation } from '#latex/assemble/personal-preamble.ts';
import type { FairQueue } from '#platform/work/fair-queue.ts';
import { WorkStarved } from '#platform/work/work-limit.ts';
import {
  isBlank,
  type PagePicture,
  type PageSource,
  preparePage,
  type Quarters,
  type TranscribedPage,
  transcribePage,
} from '#reading/index.ts';
import type { ErrorCode } from '#shared/api/errors.ts';
import { queueOwner } from '../../http/types.ts';
import { getPersonalPreamble } from '../../library/index.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Database, persist } from '../database.ts';
import { pagePrefix } from '../files.ts';
import type { StoredTranscription } from '../schema.ts';
import type { Stations } from '../stations/stations.ts';
import type { PageJob } from './jobs.ts';
import { completePage, type PageOutcome } from './outcomes.ts';
import type { SourceFiles } from './source-files.ts';

export interface PageWork {
  db: Database;
  storage: Storage;
  sourceFiles: SourceFiles;
  stations: Stations;
  /** Slots for reading; the next pages are prepared meanwhile. */
  readers: FairQueue;
}

export type PageRecord =
  /** `failure`: the catalogue code with which a page failed. */
  { kind: PageOutcome['kind']; readingMs: number; failure: ErrorCode | null } | { kind: 'discarded' };

/**
 * @param handleRead called when the page has a reader
 * @throws WorkStarved; the signal's reason if aborted; whatever the storage or database throws
 */
export async function runPage(
  work: PageWork,
  job: PageJob,
  signal: AbortSignal,
  handleRead: () => void,
): Promise<PageRecord> {
  const { db, storage, sourceFiles, stations, readers } = work;
  const folder = pagePrefix(job.conversionId, job.number, job.token);
  const owner = queueOwner({ id: job.callerId, network: job.network });
  const { notation } = await getPersonalPreamble(db, job.callerId);
  const hints = {
    pageNumber: job.number,
    pageCount: job.pageCount,
    drawings: job.drawings,
    document: job.conversionId,
    owner,
    ...(notation.length > 0 ? { notation: describeNotation(notation) } : {}),
  };
  let readingMs = 0;
  return sourceFiles.use(job.file.key, async (path): Promise<PageRecord> => {
    const turn = job.file.turns?.[job.pageIndex];
    const source: PageSource = {
      kind: job.file.kind,
      path,
      index: job.pageIndex,
      ...(turn === undefined ? {} : { turn }),
    };
    const picture = preparePage(stations.preparer, source, signal, owner);
    // both before taking a reader slot, so that the vendor never waits for them. The text is asked for first: that
    // of the first page takes as long as ten pictures
    const gathered = stations.transcriber.gather?.({ source, picture, hints, signal });
    // if the picture fails, the reader decides what that means: a text layer may not need it
    const prepared = await picture().catch((error: unknown) => {
      if (error instanceof WorkStarved) throw error;
      return null;
    });
    await gathered;
    signal.throwIfAborted();
    const previewKey = prepared ? await storePreview(prepared) : null;
    // the slot is held until the reading is saved, so a kill loses no more readings than there are slots
    return readers.take(owner, signal, async () => {
      handleRead();
      const outcome = await read(source, picture, previewKey);
      signal.throwIfAborted();
      const recorded = await persist(() => completePage(db, job, outcome));
      return recorded === 'recorded'
        ? { kind: outcome.kind, readingMs, failure: failureOf(outcome) }
        : { kind: 'discarded' };
    });
  });

  async function read(
    source: PageSource,
    picture: () => Promise<PagePicture>,
    previewKey: string | null,
  ): Promise<PageOutcome> {
    const startedMs = performance.now();
    const reading = await transcribePage(stations, source, picture, hints, signal);
    readingMs = performance.now() - startedMs;
    switch (reading.kind) {
      case 'copyrighted':
        return reading;
      case 'failed':
        return { kind: 'failed', error: reading.error, previewKey };
      case 'starved':
        throw new WorkStarved();
      case 'read':
        return {
          kind: 'read',
          transcription: await storeCrops(reading.page, reading.turned?.turn ?? source.turn),
          previewKey: reading.turned ? await storePreview(reading.turned.picture) : previewKey,
        };
    }
  }

  async function storePreview(prepared: PagePicture): Promise<string> {
    const key = `${folder}preview.jpg`;
    await storage.put(key, prepared.preview, { contentType: 'image/jpeg' });
    return key;
  }

  async function storeCrops(page: TranscribedPage, turn: Quarters | undefined): Promise<StoredTranscription> {
    const { figures, ...rest } = page;
    for (const { name, bytes } of figures) await storage.put(cropKey(folder, name), bytes);
    return {
      ...rest,
      folder,
      figures: figures.map(({ name, box }) => ({ name, box })),
      ...(isBlank(page) ? { isBlank: true } : {}),
      ...(turn === undefined ? {} : { turn }),
    };
  }
}

function failureOf(outcome: PageOutcome): ErrorCode | null {
  switch (outcome.kind) {
    case 'read':
      return null;
    case 'failed':
      return outcome.error.code;
    case 'copyrighted':
      return outcome.code;
  }
}

/** Storage key of a page's crop, in the folder of the reading that made it. */
export function cropKey(folder: string, name: string): string {
  return `${folder}crops/${name}`;
}
