/** The assembly job: takes all pages, stores the proven document and records its delivery. */

import { readPersonalPreamble } from '#latex/assemble/personal-preamble.ts';
import type { CroppedFigure } from '#reading/index.ts';
import type { ErrorCode } from '#shared/api/errors.ts';
import { queueOwner } from '../../http/types.ts';
import { getPersonalPreamble } from '../../library/index.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Database, persist } from '../database.ts';
import { resultPrefix } from '../files.ts';
import { figureKey, type PageRow, pdfKey } from '../present.ts';
import type { StoredResult } from '../schema.ts';
import {
  assembleAndProve,
  type FinishedPage,
  type ProvenDocument,
  type Stations,
} from '../stations/stations.ts';
import type { AssemblyJob } from './jobs.ts';
import { completeAssembly } from './outcomes.ts';
import { cropKey } from './run-page.ts';

export interface AssemblyWork {
  db: Database;
  storage: Storage;
  stations: Stations;
}

export type AssemblyReport =
  | { kind: 'proven' | 'discarded' }
  /** The catalogue code with which the document failed. */
  | { kind: 'failed'; failure: ErrorCode };

/** @throws WorkStarved; the signal's reason if aborted; whatever the storage, database or typesetter throws */
export async function runAssembly(
  work: AssemblyWork,
  job: AssemblyJob,
  signal: AbortSignal,
): Promise<AssemblyReport> {
  const { db, storage, stations } = work;
  const folder = resultPrefix(job.conversionId, job.token);
  const pages: FinishedPage[] = [];
  for (const page of job.pages) pages.push(await finishPage(storage, page));
  const proof = await assembleAndProve(
    stations,
    pages,
    queueOwner({ id: job.callerId, network: job.network }),
    signal,
    readPersonalPreamble(await getPersonalPreamble(db, job.callerId)),
  );
  if (proof.kind === 'failed') {
    const record = await persist(() => completeAssembly(db, job, proof));
    return record.kind === 'recorded' ? { kind: 'failed', failure: proof.error.code } : record;
  }
  const result = await storeResult(storage, folder, proof.document);
  signal.throwIfAborted();
  const record = await persist(() =>
    completeAssembly(db, job, { kind: 'proven', result, unsettable: proof.unsettable }),
  );
  if (record.kind === 'discarded') return record;
  if (record.replaced) await storage.deletePrefix(record.replaced.folder);
  return { kind: 'proven' };
}

async function finishPage(storage: Storage, page: PageRow): Promise<FinishedPage> {
  const { number, state, error, transcription } = page;
  const isBlank = transcription?.isBlank === true;
  if (!transcription) return { number, state, error, isBlank, transcribed: null };
  const { folder, figures: places, isBlank: _, ...rest } = transcription;
  const figures: CroppedFigure[] = [];
  for (const { name, box } of places)
    figures.push({ name, box, bytes: await storage.getBytes(cropKey(folder, name)) });
  return { number, state, error, isBlank, transcribed: { ...rest, figures } };
}

async function storeResult(
  storage: Storage,
  folder: string,
  document: ProvenDocument,
): Promise<StoredResult> {
  const { latex, pdf, warnings, figures, doubtful, lines, pages } = document;
  const result: StoredResult = {
    latex,
    warnings,
    figures: figures.map(({ name, mediaType }) => ({ name, mediaType })),
    doubtful,
    lines,
    folder,
    pages,
  };
  await storage.put(pdfKey(result), pdf, { contentType: 'application/pdf' });
  for (const { name, mediaType, bytes } of figures)
    await storage.put(figureKey(result, name), bytes, { contentType: mediaType });
  return result;
}
