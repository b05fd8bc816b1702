/**
 * Runs the decision's table of event orders (docs/decisions/050-money.md) against the database: events as
 * Stripe writes them, signed, through the webhook's code.
 */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test-support/database.ts';
import { chooseFrom } from '../../../../test-support/matrix.ts';
import { type MoneyStep, readMoneyOrders } from '../../../../test-support/money/money-model.ts';
import type { OpenedDatabase } from '../../../database/database.ts';
import { postEntry, readBalance } from '../../ledger.ts';
import { releasePages, reservePages } from '../../reservations.ts';
import { purchases } from '../schema.ts';
import { type PlayedPurchase, playPurchase, signEvent, type WrittenEvent } from './played-events.ts';
import { receiveEvent } from './receive-event.ts';

const secret = 'whsec_test';
const logger = pino({ level: 'silent' });
let database: OpenedDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(
    "INSERT INTO private.settings (name, value) VALUES ('mailbox-key', $1) ON CONFLICT DO NOTHING",
    [Buffer.alloc(32, 7)],
  );
});
afterAll(() => database.close());

interface Person {
  id: string;
  a: PlayedPurchase;
  b: PlayedPurchase;
  /** Conversions with reserved pages. */
  reserved: string[];
}

async function signUp(): Promise<Person> {
  const id = randomUUID();
  await database.pool.query('INSERT INTO auth.users (id, email, email_confirmed_at) VALUES ($1, $2, now())', [
    id,
    `ada-${id}@example.com`,
  ]);
  const begin = async (bundle: 'starter_pack' | 'power_bundle') => {
    const price = bundle === 'starter_pack' ? 490 : 790;
    const [conversion, assistant] = bundle === 'starter_pack' ? [60, 30] : [130, 70];
    const [row] = await database.db
      .insert(purchases)
      .values({
        userId: id,
        mode: 'test',
        bundle,
        conversion,
        assistant,
        country: 'FR',
        currency: 'eur',
        price,
      })
      .returning();
    return playPurchase(row!);
  };
  return { id, a: await begin('starter_pack'), b: await begin('power_bundle'), reserved: [] };
}

async function deliver(event: WrittenEvent, copies = 1): Promise<void> {
  const body = JSON.stringify(event);
  const deps = { db: database.db, service: { mode: 'test' as const, webhookSecret: secret }, logger };
  await Promise.all(Array.from({ length: copies }, () => receiveEvent(deps, body, signEvent(body, secret))));
}

async function balanceOf(person: Person): Promise<[number, number]> {
  const balance = await readBalance(database.db, person.id);
  return [balance!.conversion, balance!.assistant];
}

const post = (person: Person, kind: 'adjustment' | 'grant', conversion: number, assistant = 0) =>
  database.db.transaction((tx) =>
    postEntry(tx, { userId: person.id, kind, conversion, assistant, cause: {}, key: randomUUID() }),
  );

/** Performs one step of the table; `copies` of each event arrive at once. */
async function take(person: Person, step: Pick<MoneyStep, 'act' | 'amount' | 'purchase'>, copies = 1) {
  const { act, amount } = step;
  const purchase = person[step.purchase];
  const send = (event: WrittenEvent) => deliver(event, copies);
  const whole = amount ?? purchase.price;
  switch (act) {
    case 'P':
      return send(whole === 0 ? purchase.giftCode() : purchase.paid(whole));
    case 'U':
      return send(purchase.completedUnpaid());
    case 'F':
      return send(purchase.asyncFailed());
    case 'X':
      return send(purchase.expired());
    case 'R':
      return send(purchase.refund(whole, 'succeeded'));
    case 'Rp':
      return send(purchase.refund(whole, 'pending'));
    case 'Rf':
      return send(purchase.refund(whole, 'failed'));
    case 'C':
      return send(purchase.chargeRefunded(whole));
    case 'Do':
      return send(purchase.dispute(whole, 'needs_response'));
    case 'Dl':
      return send(purchase.dispute(whole, 'lost'));
    case 'Dw':
      return send(purchase.dispute(whole, 'won'));
    case 'Di':
      return send(purchase.dispute(whole, 'warning_needs_response'));
    case 'use':
      return post(person, 'adjustment', -whole);
    case 'talk':
      return post(person, 'adjustment', 0, -whole);
    case 'grant':
      return post(person, 'grant', whole);
    case 'reserve':
    case 'free': {
      const conversionId = person.reserved.pop() ?? randomUUID();
      if (act === 'free' && amount !== null)
        return database.db.transaction((tx) => releasePages(tx, { conversionId, pages: 'rest' }));
      person.reserved.push(conversionId);
      return database.db.transaction((tx) =>
        reservePages(tx, { userId: person.id, conversionId, pages: whole }),
      );
    }
    default:
      throw new Error(`no such step: ${act}`);
  }
}

/** Reserves the pages that a row releases without having reserved them. */
async function prepare(person: Person, steps: readonly MoneyStep[]): Promise<void> {
  if (steps.some(({ act }) => act === 'reserve')) return;
  const freed = steps.find(({ act }) => act === 'free')?.amount;
  if (!freed) return;
  await post(person, 'grant', freed);
  await take(person, { act: 'reserve', amount: freed, purchase: 'a' });
}

const orders = readMoneyOrders();

