/**
 * Deletes what conversions store once their work is over: upload, renders and crops at the end, the result and
 * all text on dismissal or after 60 minutes. Whoever ends a conversion removes its files at once; the sweeper
 * periodically removes what a crash left behind. Every step may be repeated.
 */

import { and, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type Repeated, repeat } from '#platform/repeat.ts';
import { conversionLifetimeMs } from '#shared/api/limits.ts';
import { listOpenConversions, releasePages } from '../../credits/index.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Database } from '../database.ts';
import { fromNow, now } from '../database.ts';
import {
  conversionIdOfKey,
  conversionPrefix,
  conversionsPrefix,
  pagesPrefix,
  uploadsPrefix,
} from '../files.ts';
import { appendEvents } from '../follow/events.ts';
import { notify } from '../follow/notifications.ts';
import { conversionPages, conversions, conversionUploads } from '../schema.ts';
import { isUuid } from './store.ts';

/** How long page pictures outlive the last delivery, in ms: browsers are then fetching their own copies. */
export const previewGraceMs = 60_000;
/** How long the emptied row stays, in ms, so that a late caller gets "expired" instead of "not found". */
const rowRetentionMs = 24 * 60 * 60_000;
/** An upload record not renewed for this long, in ms, belongs to a dead process. */
export const uploadAbandonedMs = 5 * 60_000;
/** How often the sweeper runs, and how often it compares the whole storage with the tables, in ms. */
const sweepIntervalMs = 30_000;
const reconcileIntervalMs = 60 * 60_000;

export interface SweepOptions {
  db: Database;
  storage: Storage;
  /** Default: 60 minutes, from shared/api/limits.ts. */
  lifetimeMs?: number;
}

/** Removes a conversion's files that are due, if any. */
export async function removeDueFiles({ db, storage }: SweepOptions, id: string): Promise<void> {
  const { state, dismissedAt, workFilesGoneAt } = conversions;
  const [conversion] = await db
    .select({ state, dismissedAt, workFilesGoneAt })
    .from(conversions)
    .where(and(eq(conversions.id, id), isNotNull(conversions.endedAt), isNull(conversions.allFilesGoneAt)));
  if (!conversion) return;
  const isResultKept = conversion.state === 'delivered' && !conversion.dismissedAt;
  if (isResultKept) {
    if (conversion.workFilesGoneAt) return;
    await storage.deletePrefix(uploadsPrefix(id));
    const [grace] = await db
      .select({ isOver: sql<boolean>`${conversions.endedAt} <= ${fromNow(-previewGraceMs)}` })
      .from(conversions)
      .where(eq(conversions.id, id));
    if (!grace?.isOver) return;
    await storage.deletePrefix(pagesPrefix(id));
    await db.update(conversions).set({ workFilesGoneAt: now }).where(eq(conversions.id, id));
    return;
  }
  // a worker that has not yet noticed may still write: check again once its lease is over
  const isWorkedOn = await hasLiveLease(db, id);
  await storage.deletePrefix(conversionPrefix(id));
  if (isWorkedOn) return;
  if (conversion.dismissedAt) {
    await db.delete(conversions).where(eq(conversions.id, id));
    return;
  }
  await db.transaction(async (tx) => {
    await tx
      .update(conversionPages)
      .set({ transcription: null, previewKey: null })
      .where(eq(conversionPages.conversionId, id));
    await tx
      .update(conversions)
      .set({ result: null, workFilesGoneAt: now, allFilesGoneAt: now })
      .where(eq(conversions.id, id));
  });
}

