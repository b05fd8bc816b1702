/**
 * Real processes on one PostgreSQL and one storage: killed at any moment, with several of each role running at
 * once.
 */
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/database.ts';
import { createServedAccount, type ServedAccount } from '../../../test-support/product/serve-account.ts';
import { type ServeProcess, startServeProcess } from '../../../test-support/product/serve-process.ts';
import { createRandom } from '../../../test-support/random.ts';
import {
  pageAnswer,
  startVendor,
  type Vendor,
  type VendorRequest,
} from '../../../test-support/stand-ins/vendor-stand-in.ts';
import { checkBalances, listOpenConversions, readBalance } from '../../credits/index.ts';
import type { OpenedDatabase } from '../../database/database.ts';
import { conversionEvents, conversionPages, conversions } from '../schema.ts';

const longPdf = path.join(import.meta.dirname, '../../../fixtures/bad/300-pages.pdf');

let database: OpenedDatabase;
let folder: string;
let vendor: Vendor;
let running: ServeProcess[];
let settings: Record<string, string>;

/** When each page was requested: `page/pageCount` → times. */
let readTimes: Map<string, number[]>;
let vendorDelayMs: number;

function nameOf(request: VendorRequest): string {
  const [, page, pageCount] = /Page (\d+) of (\d+)/.exec(request.text) ?? [];
  return `${page}/${pageCount}`;
}

beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-processes-'));
  running = [];
  readTimes = new Map();
  vendor = await startVendor((request) => {
    const name = nameOf(request);
    readTimes.set(name, [...(readTimes.get(name) ?? []), performance.now()]);
    return { delayMs: vendorDelayMs, content: pageAnswer(`What stands on page ${name}.`) };
  });
  settings = {
    DATABASE_URL: database.url,
    STORAGE_URL: `file:${path.join(folder, 'files')}`,
    SECRET_KEY: 's'.repeat(32),
    AI_BASE_URL: vendor.url,
    AI_API_KEY: 'key',
    LOG_LEVEL: 'warn',
  };
});
afterEach(async () => {
  await Promise.all(running.map((process) => process.stop('SIGKILL')));
  await vendor.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(roles: 'web' | 'worker', more: Record<string, string> = {}): Promise<ServeProcess> {
  const dataDir = path.join(folder, `process-${running.length}`);
  const process = await startServeProcess({ ...settings, ...more, ROLES: roles, DATA_DIR: dataDir });
  running.push(process);
  return process;
}

/** An account with 110 pages: enough for these tests. */
async function signUp(web: ServeProcess): Promise<ServedAccount> {
  const commands = { ...settings, DATA_DIR: path.join(folder, 'commands') };
  return createServedAccount(web.address, commands, { pages: 100 });
}

/** Sends pages 1 to `pageCount`; resolves with the conversion's id as soon as it is accepted. */
async function send(web: ServeProcess, ada: ServedAccount, pageCount: number): Promise<string> {
  const form = new FormData();
  form.append('file', await openAsBlob(longPdf), 'long.pdf');
  form.append('end_page', String(pageCount));
  const leaving = new AbortController();
  const answer = await fetch(`${web.address}/api/v1/process`, {
    method: 'POST',
    body: form,
    headers: { Accept: 'text/event-stream', Authorization: ada.authorization },
    signal: leaving.signal,
  });
  expect(answer.status).toBe(200);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  leaving.abort();
  return /"conversion_id":"([^"]+)"/.exec(value ?? '')![1]!;
}

const stateOf = async (id: string) =>
  (await database.db.select().from(conversions).where(eq(conversions.id, id)))[0]?.state;

/** Names of the pages whose reading is saved. */
async function savedPages(): Promise<Set<string>> {
  const rows = await database.db
    .select({ number: conversionPages.number, pageCount: conversions.pageCount })
    .from(conversionPages)
    .innerJoin(conversions, eq(conversions.id, conversionPages.conversionId))
    .where(eq(conversionPages.state, 'read'));
  return new Set(rows.map(({ number, pageCount }) => `${number}/${pageCount}`));
}

/** Checks the ledger after `delivered` pages: nothing lost, doubled or still reserved. */
async function expectExactCredits({ email }: ServedAccount, delivered: number): Promise<void> {
  const { pageTotal, differences } = await checkBalances(database.db);
  expect({ pageTotal, differences }).toEqual({ pageTotal: delivered, differences: [] });
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM auth.users WHERE email = $1', [
    email,
  ]);
  expect(await readBalance(database.db, rows[0]!.id)).toEqual({ conversion: 110 - delivered, assistant: 5 });
  expect(await listOpenConversions(database.db)).toEqual([]);
}

