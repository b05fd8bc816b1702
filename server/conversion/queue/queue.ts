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
import { appendEvents } from '../follow/events.ts';
import { notify } from '../follow/notifications.ts';
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
      const { rows } = await tx.execute<{ conversion_id: string; number: number }>(sql`
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
        )
        select c.id as conversion_id, p.number
        from next join conversions c using (turn, caller_id) join conversion_pages p on p.conversion_id = c.id
        where c.state = 'reading' and ${isWaiting}
        order by c.created_at, c.id, p.number
        limit 1`);
      const [next] = rows;
      if (!next) return null;
      const job = await leasePage(tx, next.conversion_id, next.number);
      if (job !== 'taken') return job;
    }
  });
}

/** Serialises claims. It need not survive a crash of the database: the job would simply wait again. */
async function beginClaim(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local synchronous_commit = off`);
  await tx.execute(sql`select pg_advisory_xact_lock(${claimLock})`);
}

/** `taken` if it no longer waits, or was just given up: look for another. */
async function leasePage(tx: Transaction, conversionId: string, number: number): Promise<PageJob | 'taken'> {
  const conversion = await lockConversion(tx, conversionId);
  if (conversion?.state !== 'reading') {
    // a dismissed conversion is never in `reading`; this one changed before it was locked
    return 'taken';
  }
  const thisPage = and(eq(conversionPages.conversionId, conversionId), eq(conversionPages.number, number));
  const [page] = await tx
    .select()
    .from(conversionPages)
    .where(
      and(thisPage, sql`(state = 'waiting' or (state = 'reading' and lease_until <= clock_timestamp()))`),
    );
  if (!page) return 'taken';
  if (page.attempts >= maxPageAttempts) {
    await tx
      .update(conversionPages)
      .set({ state: 'failed', error: generationFailed(), leaseToken: null, leaseUntil: null })
      .where(thisPage);
    await releasePages(tx, { conversionId, pages: [number] });
    await settleReading(tx, conversion, [{ type: 'page', pageNumber: number }]);
    return 'taken';
  }
  const token = randomUUID();
  await tx
    .update(conversionPages)
    .set({
      state: 'reading',
      attempts: page.attempts + 1,
      leaseToken: token,
      leaseUntil: fromNow(leaseMs),
      leasedAt: now,
    })
    .where(thisPage);
  await tx.update(conversions).set({ lastAttemptAt: now }).where(eq(conversions.id, conversionId));
  if (page.state === 'waiting') await appendEvents(tx, conversionId, [{ type: 'page', pageNumber: number }]);
  return {
    kind: 'page',
    conversionId,
    callerId: conversion.callerId,
    network: conversion.network,
    number,
    pageCount: conversion.pageCount,
    file: conversion.files[page.fileIndex]!,
    pageIndex: page.pageIndex,
    drawings: conversion.drawings,
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