async function hasLiveLease(db: Database, id: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from conversion_pages where conversion_id = ${id} and lease_until > clock_timestamp()
    union all
    select 1 from conversions where id = ${id} and assembly_lease_until > clock_timestamp() limit 1`);
  return rows.length > 0;
}

/**
 * One round: expires old conversions, gives back orphaned credits, removes due files, deletes emptied rows and
 * abandoned uploads.
 */
export async function sweep(options: SweepOptions): Promise<void> {
  const { db, storage, lifetimeMs = conversionLifetimeMs } = options;
  const old = await db
    .select({ id: conversions.id })
    .from(conversions)
    .where(
      and(
        isNull(conversions.allFilesGoneAt),
        isNull(conversions.dismissedAt),
        inArray(conversions.state, ['reading', 'assembling', 'delivered', 'failed']),
        lt(conversions.lastAttemptAt, fromNow(-lifetimeMs)),
      ),
    );
  for (const { id } of old) await expire(db, id, lifetimeMs);
  await releaseHeldCredits(db);
  const due = await db
    .select({ id: conversions.id })
    .from(conversions)
    .where(
      and(
        isNotNull(conversions.endedAt),
        isNull(conversions.allFilesGoneAt),
        or(
          isNull(conversions.workFilesGoneAt),
          isNotNull(conversions.dismissedAt),
          sql`${conversions.state} <> 'delivered'`,
        ),
      ),
    );
  for (const { id } of due) await removeDueFiles(options, id);
  await db.delete(conversions).where(lt(conversions.allFilesGoneAt, fromNow(-rowRetentionMs)));
  const abandoned = await db
    .select({ id: conversionUploads.id })
    .from(conversionUploads)
    .where(lt(conversionUploads.renewedAt, fromNow(-uploadAbandonedMs)));
  for (const { id } of abandoned) {
    await storage.deletePrefix(conversionPrefix(id));
    await db.delete(conversionUploads).where(eq(conversionUploads.id, id));
  }
}

async function expire(db: Database, id: string, lifetimeMs: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [conversion] = await tx
      .update(conversions)
      .set({ state: 'expired', endedAt: now })
      .where(
        and(
          eq(conversions.id, id),
          inArray(conversions.state, ['reading', 'assembling', 'delivered', 'failed']),
          lt(conversions.lastAttemptAt, fromNow(-lifetimeMs)),
        ),
      )
      .returning({ id: conversions.id });
    if (!conversion) return;
    await appendEvents(tx, id, [{ type: 'stage', state: 'expired' }, { type: 'expired' }]);
    await notify(tx, { kind: 'stop', conversionId: id });
    await releasePages(tx, { conversionId: id, pages: 'rest' });
  });
}

/**
 * Gives back credits of conversions that are over or no longer exist. Ending a conversion does this in the same
 * transaction; this covers anything else that may happen to a row, such as manual removal.
 */
async function releaseHeldCredits(db: Database): Promise<void> {
  const open = await listOpenConversions(db);
  const isRunning = and(
    inArray(conversions.state, ['reading', 'assembling']),
    isNull(conversions.dismissedAt),
  );
  const running = await db
    .select({ id: conversions.id })
    .from(conversions)
    .where(and(inArray(conversions.id, open), isRunning));
  const stillRun = new Set(running.map(({ id }) => id));
  for (const id of open.filter((one) => !stillRun.has(one)))
    await db.transaction(async (tx) => {
      // a failed one may have restarted since
      const { rows } = await tx.execute(
        sql`select from ${conversions} where ${conversions.id} = ${id} and ${isRunning} for update`,
      );
      if (rows.length === 0) await releasePages(tx, { conversionId: id, pages: 'rest' });
    });
}

/**
 * Compares the storage with the tables and removes what belongs to no conversion: files that a paused process
 * wrote after losing its lease, or that a restored backup does not know.
 */
export async function removeOrphans({ db, storage }: SweepOptions): Promise<number> {
  let removed = 0;
  let last: string | null = null;
  for await (const { key } of storage.list(conversionsPrefix)) {
    const id = conversionIdOfKey(key);
    if (!id || id === last || !isUuid(id)) continue;
    last = id;
    // both tables in one statement: an upload that becomes a conversion is in one of them
    const { rows } = await db.execute(sql`
      select 1 from conversions where id = ${id} and all_files_gone_at is null
      union all select 1 from conversion_uploads where id = ${id}`);
    if (rows.length > 0) continue;
    await storage.deletePrefix(conversionPrefix(id));
    removed++;
  }
  return removed;
}

/** Sweeps periodically. Several processes may do so: each step is safe to repeat. */
export function startSweeper(options: SweepOptions & { logger: Logger }): Repeated {
  const { logger } = options;
  let reconciledAt = Number.NEGATIVE_INFINITY;
  const round = async () => {
    await sweep(options);
    if (performance.now() - reconciledAt <= reconcileIntervalMs) return;
    reconciledAt = performance.now();
    const removed = await removeOrphans(options);
    if (removed > 0) logger.warn({ removed }, 'removed files that belonged to no conversion');
  };
  return repeat(round, { everyMs: sweepIntervalMs, logger, failure: 'sweeping failed' });
}