test('a worker killed at five random moments: nothing is lost, read again once saved, or delivered twice', async () => {
  vendorDelayMs = 1_200;
  const concurrency = 4;
  const readers = { READ_CONCURRENCY: String(concurrency) };
  const web = await start('web');
  let worker = await start('worker', readers);
  const ada = await signUp(web);
  const [first, second] = [await send(web, ada, 26), await send(web, ada, 19)];
  const { next: random } = createRandom(20_260_101);
  const kills: { at: number; saved: Set<string> }[] = [];
  for (let kill = 0; kill < 5; kill++) {
    // a moment during reading: a few pages are done, the next are at some stage
    const goal = vendor.requests.length + concurrency + 1 + Math.floor(random() * 3);
    await expect
      .poll(() => vendor.requests.length, { timeout: 60_000, interval: 20 })
      .toBeGreaterThanOrEqual(goal);
    await sleep(random() * vendorDelayMs);
    await worker.stop('SIGKILL');
    kills.push({ at: performance.now(), saved: await savedPages() });
    worker = await start('worker', readers);
  }
  expect(kills.at(-1)!.saved.size).toBeGreaterThan(0);
  expect(kills.at(-1)!.saved.size).toBeLessThan(45);
  await expect.poll(() => stateOf(first), { timeout: 90_000, interval: 500 }).toBe('delivered');
  await expect.poll(() => stateOf(second), { timeout: 90_000, interval: 500 }).toBe('delivered');

  expect(await savedPages()).toHaveProperty('size', 45);
  for (const { at, saved } of kills) {
    const readAfter = [...readTimes]
      .filter(([, times]) => times.some((time) => time > at))
      .map(([name]) => name);
    expect(readAfter.filter((name) => saved.has(name))).toEqual([]);
  }
  for (const [index, { at, saved }] of kills.entries()) {
    const since = kills[index - 1]?.at ?? 0;
    const inFlight = [...readTimes].filter(
      ([name, times]) => !saved.has(name) && times.some((time) => time > since && time <= at),
    );
    expect(inFlight.length).toBeLessThanOrEqual(concurrency);
  }
  const rereadings = [...readTimes.values()].reduce((sum, times) => sum + times.length - 1, 0);
  expect(rereadings).toBeGreaterThan(0);
  expect(rereadings).toBeLessThanOrEqual(5 * concurrency);
  const deliveries = await database.db
    .select({ id: conversionEvents.conversionId })
    .from(conversionEvents)
    .where(eq(conversionEvents.type, 'delivered'));
  expect(deliveries.map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
  const [lost] = await database.db
    .select({ count: sql<number>`count(*)::int` })
    .from(conversionPages)
    .where(and(sql`state <> 'read'`));
  expect(lost?.count).toBe(0);
  await expectExactCredits(ada, 45);
  // five restarts, and leases of a quarter of a minute after the last
}, 240_000);

test('two of each role: work begun on one web process is followed on the other, and both workers read', async () => {
  vendorDelayMs = 1_000;
  // an installation has one address, which every token contains
  const installation = { API_URL: 'https://api.example.com' };
  const [webA, webB] = await Promise.all([start('web', installation), start('web', installation)]);
  await Promise.all([start('worker', { READ_CONCURRENCY: '1' }), start('worker', { READ_CONCURRENCY: '1' })]);
  const ada = await signUp(webA!);
  const id = await send(webA!, ada, 6);
  const answer = await fetch(`${webB!.address}/api/v1/conversions/${id}/events`, {
    headers: { Authorization: ada.authorization, 'Last-Event-ID': '1' },
  });
  const stream = await answer.text();
  expect(stream.match(/^id: (\d+)$/gm)?.[0]).not.toBe('id: 1');
  expect(stream.trim().split('\n\n').at(-1)).toMatch(
    /^id: \d+\nevent: delivered\ndata: .*What stands on page 6/,
  );
  expect(vendor.peak()).toBe(2);
  const pdf = await fetch(`${webB!.address}/api/v1/conversions/${id}/result.pdf`, {
    headers: { Authorization: ada.authorization },
  });
  expect(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('a worker asked to stop gives its pages back, and another continues at once', async () => {
  vendorDelayMs = 2_000;
  const web = await start('web');
  const worker = await start('worker', { READ_CONCURRENCY: '2' });
  const id = await send(web, await signUp(web), 4);
  await expect.poll(() => readTimes.size, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await worker.stop()).toBe(0);
  const { rows } = await database.db.execute(
    sql`select 1 from conversion_pages where lease_token is not null`,
  );
  expect(rows).toEqual([]);
  await start('worker', { READ_CONCURRENCY: '2' });
  await expect.poll(() => stateOf(id), { timeout: 60_000, interval: 200 }).toBe('delivered');
});

const kills = Number(process.env.KILLS ?? 4);

test(
  `web and worker killed at ${kills} random moments: each page that was delivered is paid once, no other at all`,
  async () => {
    vendorDelayMs = 150;
    const installation = { API_URL: 'https://api.example.com' };
    let web = await start('web', installation);
    let worker = await start('worker');
    const ada = await signUp(web);
    const { next: random } = createRandom(20_261_121);
    for (let kill = 0; kill < kills; kill++) {
      const sent = Promise.allSettled([1, 2, 3].map((pageCount) => send(web, ada, pageCount)));
      // during an upload, its counting, its acceptance, or the reading and compiling after it
      await sleep(random() * (kill % 2 ? 3_000 : 400));
      if (kill % 2) {
        await worker.stop('SIGKILL');
        await sent;
        worker = await start('worker');
      } else {
        await web.stop('SIGKILL');
        await sent;
        web = await start('web', installation);
      }
      // simulates the five minutes during which an abandoned upload counts against the account
      await database.pool.query("UPDATE conversion_uploads SET renewed_at = now() - interval '1 hour'");
    }
    // accepted once the account's waiting work leaves room
    const isTaken = () =>
      send(web, ada, 2).then(
        () => true,
        () => false,
      );
    await expect.poll(isTaken, { timeout: 120_000, interval: 1_000 }).toBe(true);
    const unfinished = async () =>
      (await database.db.select({ state: conversions.state }).from(conversions)).filter(
        ({ state }) => state !== 'delivered',
      );
    await expect.poll(unfinished, { timeout: 120_000, interval: 500 }).toEqual([]);
    const rows = await database.db.select({ pageCount: conversions.pageCount }).from(conversions);
    expect(rows.length).toBeGreaterThan(kills / 2);
    await expectExactCredits(
      ada,
      rows.reduce((sum, { pageCount }) => sum + pageCount, 0),
    );
    // each restart takes seconds, and leases of a killed worker a quarter of a minute
  },
  240_000 + kills * 15_000,
);
