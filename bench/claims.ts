/**
 * The queue of pages under load: pages are claimed and their outcomes recorded, as by workers whose readers
 * take no time, while many wait and each event is heard by several processes. What limits it: the claims' lock,
 * NOTIFY or the database's CPU? Ratio: a page while the longest queue waits to a page while a short one does.
 */

import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pino } from 'pino';
import { median } from '#reading/box.ts';
import { listenForNotifications, type Nudge } from '#server/conversion/follow/notifications.ts';
import type { PageJob } from '#server/conversion/queue/jobs.ts';
import { completePage } from '#server/conversion/queue/outcomes.ts';
import { claimPage } from '#server/conversion/queue/queue.ts';
import { createConversion } from '#server/conversion/queue/store.ts';
import { readOutcome } from '#server/conversion/testing/rig.ts';
import type { Database } from '#server/database/database.ts';
import { openEmbeddedPostgres } from '#server/database/embedded/embedded-postgres.ts';
import { migrateDatabase } from '#server/database/migrate.ts';
import { createPool } from '#server/database/pool.ts';
import type { Measurement } from './support/measurement.ts';
import { watchProcesses } from './support/processes.ts';

/** Pages that wait, and how many processes listen. */
const cases = [
  { waiting: 100, listeners: 1 },
  { waiting: 1_000, listeners: 1 },
  { waiting: 10_000, listeners: 1 },
  { waiting: 1_000, listeners: 20 },
];
const pagesEach = 20;
/** Slots that claim at once. */
const slots = 8;
/** Pages that go through in each case. */
const counted = Number(process.env.BENCH_CLAIMS_PAGES ?? 200);

/** Pages that are claimed one after the other, to see how long the lock of claims is held. */
const claimedAlone = 60;

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-claims-'));
  // traversable for the database's user, or the cluster would be put elsewhere
  await chmod(folder, 0o711);
  const server = await openEmbeddedPostgres({ dataDir: path.join(folder, 'data') });
  const pool = createPool(server.url);
  try {
    await migrateDatabase(server.url);
    const db: Database = drizzle(pool);
    const details: Record<string, string> = {};
    const perPage: number[] = [];
    for (const { waiting, listeners } of cases) {
      const { claimMs, pageMs, databaseMs, ownMs, received, sent } = await measureCase(
        db,
        server.url,
        waiting + counted + claimedAlone,
        listeners,
      );
      perPage.push(databaseMs);
      details[`${waiting.toLocaleString('en')} pages wait, ${listeners} listening`] =
        `${databaseMs.toFixed(1)} ms of the database's CPU a page, ${ownMs.toFixed(1)} of its callers', ${claimMs.toFixed(1)} ms for a claim by itself, ${(1000 / pageMs).toFixed(0)} pages a second; nudges heard ${received} of ${sent}`;
      await pool.query('delete from conversions');
    }
    details['load of the machine (1 min) and its processors'] =
      `${os.loadavg()[0]!.toFixed(1)}, ${os.availableParallelism()}`;
    return { ratio: perPage[2]! / perPage[0]!, baseline: 'a page while 100 wait', details };
  } finally {
    await pool.end();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureCase(db: Database, url: string, waiting: number, listeners: number) {
  for (let begun = 0; begun < waiting; begun += pagesEach) await queue(db);
  await db.execute('analyze');
  let received = 0;
  const count = (nudge: Nudge | null) => {
    if (nudge?.kind === 'event') received++;
  };
  const open = [];
  for (let index = 0; index < listeners; index++) {
    const notifications = await listenForNotifications(url, pino({ level: 'silent' }));
    notifications.subscribe(count);
    open.push(notifications);
  }
  // the first ones warm up connections and plans
  const warming = slots * 2;
  await work(db, warming);
  const claims: number[] = [];
  for (let claim = 0; claim < claimedAlone; claim++) {
    const asked = performance.now();
    await claimPage(db);
    claims.push(performance.now() - asked);
  }
  await waitForEvents(() => received, (warming * 2 + claimedAlone) * listeners);
  received = 0;
  const watch = await watchProcesses(process.pid);
  const begun = performance.now();
  await work(db, counted);
  const pageMs = (performance.now() - begun) / counted;
  const { cpuMs } = await watch.stop();
  const sent = counted * 2 * listeners;
  await waitForEvents(() => received, sent);
  for (const notifications of open) await notifications.close();
  const of = (name: string) => (cpuMs.find(([kind]) => kind === name)?.[1] ?? 0) / counted;
  return { claimMs: median(claims), pageMs, databaseMs: of('database'), ownMs: of('server'), received, sent };
}

/** Deliveries may take a moment: waits for them, for ten seconds at most. */
async function waitForEvents(received: () => number, sent: number): Promise<void> {
  for (let round = 0; round < 100 && received() < sent; round++) await wait(100);
  // and for events that should not come
  await wait(500);
}

/** One conversion of an account and a network of its own. */
async function queue(db: Database): Promise<void> {
  const id = randomUUID();
  await db.transaction((tx) =>
    createConversion(tx, {
      id,
      callerId: `caller of ${id}`,
      network: `network of ${id}`,
      drawings: 'figure',
      files: [{ key: `uploads/${id}/0000`, kind: 'pdf', pageCount: pagesEach }],
      pages: Array.from({ length: pagesEach }, (_, index) => ({
        number: index + 1,
        fileIndex: 0,
        pageIndex: index,
      })),
    }),
  );
}

/** Takes pages through the queue, several at a time. @throws Error if none waits, or one is not recorded */
async function work(db: Database, pages: number): Promise<void> {
  let left = pages;
  const slot = async () => {
    while (left-- > 0) {
      const job: PageJob | null = await claimPage(db);
      if (!job) throw new Error('no page waits');
      const record = await completePage(db, job, readOutcome(job));
      if (record !== 'recorded') throw new Error('a page was not recorded');
    }
  };
  await Promise.all(Array.from({ length: slots }, slot));
}
