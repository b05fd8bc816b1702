import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readEvents } from '../follow/events.ts';
import { conversionPages, conversions } from '../schema.ts';
import { createRig, failedOutcome, type Rig, readOutcome } from '../testing/rig.ts';
import type { PageJob } from './jobs.ts';
import { completeAssembly, completePage } from './outcomes.ts';
import { claimAssembly, claimPage, releaseJobs, renewLeases } from './queue.ts';
import { cancelConversion, dismissConversion, getConversion, listPages, retryPage } from './store.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.db.delete(conversions);
});

async function claim(): Promise<PageJob> {
  const job = await claimPage(rig.db);
  if (!job) throw new Error('nothing waits');
  return job;
}

/** Simulates time passing: the leases of a process that no longer renews them expire. */
async function letLeasesRunOut(): Promise<void> {
  await rig.db.execute(
    sql`update conversion_pages set lease_until = clock_timestamp() - interval '1 second' where lease_until is not null`,
  );
  await rig.db.execute(
    sql`update conversions set assembly_lease_until = clock_timestamp() - interval '1 second' where assembly_lease_until is not null`,
  );
}

async function deliver(id: string): Promise<void> {
  const job = await claimAssembly(rig.db);
  expect(job?.conversionId).toBe(id);
  const pages = job!.pages.filter((page) => page.state === 'read').map((page) => page.number);
  const result = { latex: 'x', warnings: [], figures: [], folder: `conversions/${id}/results/x/`, pages };
  await rig.storage.put(`${result.folder}document.pdf`, new TextEncoder().encode('%PDF'));
  expect(await completeAssembly(rig.db, job!, { kind: 'proven', result, unsettable: [] })).toMatchObject({
    kind: 'recorded',
  });
}

const stateOf = async (id: string) => (await getConversion(rig.db, id, ['ada'])).state;

test('a long conversion does not starve another visitor’s single page', async () => {
  await rig.create('ada', 200);
  const busy: PageJob[] = [];
  for (let slot = 0; slot < 8; slot++) busy.push(await claim());
  const single = await rig.create('bob', 1);
  await completePage(rig.db, busy[0]!, readOutcome(busy[0]!));
  expect((await claim()).conversionId).toBe(single);
});

test('visitors take turns, whoever came first', async () => {
  await rig.create('ada', 4);
  await rig.create('ada', 4);
  await rig.create('bob', 2);
  await rig.create('eve', 2);
  const order: string[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const job = await claim();
    order.push(job.callerId);
    await completePage(rig.db, job, readOutcome(job));
  }
  expect(order).toEqual(['ada', 'bob', 'eve', 'ada', 'bob', 'eve']);
});

test('networks take turns, and so do their visitors: many of them get no more than one alone', async () => {
  for (const visitor of ['ada', 'ben', 'cyd']) await rig.create(visitor, 4, 'one network');
  await rig.create('eve', 4, 'another');
  const order: string[] = [];
  for (let turn = 0; turn < 8; turn++) {
    const job = await claim();
    order.push(job.callerId);
    await completePage(rig.db, job, readOutcome(job));
  }
  expect(order).toEqual(['ada', 'eve', 'ben', 'eve', 'cyd', 'eve', 'ada', 'eve']);
});

test('while pages are being read, each network has as many of them as the other', async () => {
  for (const visitor of ['ada', 'ben', 'cyd']) await rig.create(visitor, 4, 'one network');
  await rig.create('eve', 4, 'another');
  const jobs: PageJob[] = [];
  for (let slot = 0; slot < 6; slot++) jobs.push(await claim());
  expect(jobs.filter((job) => job.network === 'another')).toHaveLength(3);
  expect(new Set(jobs.map((job) => job.callerId))).toEqual(new Set(['ada', 'ben', 'cyd', 'eve']));
});

