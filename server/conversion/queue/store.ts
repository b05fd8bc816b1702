/**
 * A user's actions on a conversion: create, look at, cancel, retry a page, dismiss. Every change happens under
 * the conversion's row lock, in one transaction with its events. `owners` are the ids the caller acts for
 * (`ownerIds`).
 */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { ApiError, invalidInput } from '#platform/errors.ts';
import type { ConversionState } from '#shared/api/conversion.ts';
import { releasePages } from '../../credits/index.ts';
import type { Database, Transaction } from '../database.ts';
import { now } from '../database.ts';
import { appendEvents, type RecordedEvent } from '../follow/events.ts';
import { notify } from '../follow/notifications.ts';
import type { ConversionRow, PageRow } from '../present.ts';
import { conversionPages, conversions, conversionUploads, type StoredFile } from '../schema.ts';
import { decideRetry, isAtRest, type PageFacts } from '../state-machine.ts';
import type { PlannedPage } from '../stations/plan-pages.ts';

export interface NewConversion {
  id: string;
  callerId: string;
  /** The caller's network, as a key (`Caller.network`). */
  network: string;
  files: StoredFile[];
  pages: PlannedPage[];
  drawings: 'figure' | 'tikz';
}

/** Inserts the conversion and its jobs, and deletes its upload record in the same transaction. */
export async function createConversion(tx: Transaction, conversion: NewConversion): Promise<void> {
  const { id, callerId, network, files, pages, drawings } = conversion;
  await tx
    .insert(conversions)
    .values({ id, callerId, network, state: 'reading', pageCount: pages.length, files, drawings });
  await tx.insert(conversionPages).values(
    pages.map(({ number, fileIndex, pageIndex }) => ({
      conversionId: id,
      number,
      fileIndex,
      pageIndex,
      state: 'waiting' as const,
    })),
  );
  await tx.delete(conversionUploads).where(eq(conversionUploads.id, id));
  await appendEvents(tx, id, [{ type: 'accepted' }]);
  await notify(tx, { kind: 'work' });
}

/** The conversion under its row lock; null if there is none, or the user dismissed it. */
export async function lockConversion(tx: Transaction, id: string): Promise<ConversionRow | null> {
  const [row] = await tx
    .select()
    .from(conversions)
    .where(and(eq(conversions.id, id), isNull(conversions.dismissedAt)))
    .for('update');
  return row ?? null;
}

export async function listPages(db: Database | Transaction, id: string): Promise<PageRow[]> {
  return db
    .select()
    .from(conversionPages)
    .where(eq(conversionPages.conversionId, id))
    .orderBy(asc(conversionPages.number));
}

/** The pages without their LaTeX, which can be megabytes; for decisions. */
export async function listPageFacts(tx: Transaction, id: string): Promise<PageFacts[]> {
  const { number, state, error, transcription } = conversionPages;
  const isBlank = sql<boolean>`coalesce((${transcription} ->> 'isBlank')::boolean, false)`;
  return tx
    .select({ number, state, error, isBlank })
    .from(conversionPages)
    .where(eq(conversionPages.conversionId, id))
    .orderBy(asc(number));
}

/** A page of a conversion, or null. The caller has checked the owner. */
export async function findPage(
  db: Database | Transaction,
  id: string,
  number: number,
): Promise<PageRow | null> {
  const [page] = await db
    .select()
    .from(conversionPages)
    .where(and(eq(conversionPages.conversionId, id), eq(conversionPages.number, number)));
  return page ?? null;
}

/** The same error for a missing conversion and for somebody else's. */
function conversionNotFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such conversion.' });
}

/** @throws ApiError NOT_FOUND */
export async function getConversion(
  db: Database,
  id: string,
  owners: readonly string[],
): Promise<ConversionRow> {
  if (!isUuid(id)) throw conversionNotFound();
  const [row] = await db
    .select()
    .from(conversions)
    .where(
      and(
        eq(conversions.id, id),
        inArray(conversions.callerId, [...owners]),
        isNull(conversions.dismissedAt),
      ),
    );
  if (!row) throw conversionNotFound();
  return row;
}

/** @throws ApiError NOT_FOUND */
export async function lockOwned(
  tx: Transaction,
  id: string,
  owners: readonly string[],
): Promise<ConversionRow> {
  const row = isUuid(id) ? await lockConversion(tx, id) : null;
  if (!row || !owners.includes(row.callerId)) throw conversionNotFound();
  return row;
}

