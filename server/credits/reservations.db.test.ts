import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenedDatabase } from '#server/database/database.ts';
import { createTestDatabase } from '../../test-support/database.ts';
import { createAccountWithCredits, findDifferences } from '../../test-support/money/credits.ts';
import { createRandom } from '../../test-support/random.ts';
import {
  checkBalances,
  listEntries,
  listOpenConversions,
  readBalance,
  releaseChange,
  releasePages,
  reserveChange,
  reservePages,
  settleChange,
  settlePages,
  sweepReservations,
} from './index.ts';
import type { Transaction } from './ledger.ts';
import { creditReservations } from './schema.ts';

let database: OpenedDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const inOne = <T>(act: (tx: Transaction) => Promise<T>) => database.db.transaction(act);
const account = (conversion: number, assistant = 0) =>
  createAccountWithCredits(database, { conversion, assistant });
const pagesOf = async (id: string) => (await readBalance(database.db, id))?.conversion;
const total = async () => (await checkBalances(database.db)).pageTotal;
const reserve = async (userId: string, pages: number) => {
  const conversionId = randomUUID();
  await inOne((tx) => reservePages(tx, { userId, conversionId, pages }));
  return conversionId;
};
const settle = (conversionId: string, ...pages: number[]) =>
  inOne((tx) => settlePages(tx, { conversionId, pages }));
const release = (conversionId: string, pages: number[] | 'rest') =>
  inOne((tx) => releasePages(tx, { conversionId, pages }));