describe.each([
  { copies: 1, taken: orders },
  { copies: 3, taken: chooseFrom(import.meta.filename, orders.toReversed(), 12) },
])('with each event $copies times concurrently', ({ copies, taken }) => {
  test.each(taken)('order $number', async ({ steps }) => {
    const person = await signUp();
    await prepare(person, steps);
    for (const step of steps) {
      await take(person, step, copies);
      expect([step.text, ...(await balanceOf(person))]).toEqual([step.text, ...step.balance]);
    }
  });
});

function* permute<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries())
    for (const rest of permute(items.toSpliced(index, 1))) yield [item, ...rest];
}

const sequences: { events: string[]; balance: [number, number] }[] = [
  { events: ['P', 'R100', 'C100', 'R390'], balance: [10, 5] },
  { events: ['U', 'P', 'Rp100', 'Rf100'], balance: [70, 35] },
  { events: ['P', 'C100', 'Do', 'Dw'], balance: [58, 29] },
  { events: ['P', 'Di', 'Do', 'Dl'], balance: [10, 5] },
];

describe.each(sequences)('$events ends at $balance', ({ events, balance }) => {
  // in reverse order
  const all = [...permute(events)].map((order) => ({ order })).toReversed();
  test.each(chooseFrom(import.meta.filename, all, 6))('in the order $order', async ({ order }) => {
    const person = await signUp();
    for (const event of order) {
      const [, act = '', amount] = /^(\D+)(\d+)?$/.exec(event) ?? [];
      await take(person, { act, amount: amount ? Number(amount) : null, purchase: 'a' });
    }
    expect(await balanceOf(person)).toEqual(balance);
  });

  test('all of them concurrently, ten times each', async () => {
    const person = await signUp();
    await Promise.all(
      events.map((event) => {
        const [, act = '', amount] = /^(\D+)(\d+)?$/.exec(event) ?? [];
        return take(person, { act, amount: amount ? Number(amount) : null, purchase: 'a' }, 10);
      }),
    );
    expect(await balanceOf(person)).toEqual(balance);
  });
});

describe('what does not match is not credited', () => {
  const wrong: [string, (purchase: PlayedPurchase) => WrittenEvent][] = [
    ['another currency', (purchase) => purchase.paid(490, { currency: 'usd' })],
    ['another price', (purchase) => purchase.paid(100, { amount_subtotal: 100 })],
    [
      'a total that no discount explains',
      (purchase) =>
        purchase.paid(100, { total_details: { amount_discount: 0, amount_tax: 0, amount_shipping: 0 } }),
    ],
    [
      'tax that was never sold',
      (purchase) =>
        purchase.paid(490, { total_details: { amount_discount: 0, amount_tax: 80, amount_shipping: 0 } }),
    ],
    ['another buyer', (purchase) => purchase.paid(490, { client_reference_id: randomUUID() })],
    ['a subscription', (purchase) => purchase.paid(490, { mode: 'subscription' })],
    ['no money', (purchase) => purchase.giftCode()],
  ];

  test.each(wrong)('%s', async (_, write) => {
    const person = await signUp();
    await deliver(write(person.a));
    expect(await balanceOf(person)).toEqual([10, 5]);
    const [row] = await database.db.select().from(purchases).where(eq(purchases.id, person.a.id));
    expect(row).toMatchObject({ state: 'mismatched', mismatch: expect.any(String) });
    // and a repeated event does not credit it either
    await deliver(person.a.paid(490));
    expect(await balanceOf(person)).toEqual([10, 5]);
  });

  test('a checkout that is not ours, and a live event in test mode', async () => {
    const person = await signUp();
    await deliver({ ...person.a.paid(490), livemode: true });
    const foreign = person.a.paid(490, {
      metadata: {},
      id: `cs_${randomUUID()}`,
      payment_intent: `pi_${randomUUID()}`,
    });
    await deliver(foreign);
    expect(await balanceOf(person)).toEqual([10, 5]);
  });
});

test('a refund in another currency takes everything', async () => {
  const person = await signUp();
  await take(person, { act: 'P', amount: null, purchase: 'a' });
  await deliver(person.a.refund(1, 'succeeded', { currency: 'usd' }));
  expect(await balanceOf(person)).toEqual([10, 5]);
});

test('a deleted account is credited nothing, and its purchase is kept without it', async () => {
  const person = await signUp();
  await take(person, { act: 'P', amount: null, purchase: 'a' });
  await database.pool.query('DELETE FROM auth.users WHERE id = $1', [person.id]);
  await deliver(person.a.chargeRefunded(490));
  await deliver(person.b.paid(790));
  const rows = await database.db.select().from(purchases).where(eq(purchases.id, person.b.id));
  expect(rows).toMatchObject([{ userId: null, state: 'paid', amount: 790 }]);
});

test('an account deleted while its events arrive is either credited or deleted, never half', async () => {
  for (let round = 0; round < 3; round++) {
    const person = await signUp();
    await Promise.all([
      take(person, { act: 'P', amount: null, purchase: 'a' }, 3),
      take(person, { act: 'C', amount: 100, purchase: 'a' }, 3),
      take(person, { act: 'P', amount: null, purchase: 'b' }, 3),
      database.pool.query('DELETE FROM auth.users WHERE id = $1', [person.id]),
    ]);
    const rows = await database.db.select().from(purchases).where(eq(purchases.id, person.a.id));
    expect(rows).toMatchObject([{ userId: null, state: 'paid', amount: 490 }]);
    expect(await readBalance(database.db, person.id)).toBeNull();
  }
});
