/**
 * Eight clients on four accounts buy, are refunded, convert, cancel, dismiss, retry and ask for changes at
 * random, while workers fail pages, lose leases and finish lost work. Payments and refunds arrive as signed
 * events, repeated, late and in any order. A watcher checks that every balance is the sum of its entries and
 * never below zero; at the end each account has, or owes, what its clients calculated for themselves. Only
 * reading and compiling are scripted. STORM_SECONDS makes it longer; it continues until enough has happened,
 * which takes longer on a busy machine.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { createAccountWithCredits } from '../../../test-support/money/credits.ts';
import { createRandomBuyer, type RandomBuyer } from '../../../test-support/money/random-buyer.ts';
import { createRandom, type Random } from '../../../test-support/random.ts';
import {
  checkBalances,
  readBalance,
  releaseChange,
  reserveChange,
  settleChange,
  sweepReservations,
} from '../../credits/index.ts';
import type { UserCaller } from '../../http/types.ts';
import { admitPages, admitUpload } from '../http/admission.ts';
import { conversionEvents, conversionPages, conversions } from '../schema.ts';
import { isAtRest } from '../state-machine.ts';
import { createRig, failedOutcome, type Rig, readOutcome } from '../testing/rig.ts';
import { completeAssembly, completePage, generationFailed } from './outcomes.ts';
import { claimAssembly, claimPage } from './queue.ts';
import { cancelConversion, createConversion, dismissConversion, listPages, retryPage } from './store.ts';

const seconds = Number(process.env.STORM_SECONDS ?? 10);
/** Ends after this long with whatever has happened. */
const maxSeconds = seconds + 120;
const seed = Number(process.env.STORM_SEED ?? 20_261_121);

interface Model {
  id: string;
  buyer: RandomBuyer;
  /** A failed refund returns credits without collecting debts, so that an account may both have and owe credits. */
  refundsFail: boolean;
  /** Delivered. */
  pages: number;
  /** Returned. */
  changes: number;
  /** `conversion/page` of retried pages: only these may have been delivered for free. */
  retried: Set<string>;
}

test(`${seconds} s of everything at once`, { timeout: (maxSeconds + 120) * 1000 }, async () => {
  const rig = await createRig();
  onTestFinished(() => rig.close());
  const models: Model[] = [];
  for (let account = 0; account < 4; account++) {
    const id = await createAccountWithCredits(rig.database, { conversion: 10, assistant: 5 });
    const refundsFail = account % 2 === 1;
    const buyer = createRandomBuyer({ db: rig.db, userId: id, balance: [10, 5], refundsFail });
    models.push({ id, buyer, refundsFail, pages: 0, changes: 0, retried: new Set() });
  }
  const startedMs = performance.now();
  let looks = 0;
  let isEnough = false;
  const isOver = () => performance.now() > startedMs + (isEnough ? seconds : maxSeconds) * 1000;
  let clientsLeft = 8;
  const watch = async () => {
    while (clientsLeft > 0) {
      const { differences, entries } = await checkBalances(rig.db);
      expect(differences).toEqual([]);
      const { rows } = await rig.db.execute(
        sql`select 1 from user_credits where conversion_credits < 0 or assistant_credits < 0`,
      );
      expect(rows).toEqual([]);
      looks++;
      const { refunded, collected } = await countRefunds(rig);
      isEnough = looks > seconds && entries > 100 && refunded > seconds && collected > 0;
      await sleep(250);
    }
  };
  const clients = Array.from({ length: 8 }, async (_, index) => {
    try {
      await actAsClient(rig, models[index % 4]!, createRandom(seed + index), isOver);
    } finally {
      clientsLeft--;
    }
  });
  const workers = Array.from({ length: 3 }, (_, index) =>
    actAsWorker(rig, createRandom(seed + 100 + index), () => clientsLeft === 0),
  );
  await Promise.all([watch(), ...clients, ...workers]);
  for (const { buyer } of models) await buyer.settled();
  await sweepReservations(rig.db, { abandonedMs: 0 });

  const { rows: free } = await rig.db.execute<{ user_id: string; pages: string[] }>(sql`
    select user_id, array_agg(subject || '/' || page) as pages
    from private.credit_reservations, unnest(free) as page where kind = 'conversion' group by user_id`);
  for (const { id, buyer, refundsFail, pages, changes, retried } of models) {
    const forNothing = free.find((row) => row.user_id === id)?.pages ?? [];
    expect(forNothing.filter((page) => !retried.has(page))).toEqual([]);
    const left = {
      conversion: buyer.balance[0] - pages + forNothing.length,
      assistant: buyer.balance[1] - changes,
    };
    const [balance, owed] = [(await readBalance(rig.db, id))!, await buyer.readOwed()];
    for (const kind of ['conversion', 'assistant'] as const) {
      // an account that owes has none: everything it gained was collected
      const expected = refundsFail
        ? [balance[kind], balance[kind] - left[kind]]
        : [Math.max(0, left[kind]), Math.max(0, -left[kind])];
      expect([balance[kind], owed[kind]]).toEqual(expected);
    }
  }
  const { rows: held } = await rig.db.execute(
    sql`select subject from private.credit_reservations where open <> '{}'`,
  );
  expect(held).toEqual([]);
  const { refunded, collected } = await countRefunds(rig);
  expect(refunded).toBeGreaterThan(seconds);
  expect(collected).toBeGreaterThan(0);
  const { differences, entries } = await checkBalances(rig.db);
  expect(differences).toEqual([]);
  expect(looks).toBeGreaterThan(seconds);
  expect(entries).toBeGreaterThan(100);
});