test('assembling documents also takes turns between networks', async () => {
  for (const visitor of ['ada', 'ben']) await rig.create(visitor, 1, 'one network');
  const last = await rig.create('eve', 1, 'another');
  for (let page = 0; page < 3; page++) {
    const job = await claim();
    await completePage(rig.db, job, readOutcome(job));
  }
  await rig.db
    .update(conversions)
    .set({ lastAttemptAt: sql`clock_timestamp()` })
    .where(eq(conversions.id, last));
  const order = [await claimAssembly(rig.db), await claimAssembly(rig.db), await claimAssembly(rig.db)];
  expect(order.map((job) => job?.network)).toEqual(['one network', 'another', 'one network']);
});

test('no page is given out twice during its lease, however many ask concurrently', async () => {
  await rig.create('ada', 20);
  await rig.create('bob', 20);
  // on a busy machine fifty claims may take longer than a lease
  await rig.db.execute(sql`
    create function lengthen_lease() returns trigger language plpgsql as
      $$ begin new.lease_until := new.lease_until + interval '1 hour'; return new; end $$`);
  await rig.db.execute(sql`
    create trigger lengthen_lease before update on conversion_pages
      for each row when (new.lease_until is not null) execute function lengthen_lease()`);
  onTestFinished(async () => void (await rig.db.execute(sql`drop function lengthen_lease cascade`)));
  const jobs = await Promise.all(Array.from({ length: 50 }, () => claimPage(rig.db)));
  const taken = jobs.flatMap((job) => (job ? [`${job.conversionId} ${job.number}`] : []));
  expect(taken).toHaveLength(40);
  expect(new Set(taken).size).toBe(40);
});

test('a page whose worker died is read again; late results from the dead one are dropped', async () => {
  const id = await rig.create('ada', 1);
  const lost = await claim();
  expect(await claimPage(rig.db)).toBeNull();
  await letLeasesRunOut();
  const again = await claim();
  expect(again).toMatchObject({ conversionId: id, number: 1 });
  expect(await completePage(rig.db, lost, readOutcome(lost, 'too late'))).toBe('discarded');
  expect(await completePage(rig.db, again, readOutcome(again, 'in time'))).toBe('recorded');
  expect((await listPages(rig.db, id))[0]?.transcription?.body).toBe('in time');
});

test('a renewed lease does not expire, one that no longer counts is not renewed', async () => {
  const id = await rig.create('ada', 2);
  const [valid, other] = [await claim(), await claim()];
  await letLeasesRunOut();
  expect(await renewLeases(rig.db, [valid.token])).toEqual(new Set([valid.token]));
  expect((await claim()).number).toBe(other.number);
  expect(await claimPage(rig.db)).toBeNull();
  await cancelConversion(rig.db, id, ['ada']);
  expect(await renewLeases(rig.db, [valid.token])).toEqual(new Set());
});

test('a page that kills every worker finally fails, and the others are delivered', async () => {
  const id = await rig.create('ada', 2);
  const first = await claim();
  await completePage(rig.db, first, readOutcome(first));
  for (let crash = 0; crash < 6; crash++) {
    expect((await claim()).number).toBe(2);
    await letLeasesRunOut();
  }
  expect(await claimPage(rig.db)).toBeNull();
  expect((await listPages(rig.db, id))[1]).toMatchObject({ state: 'failed' });
  expect(await stateOf(id)).toBe('assembling');
});

test('a process shutting down gives its pages back at once', async () => {
  await rig.create('ada', 1);
  const job = await claim();
  await releaseJobs(rig.db, [job]);
  const again = await claim();
  expect(again.number).toBe(1);
  expect(again.token).not.toBe(job.token);
});

test('the last page starts the assembly, and a document is delivered once', async () => {
  const id = await rig.create('ada', 2);
  for (const job of [await claim(), await claim()]) {
    expect(await stateOf(id)).toBe('reading');
    await completePage(rig.db, job, readOutcome(job));
  }
  expect(await stateOf(id)).toBe('assembling');
  const first = await claimAssembly(rig.db);
  expect(await claimAssembly(rig.db)).toBeNull();
  await letLeasesRunOut();
  await deliver(id);
  const late = { latex: 'late', warnings: [], figures: [], folder: 'conversions/late/', pages: [1, 2] };
  expect(await completeAssembly(rig.db, first!, { kind: 'proven', result: late, unsettable: [] })).toEqual({
    kind: 'discarded',
  });
  const { events } = await readEvents(rig.db, rig.storage, id, 0);
  expect(events.filter(({ event }) => event.type === 'delivered')).toHaveLength(1);
  expect((await getConversion(rig.db, id, ['ada'])).result?.latex).toBe('x');
});