describe('pages', () => {
  test('are taken when work is accepted, kept when it is delivered, and given back otherwise', async () => {
    const [ada, before] = [await account(10), await total()];
    const id = await reserve(ada, 6);
    expect(await pagesOf(ada)).toBe(4);
    await release(id, [2]);
    expect(await pagesOf(ada)).toBe(5);
    await settle(id, 1, 3, 4);
    expect(await pagesOf(ada)).toBe(5);
    await release(id, 'rest');
    expect(await pagesOf(ada)).toBe(7);
    expect(await total()).toBe(before + 3);
    const entries = (await listEntries(database.db, ada)).map(({ kind, conversion, cause, balance }) => [
      kind,
      conversion,
      cause.pages,
      balance.conversion,
    ]);
    expect(entries).toEqual([
      ['adjustment', 10, undefined, 10],
      ['reserve', -6, undefined, 4],
      ['release', 1, [2], 5],
      ['settle', 0, [1, 3, 4], 5],
      ['release', 2, [5, 6], 7],
    ]);
    expect(await findDifferences(database.db)).toEqual([]);
  });

  test('repeating it, or thirty concurrent calls, has the effect of one', async () => {
    const ada = await account(5);
    const id = await reserve(ada, 4);
    await inOne((tx) => reservePages(tx, { userId: ada, conversionId: id, pages: 4 }));
    expect(await pagesOf(ada)).toBe(1);
    await Promise.all(Array.from({ length: 30 }, (_, n) => (n % 2 ? settle(id, 1, 2) : release(id, [3]))));
    expect(await pagesOf(ada)).toBe(2);
    await Promise.all(Array.from({ length: 30 }, () => release(id, 'rest')));
    expect(await pagesOf(ada)).toBe(3);
    expect((await listEntries(database.db, ada)).length).toBe(5);
    expect(await findDifferences(database.db)).toEqual([]);
  });

  test('more than the balance are refused with the number missing, and nothing is taken', async () => {
    const ada = await account(3);
    const refusal = await reserve(ada, 4).catch((error) => error.toObject());
    expect(refusal).toEqual({
      code: 'INSUFFICIENT_CREDITS',
      error: '',
      source: 'user',
      kind: 'conversion',
      required: 4,
      available: 3,
    });
    expect(await pagesOf(ada)).toBe(3);
    await expect(reserve(randomUUID(), 1)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('a page that failed and is read later costs its one credit; with none left it costs nothing', async () => {
    const ada = await account(2);
    const id = await reserve(ada, 2);
    await release(id, [1]);
    await release(id, [2]);
    await settle(id, 1);
    expect(await pagesOf(ada)).toBe(1);
    // meanwhile spent elsewhere
    const other = await reserve(ada, 1);
    await settle(other, 1);
    const before = await total();
    await settle(id, 1, 2);
    expect(await pagesOf(ada)).toBe(0);
    expect(await total()).toBe(before + 1);
    expect((await listEntries(database.db, ada)).at(-1)).toMatchObject({
      kind: 'settle',
      conversion: 0,
      cause: { pages: [2], free: [2] },
    });
    expect(await findDifferences(database.db)).toEqual([]);
  });

  test('a delivered page that a later document lacks is given back, and leaves the total; a free one only leaves it', async () => {
    const ada = await account(1);
    const before = await total();
    const id = await reserve(ada, 1);
    await settle(id, 1);
    await settle(id, 1, 2);
    expect([await pagesOf(ada), await total()]).toEqual([0, before + 2]);
    await release(id, [1, 2]);
    await release(id, [1, 2]);
    expect([await pagesOf(ada), await total()]).toEqual([1, before]);
    expect(await findDifferences(database.db)).toEqual([]);
  });

  test('of work without a reservation cost nothing', async () => {
    const before = await checkBalances(database.db);
    await settle(randomUUID(), 1, 2);
    await release(randomUUID(), 'rest');
    expect(await checkBalances(database.db)).toEqual(before);
  });

  test('of an account deleted during the work belong to nobody', async () => {
    const ada = await account(5);
    const [delivered, open] = [await reserve(ada, 2), await reserve(ada, 2)];
    await settle(delivered, 1, 2);
    const before = await total();
    await database.pool.query('DELETE FROM auth.users WHERE id = $1', [ada]);
    await settle(open, 1);
    await release(open, 'rest');
    expect(await total()).toBe(before);
    expect(await listOpenConversions(database.db)).not.toContain(open);
    expect(await findDifferences(database.db)).toEqual([]);
  });

  test('a transaction that is rolled back takes and counts nothing', async () => {
    const ada = await account(5);
    const before = await total();
    const broken = inOne(async (tx) => {
      const conversionId = randomUUID();
      await reservePages(tx, { userId: ada, conversionId, pages: 2 });
      await settlePages(tx, { conversionId, pages: [1, 2] });
      throw new Error('the rest could not be written');
    });
    await expect(broken).rejects.toThrow('the rest');
    expect([await pagesOf(ada), await total()]).toEqual([5, before]);
  });
});

test('one credit and thirty concurrent conversions: exactly one is accepted, twenty times over', async () => {
  for (let round = 0; round < 20; round++) {
    const ada = await account(1);
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => reserve(ada, 1)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(29).fill('INSUFFICIENT_CREDITS'));
    expect(await pagesOf(ada)).toBe(0);
  }
  expect(await findDifferences(database.db)).toEqual([]);
});

describe('a change by the assistant', () => {
  const ask = async (userId: string) => {
    const changeId = randomUUID();
    await inOne((tx) => reserveChange(tx, { userId, changeId }));
    return changeId;
  };
  const left = async (id: string) => (await readBalance(database.db, id))?.assistant;

  test('costs one conversation when something is returned, and none otherwise', async () => {
    const ada = await account(7, 2);
    const before = await total();
    const [done, declined] = [await ask(ada), await ask(ada)];
    await expect(ask(ada)).rejects.toMatchObject({
      shortage: { kind: 'assistant', required: 1, available: 0 },
    });
    await inOne((tx) => settleChange(tx, { changeId: done }));
    await inOne((tx) => releaseChange(tx, { changeId: done }));
    await inOne((tx) => releaseChange(tx, { changeId: declined }));
    await inOne((tx) => releaseChange(tx, { changeId: declined }));
    expect(await left(ada)).toBe(1);
    expect([await pagesOf(ada), await total()]).toEqual([7, before]);
    expect(await findDifferences(database.db)).toEqual([]);
  });

  test('abandoned reservations are given back by the sweep, and charged if the change is returned after all', async () => {
    const ada = await account(0, 2);
    const [lost, slow] = [await ask(ada), await ask(ada)];
    await sweepReservations(database.db);
    expect(await left(ada)).toBe(0);
    await sweepReservations(database.db, { abandonedMs: 0 });
    expect(await left(ada)).toBe(2);
    await inOne((tx) => settleChange(tx, { changeId: slow }));
    expect(await left(ada)).toBe(1);
    await sweepReservations(database.db, { abandonedMs: 0 });
    expect(await left(ada)).toBe(1);
    expect(lost).not.toBe(slow);
    expect(await findDifferences(database.db)).toEqual([]);
  });
});

test('closed reservations are deleted after two days, open ones never', async () => {
  const ada = await account(5);
  const [closed, open] = [await reserve(ada, 1), await reserve(ada, 1)];
  await settle(closed, 1);
  await database.pool.query(
    "UPDATE private.credit_reservations SET changed_at = now() - interval '49 hours' WHERE user_id = $1",
    [ada],
  );
  await sweepReservations(database.db);
  const remaining = await database.db
    .select({ subject: creditReservations.subject })
    .from(creditReservations)
    .where(eq(creditReservations.userId, ada));
  expect(remaining).toEqual([{ subject: open }]);
  expect(await pagesOf(ada)).toBe(3);
});

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  'in any order of operations, balance, entries and total agree after each step (%i)',
  async (seed) => {
    const random = createRandom(seed);
    const credits = random.below(12);
    const ada = await account(credits);
    const begun = await total();
    /** A simple model to compare with: each page, and what has become of it. */
    const works: { id: string; pages: Map<number, 'open' | 'paid' | 'free' | 'gone'> }[] = [];
    let balance = credits;
    let delivered = 0;
    for (let step = 0; step < 25; step++) {
      const work = works[random.below(works.length)];
      if (!work || random.next() < 0.2) {
        const pages = 1 + random.below(5);
        const id = await reserve(ada, pages).catch((error) => {
          expect([error.code, error.shortage.available, pages > balance]).toEqual([
            'INSUFFICIENT_CREDITS',
            balance,
            true,
          ]);
          return null;
        });
        if (id !== null) {
          balance -= pages;
          works.push({ id, pages: new Map(Array.from({ length: pages }, (_, n) => [n + 1, 'open'])) });
        }
      } else {
        const chosen = [...work.pages.keys()].filter(() => random.next() < 0.5);
        const isRest = random.next() < 0.2;
        if (random.next() < 0.5) {
          await settle(work.id, ...chosen);
          for (const page of chosen) {
            const state = work.pages.get(page);
            if (state === 'paid' || state === 'free') continue;
            const isPaid = state === 'open' || balance > 0;
            if (state === 'gone' && isPaid) balance--;
            work.pages.set(page, isPaid ? 'paid' : 'free');
            delivered++;
          }
        } else {
          await release(work.id, isRest ? 'rest' : chosen);
          for (const [page, state] of work.pages) {
            if (state === 'gone' || (isRest ? state !== 'open' : !chosen.includes(page))) continue;
            if (state !== 'free') balance++;
            if (state !== 'open') delivered--;
            work.pages.set(page, 'gone');
          }
        }
      }
      expect([step, await pagesOf(ada), (await total()) - begun]).toEqual([step, balance, delivered]);
      expect(balance).toBeGreaterThanOrEqual(0);
      expect(await findDifferences(database.db)).toEqual([]);
    }
  },
);