/** Credits taken back after refunds, and how many of them were owed for a while. */
async function countRefunds(rig: Rig): Promise<{ refunded: number; collected: number }> {
  const { rows } = await rig.db.execute<{ refunded: number; collected: number }>(sql`
    select count(*)::int as refunded, (count(*) filter (where cause ? 'owed'))::int as collected
    from credit_entries where kind = 'refund'`);
  return rows[0]!;
}

async function actAsClient(rig: Rig, model: Model, random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const draw = random.next();
    if (draw < 0.1) await model.buyer.buy(random);
    else if (draw < 0.2) await model.buyer.refund(random);
    else if (draw < 0.4) await askForChange(rig, model, random);
    else await convert(rig, model, random);
  }
}

async function askForChange(rig: Rig, model: Model, random: Random): Promise<void> {
  const changeId = randomUUID();
  const isReserved = await rig.db
    .transaction((tx) => reserveChange(tx, { userId: model.id, changeId }))
    .then(() => true, refused('assistant'));
  if (!isReserved) return;
  const draw = random.next();
  // its process dies; the final sweep gives the credit back
  if (draw < 0.2) return;
  await sleep(random.below(20));
  if (draw < 0.6) {
    await rig.db.transaction((tx) => settleChange(tx, { changeId }));
    model.changes++;
  } else await rig.db.transaction((tx) => releaseChange(tx, { changeId }));
}

const refused = (kind: string) => (error: { code?: string; shortage?: { kind: string } }) => {
  expect([error.code, error.shortage?.kind]).toEqual(['INSUFFICIENT_CREDITS', kind]);
  return false;
};

