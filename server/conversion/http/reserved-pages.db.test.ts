// A conversion's credits, in every course its rows can take: stale leases, kills, sweeps, failed documents,
// lost pages.
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccountWithCredits, findDifferences } from '../../../test-support/money/credits.ts';
import { checkBalances, readBalance, reservePages } from '../../credits/index.ts';
import { completeAssembly, completePage, generationFailed } from '../queue/outcomes.ts';
import { claimAssembly, claimPage, releaseJobs } from '../queue/queue.ts';
import { cancelConversion, dismissConversion, retryPage } from '../queue/store.ts';
import { sweep } from '../queue/sweep.ts';
import { conversionPages, conversions } from '../schema.ts';
import { createRig, failedOutcome, type Rig, readOutcome } from '../testing/rig.ts';

let rig: Rig;
let ada: string;
let totalBefore: number;

beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.db.delete(conversions);
  ada = await createAccountWithCredits(rig.database, { conversion: 10 });
  totalBefore = await total();
});
afterEach(async () => {
  expect(await findDifferences(rig.db)).toEqual([]);
});

const total = async () => (await checkBalances(rig.db)).pageTotal;
/** How many of ten credits are left, and by how much the total has grown. */
const balanceAndTotal = async () => [
  (await readBalance(rig.db, ada))?.conversion,
  (await total()) - totalBefore,
];

async function accept(pages: number): Promise<string> {
  const id = await rig.create(ada, pages);
  await rig.db.transaction((tx) => reservePages(tx, { userId: ada, conversionId: id, pages }));
  return id;
}

const claim = async () => (await claimPage(rig.db))!;

/** Reads every waiting page; those in `failing` fail. */
async function readAll(...failing: number[]): Promise<void> {
  for (let job = await claimPage(rig.db); job; job = await claimPage(rig.db))
    await completePage(rig.db, job, failing.includes(job.number) ? failedOutcome() : readOutcome(job));
}

async function deliver(pages: number[], unsettable: number[] = []) {
  const job = (await claimAssembly(rig.db))!;
  const folder = `conversions/${job.conversionId}/results/${job.token}/`;
  const result = { latex: 'x', warnings: [], figures: [], folder, pages };
  const outcome = {
    kind: 'proven' as const,
    result,
    unsettable: unsettable.map((number) => ({ number, error: generationFailed() })),
  };
  return {
    record: await completeAssembly(rig.db, job, outcome),
    again: () => completeAssembly(rig.db, job, outcome),
  };
}

async function failDocument(): Promise<void> {
  const job = (await claimAssembly(rig.db))!;
  await completeAssembly(rig.db, job, { kind: 'failed', error: generationFailed() });
}

test('work done by two processes is charged once', async () => {
  await accept(2);
  const first = await claim();
  await completePage(rig.db, first, failedOutcome());
  await completePage(rig.db, first, failedOutcome());
  expect(await balanceAndTotal()).toEqual([9, 0]);
  await readAll();
  const { again } = await deliver([2]);
  expect((await again()).kind).toBe('discarded');
  expect(await balanceAndTotal()).toEqual([9, 1]);
});

test('a killed worker loses nothing: another reads the page, charged once', async () => {
  await accept(1);
  const killed = await claim();
  await rig.db.update(conversionPages).set({ leaseUntil: new Date(0) });
  await readAll();
  await deliver([1]);
  // it was only suspended, and finishes its work now
  expect(await completePage(rig.db, killed, failedOutcome())).toBe('discarded');
  expect(await balanceAndTotal()).toEqual([9, 1]);
});

test('a page that kills every worker is abandoned, and its credit returned', async () => {
  await accept(2);
  await claim();
  await rig.db
    .update(conversionPages)
    .set({ leaseUntil: new Date(0), attempts: 6 })
    .where(eq(conversionPages.number, 1));
  await readAll();
  expect(await balanceAndTotal()).toEqual([9, 0]);
  await deliver([2]);
  expect(await balanceAndTotal()).toEqual([9, 1]);
});

test('a document that fails costs nothing; tried again, it costs its pages', async () => {
  const id = await accept(3);
  await readAll();
  await failDocument();
  expect(await balanceAndTotal()).toEqual([10, 0]);
  await retryPage(rig.db, id, [ada], 2);
  await readAll();
  await deliver([1, 2, 3]);
  expect(await balanceAndTotal()).toEqual([7, 3]);
});

