/**
 * How a job's outcome is recorded. Only the holder of the lease may write: the token is checked under the
 * conversion's row lock, so work that was given twice is recorded once and a document is delivered once.
 * Credits move in the same transaction: a page that fails releases its own, a delivery uses those of its pages,
 * and a conversion at rest holds none.
 */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { describeError, type ErrorCode, type ErrorObject } from '#shared/api/errors.ts';
import { releasePages, settlePages } from '../../credits/index.ts';
import type { Database, Transaction } from '../database.ts';
import { now } from '../database.ts';
import { appendEvents, type RecordedEvent } from '../follow/events.ts';
import { notify } from '../follow/notifications.ts';
import type { ConversionRow } from '../present.ts';
import { conversionPages, conversions, type StoredResult, type StoredTranscription } from '../schema.ts';
import { decideAfterReading, isOver, type PageFacts } from '../state-machine.ts';
import type { AssemblyJob, PageJob } from './jobs.ts';
import { listPageFacts, lockConversion } from './store.ts';

export type PageOutcome =
  | { kind: 'read'; transcription: StoredTranscription; previewKey: string | null }
  | { kind: 'failed'; error: ErrorObject; previewKey: string | null }
  /** Published material: the whole conversion ends. */
  | { kind: 'copyrighted'; code: 'COPYRIGHTED_PDF' | 'COPYRIGHT_DETECTED' };

/**
 * Records a page's outcome. `discarded`: the lease was lost or the conversion moved on; files written for it
 * may be deleted.
 */
export async function completePage(
  db: Database,
  job: PageJob,
  outcome: PageOutcome,
): Promise<'recorded' | 'discarded'> {
  return db.transaction(async (tx) => {
    const { conversionId, number, token } = job;
    const thisLease = and(
      eq(conversionPages.conversionId, conversionId),
      eq(conversionPages.number, number),
      eq(conversionPages.leaseToken, token),
    );
    const conversion = await lockConversion(tx, conversionId);
    if (conversion?.state !== 'reading') {
      await tx.update(conversionPages).set({ leaseToken: null, leaseUntil: null }).where(thisLease);
      return 'discarded';
    }
    const written = await tx
      .update(conversionPages)
      .set({ ...columnsOf(outcome), leaseToken: null, leaseUntil: null })
      .where(and(thisLease, eq(conversionPages.state, 'reading')))
      .returning({ isLast: sql<boolean>`not exists (${othersToRead(conversionId, number)})` });
    const [page] = written;
    if (!page) return 'discarded';
    const pageEvent: RecordedEvent = { type: 'page', pageNumber: number };
    if (outcome.kind === 'copyrighted') {
      const error = copyrightError(outcome.code);
      await tx
        .update(conversions)
        .set({ state: 'failed', error, endedAt: now, lastAttemptAt: now })
        .where(eq(conversions.id, conversionId));
      await releasePages(tx, { conversionId, pages: 'rest' });
      await appendEvents(tx, conversionId, [
        pageEvent,
        { type: 'stage', state: 'failed' },
        { type: 'failed' },
      ]);
      await notify(tx, { kind: 'stop', conversionId });
    } else {
      // a blank page costs nothing
      const isFree = outcome.kind === 'failed' || outcome.transcription.isBlank === true;
      if (isFree) await releasePages(tx, { conversionId, pages: [number] });
      if (page.isLast) await settleReading(tx, conversion, [pageEvent]);
      else await appendEvents(tx, conversionId, [pageEvent], { isAttempt: true });
    }
    return 'recorded';
  });
}

/** Pages besides this one that wait or are being read. */
function othersToRead(conversionId: string, number: number): SQL {
  return sql`select from conversion_pages other where other.conversion_id = ${conversionId}
    and other.number <> ${number} and other.state in ('waiting', 'reading')`;
}

function columnsOf(outcome: PageOutcome): Partial<typeof conversionPages.$inferInsert> {
  switch (outcome.kind) {
    case 'read':
      return {
        state: 'read',
        transcription: outcome.transcription,
        error: null,
        previewKey: outcome.previewKey,
      };
    case 'failed':
      return { state: 'failed', error: outcome.error, previewKey: outcome.previewKey };
    case 'copyrighted':
      return { state: 'failed', error: copyrightError(outcome.code) };
  }
}

/** A page has ended: appends the events, and moves the conversion on after its last page. */
export async function settleReading(
  tx: Transaction,
  conversion: ConversionRow,
  events: readonly RecordedEvent[],
): Promise<void> {
  const { id } = conversion;
  const pages = await listPageFacts(tx, id);
  const next = decideAfterReading(pages, conversion.result?.pages ?? null);
  switch (next?.kind) {
    case undefined:
      await appendEvents(tx, id, events, { isAttempt: true });
      return;
    case 'assemble':
      await tx
        .update(conversions)
        .set({
          state: 'assembling',
          assemblyAttempts: 0,
          assemblyToken: null,
          assemblyLeaseUntil: null,
          lastAttemptAt: now,
        })
        .where(eq(conversions.id, id));
      await appendEvents(tx, id, [...events, { type: 'stage', state: 'assembling' }]);
      await notify(tx, { kind: 'work' });
      return;
    case 'deliver-again':
      await tx
        .update(conversions)
        .set({
          state: 'delivered',
          endedAt: isOver('delivered', null, pages) ? now : null,
          lastAttemptAt: now,
        })
        .where(eq(conversions.id, id));
      await appendEvents(tx, id, [...events, { type: 'stage', state: 'delivered' }, { type: 'delivered' }]);
      return;
    case 'fail':
      await tx
        .update(conversions)
        .set({
          state: 'failed',
          error: next.error,
          endedAt: isOver('failed', next.error, pages) ? now : null,
          lastAttemptAt: now,
        })
        .where(eq(conversions.id, id));
      await appendEvents(tx, id, [...events, { type: 'stage', state: 'failed' }, { type: 'failed' }]);
  }
}