async function convert(rig: Rig, model: Model, random: Random): Promise<void> {
  const pageCount = 1 + random.below(5);
  const caller: UserCaller = {
    kind: 'user',
    id: model.id,
    network: `network of ${model.id}`,
    email: '',
    sessionId: '',
    visitorId: null,
  };
  const id = await admitUpload(rig.db, caller);
  const isAccepted = await rig.db
    .transaction(async (tx) => {
      await admitPages(tx, caller, { conversionId: id, pageCount });
      const pages = Array.from({ length: pageCount }, (_, index) => ({
        number: index + 1,
        fileIndex: 0,
        pageIndex: index,
      }));
      await createConversion(tx, {
        id,
        callerId: caller.id,
        network: caller.network,
        files: [{ key: `conversions/${id}/uploads/0000`, kind: 'pdf', pageCount }],
        pages,
        drawings: 'figure',
      });
      // occasionally the process dies at this point
      if (random.next() < 0.05) throw { code: 'INSUFFICIENT_CREDITS', shortage: { kind: 'conversion' } };
    })
    .then(() => true, refused('conversion'));
  if (!isAccepted) return void (await rig.db.execute(sql`delete from conversion_uploads where id = ${id}`));
  const owners = [model.id];
  for (let act = 0; act < 6; act++) {
    const draw = random.next();
    if (draw < 0.1) await cancelConversion(rig.db, id, owners);
    else if (draw < 0.2) {
      await dismissConversion(rig.db, id, owners);
      break;
    } else if (draw < 0.6) {
      const failed = (await listPages(rig.db, id)).find((page) => page.state === 'failed');
      if (failed) {
        model.retried.add(`${id}/${failed.number}`);
        await retryPage(rig.db, id, owners, failed.number).catch((error) =>
          expect(error.code).toBe('INVALID_INPUT'),
        );
      }
    } else await waitForRest(rig, id);
  }
  await waitForRest(rig, id);
  const [row] = await rig.db.select().from(conversions).where(eq(conversions.id, id));
  // a conversion that failed as a whole gave everything back: pages delivered later were retried
  const hasFailed = await rig.db
    .select({ id: conversionEvents.id })
    .from(conversionEvents)
    .where(and(eq(conversionEvents.conversionId, id), eq(conversionEvents.type, 'failed')));
  if (hasFailed.length > 0)
    for (let number = 1; number <= pageCount; number++) model.retried.add(`${id}/${number}`);
  model.pages += row?.result?.pages.length ?? 0;
}

async function waitForRest(rig: Rig, id: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const [row] = await rig.db.select().from(conversions).where(eq(conversions.id, id));
        return !row || row.dismissedAt !== null || isAtRest(row.state);
      },
      { timeout: 60_000, interval: 15 },
    )
    .toBe(true);
}

/** Reads and assembles at random; finishes even lost work, too late. */
async function actAsWorker(rig: Rig, random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const page = await claimPage(rig.db);
    if (page) {
      const outcome = random.next();
      const lost = random.next() < 0.1;
      if (lost)
        await rig.db
          .update(conversionPages)
          .set({ leaseUntil: new Date(0) })
          .where(eq(conversionPages.leaseToken, page.token));
      if (lost) await sleep(random.below(30));
      if (outcome < 0.01)
        await completePage(rig.db, page, { kind: 'copyrighted', code: 'COPYRIGHT_DETECTED' });
      else await completePage(rig.db, page, outcome < 0.25 ? failedOutcome() : readOutcome(page));
    }
    const job = await claimAssembly(rig.db);
    if (job) {
      const read = job.pages.filter(({ state }) => state === 'read').map(({ number }) => number);
      const unsettable = read.length > 1 && random.next() < 0.15 ? [read[random.below(read.length)]!] : [];
      const pages = read.filter((number) => !unsettable.includes(number));
      const folder = `conversions/${job.conversionId}/results/${job.token}/`;
      const outcome =
        random.next() < 0.1
          ? { kind: 'failed' as const, error: generationFailed() }
          : {
              kind: 'proven' as const,
              result: { latex: 'x', warnings: [], figures: [], folder, pages },
              unsettable: unsettable.map((number) => ({ number, error: generationFailed() })),
            };
      // reported twice, as by two processes that both believe they hold it
      await Promise.all([completeAssembly(rig.db, job, outcome), completeAssembly(rig.db, job, outcome)]);
    }
    if (!page && !job) await sleep(10);
  }
}