test('an assembly that kills every worker returns all credits', async () => {
  await accept(2);
  await readAll();
  await rig.db.update(conversions).set({ assemblyAttempts: 6 });
  expect(await claimAssembly(rig.db)).toBeNull();
  expect(await balanceAndTotal()).toEqual([10, 0]);
});

test('a page that could be read but not typeset costs nothing', async () => {
  await accept(3);
  await readAll();
  await deliver([1, 3], [2]);
  expect(await balanceAndTotal()).toEqual([8, 2]);
});

test('a page of the first document that the second lacks is given back', async () => {
  const id = await accept(2);
  await readAll(2);
  await deliver([1]);
  expect(await balanceAndTotal()).toEqual([9, 1]);
  await retryPage(rig.db, id, [ada], 2);
  await readAll();
  await deliver([2], [1]);
  expect(await balanceAndTotal()).toEqual([9, 1]);
});

test('a later document that fails does not change what the first one cost', async () => {
  const id = await accept(2);
  await readAll(2);
  await deliver([1]);
  await retryPage(rig.db, id, [ada], 2);
  await readAll();
  await failDocument();
  expect(await balanceAndTotal()).toEqual([9, 1]);
  await retryPage(rig.db, id, [ada], 2);
  await cancelConversion(rig.db, id, [ada]);
  expect(await balanceAndTotal()).toEqual([9, 1]);
});

test('if cancelled or dismissed at any moment, undelivered pages are given back', async () => {
  for (const end of [cancelConversion, dismissConversion]) {
    for (const moment of ['waiting', 'reading', 'partly', 'assembling'] as const) {
      const id = await accept(3);
      const job = moment === 'waiting' ? null : await claim();
      if (moment === 'partly') await completePage(rig.db, job!, failedOutcome());
      if (moment === 'assembling') {
        await completePage(rig.db, job!, readOutcome(job!));
        await readAll();
      }
      await end(rig.db, id, [ada]);
      await end(rig.db, id, [ada]).catch(() => {});
      expect([end.name, moment, await balanceAndTotal()]).toEqual([end.name, moment, [10, 0]]);
    }
  }
});

test('an expired conversion gives back its undelivered pages', async () => {
  await accept(4);
  await completePage(rig.db, await claim(), failedOutcome());
  await rig.db.update(conversions).set({ lastAttemptAt: new Date(0) });
  await sweep(rig);
  await sweep(rig);
  expect(await balanceAndTotal()).toEqual([10, 0]);
  // both timestamps are their transaction's: expiry and release happened in one
  const { rows } = await rig.db.execute(sql`
    select from credit_entries entry join conversion_events event on event.at = entry.created_at
    where entry.user_id = ${ada} and entry.kind = 'release' and event.type = 'expired'`);
  expect(rows).toHaveLength(1);
});

test('work in progress keeps its credits through every sweep and handover', async () => {
  await accept(2);
  const job = await claim();
  await releaseJobs(rig.db, [job]);
  await sweep(rig);
  expect(await balanceAndTotal()).toEqual([8, 0]);
});

test('a conversion removed or ended by hand returns its credits at the next sweep', async () => {
  const [removed, ended] = [await accept(2), await accept(3)];
  await rig.db.delete(conversions).where(eq(conversions.id, removed));
  await rig.db.update(conversions).set({ state: 'cancelled' }).where(eq(conversions.id, ended));
  expect(await balanceAndTotal()).toEqual([5, 0]);
  await sweep(rig);
  await sweep(rig);
  expect(await balanceAndTotal()).toEqual([10, 0]);
});

test('deleting an account during its work stops nothing and costs nobody', async () => {
  await accept(2);
  await readAll();
  await rig.database.pool.query('DELETE FROM auth.users WHERE id = $1', [ada]);
  expect((await deliver([1, 2])).record.kind).toBe('recorded');
  expect(await balanceAndTotal()).toEqual([undefined, 0]);
});

test('visitors’ work begun before accounts were required continues, free of charge', async () => {
  await rig.create('a visitor of an older release', 2);
  await readAll(1);
  await deliver([2]);
  expect(await balanceAndTotal()).toEqual([10, 0]);
});