export type AssemblyOutcome =
  /** `unsettable`: pages that were read but could not be typeset; they count as failed. */
  | { kind: 'proven'; result: StoredResult; unsettable: { number: number; error: ErrorObject }[] }
  | { kind: 'failed'; error: ErrorObject };

export type AssemblyRecord =
  /** `replaced` is the earlier result, whose files may be deleted. */
  { kind: 'recorded'; replaced: StoredResult | null } | { kind: 'discarded' };

/** Delivers once: a second holder of the same work finds its token gone. */
export async function completeAssembly(
  db: Database,
  job: AssemblyJob,
  outcome: AssemblyOutcome,
): Promise<AssemblyRecord> {
  return db.transaction(async (tx) => {
    const { conversionId: id, token } = job;
    const conversion = await lockConversion(tx, id);
    if (conversion?.state !== 'assembling' || conversion.assemblyToken !== token) {
      await tx
        .update(conversions)
        .set({ assemblyToken: null, assemblyLeaseUntil: null })
        .where(and(eq(conversions.id, id), eq(conversions.assemblyToken, token)));
      return { kind: 'discarded' };
    }
    if (outcome.kind === 'failed') {
      await settleFailedAssembly(tx, conversion, await listPageFacts(tx, id), outcome.error);
      return { kind: 'recorded', replaced: null };
    }
    for (const { number, error } of outcome.unsettable)
      await tx
        .update(conversionPages)
        .set({ state: 'failed', error, transcription: null })
        .where(and(eq(conversionPages.conversionId, id), eq(conversionPages.number, number)));
    const pages = await listPageFacts(tx, id);
    // may include a page of an earlier delivery that this one lacks
    await releasePages(tx, { conversionId: id, pages: outcome.unsettable.map(({ number }) => number) });
    const blank = new Set(pages.filter((page) => page.isBlank).map(({ number }) => number));
    await settlePages(tx, {
      conversionId: id,
      pages: outcome.result.pages.filter((number) => !blank.has(number)),
    });
    await releasePages(tx, { conversionId: id, pages: 'rest' });
    await tx
      .update(conversions)
      .set({
        state: 'delivered',
        result: outcome.result,
        error: null,
        assemblyToken: null,
        assemblyLeaseUntil: null,
        lastAttemptAt: now,
        endedAt: isOver('delivered', null, pages) ? now : null,
      })
      .where(eq(conversions.id, id));
    await appendEvents(tx, id, [
      ...outcome.unsettable.map(({ number }): RecordedEvent => ({ type: 'page', pageNumber: number })),
      { type: 'stage', state: 'delivered' },
      { type: 'delivered' },
    ]);
    return { kind: 'recorded', replaced: conversion.result };
  });
}

/**
 * Without an earlier delivery the conversion fails, and any page may be retried. Otherwise that delivery
 * stands, and the pages added since count as failed.
 */
export async function settleFailedAssembly(
  tx: Transaction,
  conversion: ConversionRow,
  pages: readonly PageFacts[],
  error: ErrorObject,
): Promise<void> {
  const { id, result } = conversion;
  await releasePages(tx, { conversionId: id, pages: 'rest' });
  const freed = { assemblyToken: null, assemblyLeaseUntil: null, lastAttemptAt: now };
  if (!result) {
    await tx
      .update(conversions)
      .set({ ...freed, state: 'failed', error })
      .where(eq(conversions.id, id));
    await appendEvents(tx, id, [{ type: 'stage', state: 'failed' }, { type: 'failed' }]);
    return;
  }
  const added = pages
    .filter((page) => page.state === 'read' && !result.pages.includes(page.number))
    .map((page) => page.number);
  if (added.length > 0)
    await tx
      .update(conversionPages)
      .set({ state: 'failed', error, transcription: null })
      .where(and(eq(conversionPages.conversionId, id), inArray(conversionPages.number, added)));
  await tx
    .update(conversions)
    .set({ ...freed, state: 'delivered' })
    .where(eq(conversions.id, id));
  await appendEvents(tx, id, [
    ...added.map((pageNumber): RecordedEvent => ({ type: 'page', pageNumber })),
    { type: 'stage', state: 'delivered' },
    { type: 'delivered' },
  ]);
}

export function generationFailed(): ErrorObject {
  return errorOf('GENERATION_FAILED');
}

function copyrightError(code: 'COPYRIGHTED_PDF' | 'COPYRIGHT_DETECTED'): ErrorObject {
  return { ...errorOf(code), source: 'user' };
}

function errorOf(code: ErrorCode): ErrorObject {
  return { code, error: describeError({ code, error: '', source: 'server' }), source: 'server' };
}
