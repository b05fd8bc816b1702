/**
 * The queue: which page is read next, which document is assembled next, and what happens when one is done. A
 * job is taken under a lease; only the holder of the lease may write its outcome (the token is checked under
 * the conversion's row lock), so work that was given twice is still recorded once. Claims are serialised in the
 * whole installation by an advisory lock: they take milliseconds, and the count of running jobs on which
 * fairness depends is exact.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { releasePages } from '../../credits/index.ts';
import type { Database, Transaction } from '../database.ts';
import { fromNow, now } from '../database.ts';
import { appendEvents, type RecordedEvent } from '../follow/events.ts';
import { notify } from '../follow/notifications.ts';
import type { ConversionRow, PageRow } from '../present.ts';
import { conversionPages, conversions } from '../schema.ts';
import type { AssemblyJob, PageJob } from './jobs.ts';
import { generationFailed, settleFailedAssembly, settleReading } from './outcomes.ts';
import { listPages, lockConversion } from './store.ts';

/**
 * How long a lease lasts unless renewed, in ms. A killed worker's pages are read again after this long; it
 * allows three renewals, so a paused process (garbage collection, a loaded machine) does not lose its work.
 */
const leaseMs = 15_000;
/** How often a working process renews its leases, in ms. */
export const renewalMs = 4_000;
/** Leases a page may lose before it fails for good, as the likely cause of the crashes. */
const maxPageAttempts = 6;
/** The same for an assembly. */
const maxAssemblyAttempts = 6;

/** Of a page `p`: nobody reads it, or nobody any more. */
const isWaiting = sql`(p.state = 'waiting' or (p.state = 'reading' and p.lease_until <= clock_timestamp()))`;

/** Serialises claims; any number that nothing else in this database uses for an advisory lock. */
const claimLock = 7_316_402_115n;

/**
 * Takes the next page: of the network with the fewest pages being read, then of the one served longest ago;
 * within a network, by the same rule among its callers; then of the oldest conversion, in page order. Pages
 * whose lease expired count as waiting. Null if nothing waits.
 * @param without callers whose pages are left to other workers
 */
export async function claimPage(db: Database, without: readonly string[] = []): Promise<PageJob | null> {
  return db.transaction(async (tx) => {
    await beginClaim(tx);
    for (;;) {
      const { rows } = await tx.execute<WaitingPage | { conversionId: null }>(sql`
        with visitor as (
          select c.turn, c.caller_id, max(p.leased_at) as at,
                 count(*) filter (where p.state = 'reading' and p.lease_until > clock_timestamp()) as running,
                 min(c.created_at) filter (where ${isWaiting}) as oldest
          from conversions c join conversion_pages p on p.conversion_id = c.id
          where c.state = 'reading' group by c.turn, c.caller_id
          having bool_or(p.state in ('waiting', 'reading'))
        ), share as (
          select turn, caller_id, running, at, oldest,
                 sum(running) over (partition by turn) as network_running,
                 max(at) over (partition by turn) as network_at
          from visitor
        ), next as (
          select turn, caller_id from share
          where oldest is not null ${without.length > 0 ? sql`and caller_id not in ${[...without]}` : sql``}
          order by network_running, network_at nulls first, running, at nulls first, oldest, caller_id
          limit 1
        ), page as (
          select c.id, p.number, p.file_index as "fileIndex", p.page_index as "pageIndex", p.attempts,
                 p.state = 'waiting' as "isNew"
          from next join conversions c using (turn, caller_id) join conversion_pages p on p.conversion_id = c.id
          where c.state = 'reading' and ${isWaiting}
          order by c.created_at, c.id, p.number
          limit 1
        ), locked as (
          select c.id, c.caller_id as "callerId", c.turn as network, c.page_count as "pageCount", c.files, c.drawings
          from conversions c where c.id = (select id from page) and c.state = 'reading' for update
        )
        select page.*, locked.*, locked.id as "conversionId" from page left join locked on true`);
      const [next] = rows;
      if (!next) return null;
      // without an id, the conversion has left `reading` before it was locked
      const job = next.conversionId === null ? 'taken' : await leasePage(tx, next);
      if (job !== 'taken') return job;
    }
  });
}

/** Serialises claims. It need not survive a crash of the database: the job would simply wait again. */
async function beginClaim(tx: Transaction): Promise<void> {
  await tx.execute(
    sql`select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${claimLock})`,
  );
}

/** A page that waits, and its conversion, whose row is locked. */
type WaitingPage = Pick<
  PageJob,
  'conversionId' | 'callerId' | 'network' | 'number' | 'pageCount' | 'pageIndex'
> &
  Pick<ConversionRow, 'files' | 'drawings'> &
  Pick<PageRow, 'fileIndex' | 'attempts'> & {
    /** Nobody has held it since it began to wait. */
    isNew: boolean;
  };

