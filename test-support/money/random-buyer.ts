/**
 * A buyer who pays and is refunded at random, reported to the product by signed events: each up to three times
 * at once, in any order, sometimes late. Calculates in parallel what the events mean by the rules of
 * docs/decisions/050-money.md.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect } from 'vitest';
import { sumOwed } from '#server/credits/checkout/billing-history.ts';
import {
  type PlayedPurchase,
  playPurchase,
  signEvent,
  type WrittenEvent,
} from '#server/credits/checkout/events/played-events.ts';
import { receiveEvent } from '#server/credits/checkout/events/receive-event.ts';
import { purchases } from '#server/credits/checkout/schema.ts';
import type { OpenedDatabase } from '#server/database/database.ts';
import type { Random } from '../random.ts';
import { createMoneyModel, type Pair } from './money-model.ts';

const service = { mode: 'test' as const, webhookSecret: 'whsec_of_the_random_buyer' };
const logger = pino({ level: 'silent' });
/** A bundle's price, and its price with the students' code. */
const price = 490;
const discounted = 392;

interface Bought {
  events: PlayedPurchase;
  paid: number;
  /** Refunds that have succeeded, or will. */
  refunded: number;
}

interface Options {
  db: OpenedDatabase['db'];
  userId: string;
  /** The account's balance, pages and conversations. */
  balance: Pair;
  /** Some refunds fail: what they took is returned, and is not collected for other purchases. */
  refundsFail: boolean;
}

export type RandomBuyer = ReturnType<typeof createRandomBuyer>;

export function createRandomBuyer({ db, userId, balance, refundsFail }: Options) {
  const money = createMoneyModel(balance);
  const bought: Bought[] = [];
  const late = new Set<Promise<void>>();

  const deliver = async (event: WrittenEvent, copies: number, delayMs: number) => {
    await sleep(delayMs);
    const body = JSON.stringify(event);
    const signature = signEvent(body, service.webhookSecret);
    const receipts = await Promise.all(
      Array.from({ length: copies }, () => receiveEvent({ db, service, logger }, body, signature)),
    );
    expect(receipts.toSorted()).toEqual([...Array(copies - 1).fill('already'), 'applied']);
  };

  /** Returns when all but the late ones have been accepted. */
  const tell = async (events: readonly WrittenEvent[], random: Random) => {
    const inTime: Promise<void>[] = [];
    for (const event of events) {
      const isLate = random.next() < 0.15;
      const delivery = deliver(event, 1 + random.below(3), random.below(isLate ? 500 : 20));
      if (isLate) late.add(delivery);
      else inTime.push(delivery);
    }
    await Promise.all(inTime);
  };

  return {
    /** The account's balance if only purchases and refunds had moved it. */
    balance: money.balance,
    async buy(random: Random): Promise<void> {
      const [conversion, assistant] = [1 + random.below(20), random.below(6)];
      const [row] = await db
        .insert(purchases)
        .values({
          userId,
          mode: service.mode,
          bundle: 'starter_pack',
          conversion,
          assistant,
          country: 'FR',
          currency: 'eur',
          price,
        })
        .returning();
      const draw = random.next();
      const paid = draw < 0.3 ? discounted : price;
      const events = playPurchase({ ...row!, amount: paid });
      money.begin(events.id, [conversion, assistant]);
      money.pay(events.id, paid);
      bought.push({ events, paid, refunded: 0 });
      // some banks take days
      const sent = draw < 0.8 ? [events.paid()] : [events.completedUnpaid(), events.asyncSucceeded()];
      await tell(sent, random);
    },
    /** Refunds part of, or all that is left of, any purchase not yet fully refunded. */
    async refund(random: Random): Promise<void> {
      const open = bought.filter(({ paid, refunded }) => refunded < paid);
      const purchase = open[random.below(open.length)];
      if (!purchase) return;
      const { events, paid } = purchase;
      const left = paid - purchase.refunded;
      const amount = random.next() < 0.5 ? left : 1 + random.below(left);
      const change = { id: `re_${randomUUID()}` };
      purchase.refunded += amount;
      const seen = purchase.refunded;
      const sent = [events.refund(amount, 'pending', change), events.chargeRefunded(seen)];
      money.seeRefunded(events.id, seen);
      if (refundsFail && random.next() < 0.3) {
        sent.push(events.refund(amount, 'failed', change));
        money.refund(events.id, change.id, amount, 'failed');
        purchase.refunded -= amount;
      } else {
        sent.push(events.refund(amount, 'succeeded', change));
        money.refund(events.id, change.id, amount, 'succeeded');
      }
      await tell(sent, random);
    },
    /** Waits until every event has been accepted. */
    settled: () => Promise.all(late),
    /** What refunds could not take, as shown on the billing page. */
    readOwed: () => sumOwed(db, userId),
  };
}