test('a failed page does not hold up the others; a retry delivers again with it', async () => {
  const id = await rig.create('ada', 2);
  const [first, second] = [await claim(), await claim()];
  await completePage(rig.db, first, readOutcome(first));
  await completePage(rig.db, second, failedOutcome());
  await deliver(id);
  let conversion = await getConversion(rig.db, id, ['ada']);
  expect(conversion).toMatchObject({ state: 'delivered', endedAt: null });
  expect(conversion.result?.pages).toEqual([1]);

  await retryPage(rig.db, id, ['ada'], 2);
  expect(await stateOf(id)).toBe('reading');
  const retried = await claim();
  expect(retried.number).toBe(2);
  await completePage(rig.db, retried, readOutcome(retried));
  await deliver(id);
  conversion = await getConversion(rig.db, id, ['ada']);
  expect(conversion.result?.pages).toEqual([1, 2]);
  expect(conversion.endedAt).not.toBeNull();
  await expect(retryPage(rig.db, id, ['ada'], 2)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('a retry that fails again keeps the delivered document', async () => {
  const id = await rig.create('ada', 2);
  const [first, second] = [await claim(), await claim()];
  await completePage(rig.db, first, readOutcome(first));
  await completePage(rig.db, second, failedOutcome());
  await deliver(id);
  await retryPage(rig.db, id, ['ada'], 2);
  await completePage(rig.db, await claim(), failedOutcome());
  expect(await claimAssembly(rig.db)).toBeNull();
  expect(await getConversion(rig.db, id, ['ada'])).toMatchObject({ state: 'delivered', endedAt: null });
});

test('a document that fails with a retried page is kept as it was, and the page fails', async () => {
  const id = await rig.create('ada', 2);
  const [first, second] = [await claim(), await claim()];
  await completePage(rig.db, first, readOutcome(first));
  await completePage(rig.db, second, failedOutcome());
  await deliver(id);
  await retryPage(rig.db, id, ['ada'], 2);
  const retried = await claim();
  await completePage(rig.db, retried, readOutcome(retried));
  const job = await claimAssembly(rig.db);
  const error = { code: 'COMPILATION_TIMEOUT', error: '', source: 'server' } as const;
  await completeAssembly(rig.db, job!, { kind: 'failed', error });
  expect(await getConversion(rig.db, id, ['ada'])).toMatchObject({
    state: 'delivered',
    result: { pages: [1] },
  });
  expect((await listPages(rig.db, id))[1]).toMatchObject({ state: 'failed', error });
});

test('a retry while the document is being assembled stops that assembly', async () => {
  const id = await rig.create('ada', 2);
  const [first, second] = [await claim(), await claim()];
  await completePage(rig.db, first, readOutcome(first));
  await completePage(rig.db, second, failedOutcome());
  const assembly = await claimAssembly(rig.db);
  await retryPage(rig.db, id, ['ada'], 2);
  expect(await renewLeases(rig.db, [assembly!.token])).toEqual(new Set());
  const retried = await claim();
  await completePage(rig.db, retried, readOutcome(retried));
  const outcome = { latex: 'old', warnings: [], figures: [], folder: 'conversions/old/', pages: [1] };
  expect(
    await completeAssembly(rig.db, assembly!, { kind: 'proven', result: outcome, unsettable: [] }),
  ).toEqual({
    kind: 'discarded',
  });
  await deliver(id);
});

test('every page failed: the conversion fails, and can be retried', async () => {
  const id = await rig.create('ada', 1);
  await completePage(rig.db, await claim(), failedOutcome('The page is blank.'));
  expect(await getConversion(rig.db, id, ['ada'])).toMatchObject({
    state: 'failed',
    error: { code: 'GENERATION_FAILED', error: 'The page is blank.' },
  });
  await retryPage(rig.db, id, ['ada'], 1);
  expect(await getConversion(rig.db, id, ['ada'])).toMatchObject({ state: 'reading', error: null });
});

test('published material ends the whole conversion', async () => {
  const id = await rig.create('ada', 3);
  const [first, second] = [await claim(), await claim()];
  await completePage(rig.db, first, { kind: 'copyrighted', code: 'COPYRIGHT_DETECTED' });
  const conversion = await getConversion(rig.db, id, ['ada']);
  expect(conversion).toMatchObject({
    state: 'failed',
    error: { code: 'COPYRIGHT_DETECTED', source: 'user' },
  });
  expect(conversion.endedAt).not.toBeNull();
  expect(await renewLeases(rig.db, [second.token])).toEqual(new Set());
  expect(await claimPage(rig.db)).toBeNull();
  await expect(retryPage(rig.db, id, ['ada'], 1)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('cancelling before the first delivery ends it; cancelling a retry keeps what was delivered', async () => {
  const early = await rig.create('ada', 1);
  expect(await cancelConversion(rig.db, early, ['ada'])).toBe('cancelled');
  expect(await claimPage(rig.db)).toBeNull();

  const id = await rig.create('ada', 2);
  const [first, second] = [await claim(), await claim()];
  await completePage(rig.db, first, readOutcome(first));
  await completePage(rig.db, second, failedOutcome());
  await deliver(id);
  await retryPage(rig.db, id, ['ada'], 2);
  expect(await cancelConversion(rig.db, id, ['ada'])).toBe('delivered');
  const conversion = await getConversion(rig.db, id, ['ada']);
  expect(conversion.result?.pages).toEqual([1]);
  expect(conversion.endedAt).not.toBeNull();
  expect((await listPages(rig.db, id)).map((page) => page.state)).toEqual(['read', 'failed']);
});

test('another user’s conversion looks like a missing one', async () => {
  const id = await rig.create('ada', 1);
  const missing = '00000000-0000-4000-8000-000000000000';
  const messages = await Promise.all(
    [id, missing, 'no-id'].map((requestedId) =>
      getConversion(rig.db, requestedId, ['mallory']).catch((error: Error & { code: string }) => [
        error.code,
        error.message,
      ]),
    ),
  );
  expect(messages).toEqual(Array(3).fill(['NOT_FOUND', 'There is no such conversion.']));
  const acts = [
    () => cancelConversion(rig.db, id, ['mallory']),
    () => retryPage(rig.db, id, ['mallory'], 1),
    () => dismissConversion(rig.db, id, ['mallory']),
  ];
  for (const act of acts) await expect(act()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('event ids increase by one, whatever happens concurrently', async () => {
  const id = await rig.create('ada', 30);
  const jobs = await Promise.all(Array.from({ length: 30 }, claim));
  await Promise.all(jobs.map((job) => completePage(rig.db, job, readOutcome(job))));
  const { rows } = await rig.db.execute<{ id: number }>(
    sql`select id from conversion_events where conversion_id = ${id} order by id`,
  );
  expect(rows.map((row) => row.id)).toEqual(rows.map((_, index) => index + 1));
  const [row] = await rig.db.select().from(conversions).where(eq(conversions.id, id));
  expect(row?.lastEventId).toBe(rows.length);
});

test('a page’s row keeps its lease until the work on it has ended', async () => {
  const id = await rig.create('ada', 1);
  const job = await claim();
  await cancelConversion(rig.db, id, ['ada']);
  const lease = async () =>
    (await rig.db.select().from(conversionPages).where(eq(conversionPages.conversionId, id)))[0]?.leaseUntil;
  expect(await lease()).not.toBeNull();
  expect(await completePage(rig.db, job, readOutcome(job))).toBe('discarded');
  expect(await lease()).toBeNull();
});