/** `taken` if it no longer waits, or was just given up: look for another. */
async function leasePage(tx: Transaction, page: WaitingPage): Promise<PageJob | 'taken'> {
  const { conversionId, callerId, network, number, pageCount, pageIndex, drawings } = page;
  const isGivenUp = page.attempts >= maxPageAttempts;
  const token = randomUUID();
  // the row was read before its conversion was locked
  const leased = await tx
    .update(conversionPages)
    .set(
      isGivenUp
        ? { state: 'failed', error: generationFailed(), leaseToken: null, leaseUntil: null }
        : {
            state: 'reading',
            attempts: page.attempts + 1,
            leaseToken: token,
            leaseUntil: fromNow(leaseMs),
            leasedAt: now,
          },
    )
    .where(
      and(
        eq(conversionPages.conversionId, conversionId),
        eq(conversionPages.number, number),
        eq(conversionPages.attempts, page.attempts),
        sql`(state = 'waiting' or (state = 'reading' and lease_until <= clock_timestamp()))`,
      ),
    )
    .returning({ number: conversionPages.number });
  if (leased.length === 0) return 'taken';
  const events: RecordedEvent[] = [{ type: 'page', pageNumber: number }];
  if (isGivenUp) {
    const conversion = await lockConversion(tx, conversionId);
    await releasePages(tx, { conversionId, pages: [number] });
    if (conversion) await settleReading(tx, conversion, events);
    return 'taken';
  }
  if (page.isNew) await appendEvents(tx, conversionId, events, { isAttempt: true });
  else await tx.update(conversions).set({ lastAttemptAt: now }).where(eq(conversions.id, conversionId));
  return {
    kind: 'page',
    conversionId,
    callerId,
    network,
    number,
    pageCount,
    file: page.files[page.fileIndex]!,
    pageIndex,
    drawings,
    token,
  };
}

/**
 * Takes the next document to assemble: of the network with the fewest being assembled, within it of the caller
 * with the fewest, the one waiting longest.
 */
export async function claimAssembly(db: Database): Promise<AssemblyJob | null> {
  return db.transaction(async (tx) => {
    await beginClaim(tx);
    for (;;) {
      const { rows } = await tx.execute<{ id: string }>(sql`
        with waiting as (
          select id, turn, caller_id, last_attempt_at,
                 assembly_lease_until is not null and assembly_lease_until > clock_timestamp() as is_running
          from conversions where state = 'assembling'
        ), share as (
          select turn, caller_id, count(*) filter (where is_running) as running,
                 sum(count(*) filter (where is_running)) over (partition by turn) as network_running
          from waiting group by turn, caller_id
        )
        select id from waiting join share using (turn, caller_id)
        where not is_running order by network_running, running, last_attempt_at, id limit 1`);
      const [next] = rows;
      if (!next) return null;
      const conversion = await lockConversion(tx, next.id);
      if (conversion?.state !== 'assembling') continue;
      const pages = await listPages(tx, next.id);
      if (conversion.assemblyAttempts >= maxAssemblyAttempts) {
        await settleFailedAssembly(tx, conversion, pages, generationFailed());
        continue;
      }
      const token = randomUUID();
      await tx
        .update(conversions)
        .set({
          assemblyToken: token,
          assemblyLeaseUntil: fromNow(leaseMs),
          assemblyAttempts: conversion.assemblyAttempts + 1,
          lastAttemptAt: now,
        })
        .where(eq(conversions.id, next.id));
      const { callerId, network } = conversion;
      return { kind: 'assembly', conversionId: next.id, callerId, network, pages, token };
    }
  });
}

/** Renews leases; returns the tokens whose work still counts. */
export async function renewLeases(db: Database, tokens: readonly string[]): Promise<Set<string>> {
  if (tokens.length === 0) return new Set();
  const pages = await db
    .update(conversionPages)
    .set({ leaseUntil: fromNow(leaseMs) })
    .where(
      and(
        inArray(conversionPages.leaseToken, [...tokens]),
        eq(conversionPages.state, 'reading'),
        sql`exists (select from conversions c where c.id = conversion_id and c.state = 'reading' and c.dismissed_at is null)`,
      ),
    )
    .returning({ token: conversionPages.leaseToken });
  const assemblies = await db
    .update(conversions)
    .set({ assemblyLeaseUntil: fromNow(leaseMs) })
    .where(
      and(
        inArray(conversions.assemblyToken, [...tokens]),
        eq(conversions.state, 'assembling'),
        isNull(conversions.dismissedAt),
      ),
    )
    .returning({ token: conversions.assemblyToken });
  return new Set([...pages, ...assemblies].flatMap((row) => row.token ?? []));
}

/**
 * Returns jobs unfinished, when a process shuts down or was told to stop. Jobs that still count wait again at
 * once without losing an attempt, unless `wasTried`; for the others only the lease ends.
 */
export async function releaseJobs(
  db: Database,
  jobs: readonly (PageJob | AssemblyJob)[],
  { wasTried = false } = {},
): Promise<void> {
  const returned = wasTried ? 0 : 1;
  for (const job of jobs) {
    await db.transaction(async (tx) => {
      const conversion = await lockConversion(tx, job.conversionId);
      if (job.kind === 'assembly') {
        await tx
          .update(conversions)
          .set({
            assemblyToken: null,
            assemblyLeaseUntil: null,
            assemblyAttempts: sql`greatest(assembly_attempts - ${returned}::int, 0)`,
          })
          .where(and(eq(conversions.id, job.conversionId), eq(conversions.assemblyToken, job.token)));
        return;
      }
      const thisLease = and(
        eq(conversionPages.conversionId, job.conversionId),
        eq(conversionPages.number, job.number),
        eq(conversionPages.leaseToken, job.token),
      );
      if (conversion?.state === 'reading') {
        const waitingAgain = await tx
          .update(conversionPages)
          .set({ state: 'waiting', attempts: sql`greatest(attempts - ${returned}::int, 0)` })
          .where(and(thisLease, eq(conversionPages.state, 'reading')))
          .returning({ number: conversionPages.number });
        if (waitingAgain.length > 0)
          await appendEvents(tx, job.conversionId, [{ type: 'page', pageNumber: job.number }]);
      }
      await tx.update(conversionPages).set({ leaseToken: null, leaseUntil: null }).where(thisLease);
    });
  }
  if (jobs.length > 0) await notify(db, { kind: 'work' });
}