/**
 * Ends the work, and gives back the credits of undelivered pages. A conversion with an earlier delivery stays
 * delivered without its missing pages; otherwise it is cancelled. At rest nothing changes.
 * @throws ApiError NOT_FOUND
 */
export async function cancelConversion(
  db: Database,
  id: string,
  owners: readonly string[],
): Promise<ConversionState> {
  return db.transaction(async (tx) => {
    const conversion = await lockOwned(tx, id, owners);
    if (isAtRest(conversion.state)) return conversion.state;
    await notify(tx, { kind: 'stop', conversionId: id });
    await releasePages(tx, { conversionId: id, pages: 'rest' });
    if (!conversion.result) {
      await tx
        .update(conversions)
        .set({ state: 'cancelled', endedAt: now, error: null })
        .where(eq(conversions.id, id));
      await appendEvents(tx, id, [{ type: 'stage', state: 'cancelled' }, { type: 'cancelled' }]);
      return 'cancelled';
    }
    const stopped = await tx
      .update(conversionPages)
      .set({
        state: 'failed',
        error: { code: 'GENERATION_FAILED', error: 'Reading was cancelled.', source: 'user' },
      })
      .where(
        and(eq(conversionPages.conversionId, id), inArray(conversionPages.state, ['waiting', 'reading'])),
      )
      .returning({ number: conversionPages.number });
    await tx
      .update(conversions)
      .set({ state: 'delivered', endedAt: now, assemblyToken: null })
      .where(eq(conversions.id, id));
    const pageEvents = stopped.map(({ number }): RecordedEvent => ({ type: 'page', pageNumber: number }));
    await appendEvents(tx, id, [...pageEvents, { type: 'stage', state: 'delivered' }, { type: 'delivered' }]);
    return 'delivered';
  });
}

/**
 * Puts one page back into the queue. No credit is taken until the page is delivered, and then only if there is
 * one. Stops a running assembly, which would lack the page.
 * @throws ApiError NOT_FOUND for the conversion or the page, INVALID_INPUT if the page cannot be retried
 */
export async function retryPage(
  db: Database,
  id: string,
  owners: readonly string[],
  number: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const conversion = await lockOwned(tx, id, owners);
    const page = await findPage(tx, id, number);
    if (!page) throw new ApiError('NOT_FOUND', { message: `This conversion has no page ${number}.` });
    const decision = decideRetry(conversion.state, conversion.endedAt !== null, page);
    if (decision.kind === 'refuse') throw invalidInput(decision.reason);
    if (conversion.state === 'assembling') await notify(tx, { kind: 'stop', conversionId: id });
    await tx
      .update(conversionPages)
      .set({
        state: 'waiting',
        error: null,
        transcription: null,
        attempts: 0,
        leaseToken: null,
        leaseUntil: null,
      })
      .where(and(eq(conversionPages.conversionId, id), eq(conversionPages.number, number)));
    await tx
      .update(conversions)
      .set({
        state: 'reading',
        error: null,
        lastAttemptAt: now,
        assemblyToken: null,
        assemblyLeaseUntil: null,
      })
      .where(eq(conversions.id, id));
    const stage: RecordedEvent[] =
      conversion.state === 'reading' ? [] : [{ type: 'stage', state: 'reading' }];
    await appendEvents(tx, id, [...stage, { type: 'page', pageNumber: number }]);
    await notify(tx, { kind: 'work' });
  });
}

/** Counts that a conversion's pages are read again free of charge. */
export async function noteReread(
  tx: Transaction,
  { id, files }: ConversionRow,
  rereads: number,
): Promise<void> {
  await tx
    .update(conversions)
    .set({ files: files.map((file) => ({ ...file, rereads })) })
    .where(eq(conversions.id, id));
}

/**
 * Hides the conversion from its user for good, and makes its files due for deletion.
 * @throws ApiError NOT_FOUND
 */
export async function dismissConversion(db: Database, id: string, owners: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    const conversion = await lockOwned(tx, id, owners);
    const isRunning = !isAtRest(conversion.state);
    await tx
      .update(conversions)
      .set({ dismissedAt: now, endedAt: now, ...(isRunning ? { state: 'cancelled' as const } : {}) })
      .where(eq(conversions.id, id));
    if (isRunning) await notify(tx, { kind: 'stop', conversionId: id });
    await releasePages(tx, { conversionId: id, pages: 'rest' });
    // streams still following it check, find that it no longer exists, and end
    await notify(tx, { kind: 'event', conversionId: id });
  });
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
