/**
 * Kills the product at random moments while events arrive. Each event is then delivered again, as Stripe does,
 * and must have credited exactly once.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenedDatabase } from '#server/database/database.ts';
import { createTestDatabase } from '../../../test-support/database.ts';
import { createAccountWithCredits, findDifferences } from '../../../test-support/money/credits.ts';
import { type ServeProcess, startServeProcess } from '../../../test-support/product/serve-process.ts';
import { createRandom } from '../../../test-support/random.ts';
import { readBalance } from '../ledger.ts';
import { creditEntries } from '../schema.ts';
import { playPurchase, signEvent, type WrittenEvent } from './events/played-events.ts';
import { findPurchaseProblems } from './sales.ts';
import { purchases } from './schema.ts';

const secret = 'whsec_of_the_kills';
const kills = 20;
/** Purchases under way at each kill, some of them already committed. */
const buyersPerKill = 4;
/** Longest wait before a kill, in ms: about as long as one round's deliveries take. */
const longestWaitMs = 80;

let database: OpenedDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-kills-'));
  chmodSync(dataDir, 0o711);
});
afterAll(async () => {
  await database?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = () =>
  startServeProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SECRET_KEY: 'a key for tests, 32 characters or more',
    STRIPE_SECRET_KEY: 'sk_test_nobody_is_asked',
    STRIPE_WEBHOOK_SECRET: secret,
    // nobody listens there, so events alone must suffice
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    ROLES: 'web',
    LOG_LEVEL: 'silent',
  });

/** @returns the response's status; null without a response */
async function deliver(address: string, event: WrittenEvent): Promise<number | null> {
  const body = JSON.stringify(event);
  try {
    const answer = await fetch(`${address}/api/v1/stripe/webhook`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signEvent(body, secret) },
      body,
    });
    return answer.status;
  } catch {
    return null;
  }
}

async function createBuyer() {
  const userId = await createAccountWithCredits(database, { conversion: 10, assistant: 5 });
  const [row] = await database.db
    .insert(purchases)
    .values({
      userId,
      mode: 'test',
      bundle: 'starter_pack',
      conversion: 60,
      assistant: 30,
      country: 'FR',
      currency: 'eur',
      price: 490,
    })
    .returning();
  const played = playPurchase(row!);
  const events = [
    played.charged(),
    played.paid(490),
    played.refund(100, 'succeeded'),
    played.chargeRefunded(100),
  ];
  return { userId, events };
}

test('killed twenty times while events arrive, each payment is credited once and each refund taken once', async () => {
  const random = createRandom(randomUUID().charCodeAt(0) + Date.now());
  const outcomes = { answered: 0, cut: 0 };
  let next: Promise<ServeProcess> = start();
  for (let kill = 0; kill < kills; kill++) {
    const server = await next;
    const buyers = await Promise.all(Array.from({ length: buyersPerKill }, createBuyer));
    const events = buyers.flatMap((buyer) => buyer.events);
    const first = Promise.all(events.map((event) => deliver(server.address, event)));
    await sleep(random.next() * longestWaitMs);
    await server.stop('SIGKILL');
    const statuses = await first;
    outcomes.answered += statuses.filter((status) => status === 200).length;
    outcomes.cut += statuses.filter((status) => status === null).length;
    // what was acknowledged has happened, whatever became of the process
    next = start();
    const restarted = await next;
    // Stripe redelivers what was not acknowledged; here everything is, some of it twice at once
    const again = [...events, ...events.filter(() => random.next() < 0.5)];
    const redelivered = await Promise.all(again.map((event) => deliver(restarted.address, event)));
    expect(redelivered.filter((status) => status !== 200)).toEqual([]);
    for (const { userId } of buyers) {
      expect(await readBalance(database.db, userId)).toEqual({ conversion: 58, assistant: 29 });
      const entries = await database.db
        .select({ kind: creditEntries.kind, conversion: creditEntries.conversion })
        .from(creditEntries)
        .where(eq(creditEntries.userId, userId));
      expect(entries.filter(({ kind }) => kind === 'purchase')).toEqual([
        { kind: 'purchase', conversion: 60 },
      ]);
      expect(entries.filter(({ kind }) => kind === 'refund').map(({ conversion }) => conversion)).toEqual([
        -12,
      ]);
    }
  }
  await (await next).stop('SIGKILL');
  // the kills came before, between and after the responses
  expect(outcomes.answered).toBeGreaterThan(0);
  expect(outcomes.cut).toBeGreaterThan(0);
  expect(await findDifferences(database.db)).toEqual([]);
  expect(await findPurchaseProblems(database.db)).toEqual([]);
}, 300_000);
