/** Refunds money: at Stripe, or in test mode by the events that Stripe would send. Credits follow those events. */
import { randomUUID } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Database } from '#server/database/database.ts';
import { movePageTotal, postEntry } from '../ledger.ts';
import { describeStripeError } from './begin-checkout.ts';
import { sumRefunded } from './due-credits.ts';
import type { Purchase } from './events/merge-facts.ts';
import { playPurchase, signEvent } from './events/played-events.ts';
import { receiveEvent } from './events/receive-event.ts';
import type { PaymentService } from './payment-service.ts';
import { readMoneyFacts } from './post-targets.ts';
import { paymentRefunds, purchases } from './schema.ts';

export interface RefundDeps {
  db: Database;
  service: PaymentService;
  logger: Logger;
}

/** The purchase with this id, or the account's newest one that can still be refunded. */
export async function findRefundable(
  db: Database,
  by: { purchaseId: string } | { userId: string },
): Promise<Purchase | null> {
  const isWanted = 'purchaseId' in by ? eq(purchases.id, by.purchaseId) : eq(purchases.userId, by.userId);
  const found = await db
    .select()
    .from(purchases)
    .where('purchaseId' in by ? isWanted : and(isWanted, eq(purchases.state, 'paid')))
    .orderBy(desc(purchases.createdAt));
  for (const purchase of found) {
    if ('purchaseId' in by || (await readRefundable(db, purchase)) > 0) return purchase;
  }
  return null;
}

/** What has not yet been refunded of a purchase, in hundredths. */
export async function readRefundable(db: Database, purchase: Purchase): Promise<number> {
  const paid = purchase.amount ?? 0;
  return paid - sumRefunded(await readMoneyFacts(db, purchase), paid);
}

/**
 * @param amount in hundredths
 * @returns whether the credits have been taken already; with Stripe, its event does that
 * @throws Error with a sentence for the operator
 */
export async function refundPurchase(
  deps: RefundDeps,
  purchase: Purchase,
  amount: number,
): Promise<{ isSettled: boolean }> {
  const { db, service } = deps;
  const { paymentIntent } = purchase;
  if (paymentIntent === null || !['paid', 'mismatched'].includes(purchase.state))
    throw new Error('Nothing was paid for this purchase.');
  if (purchase.mode !== service.mode)
    throw new Error(
      purchase.mode === 'local'
        ? 'This purchase was made in test mode, and STRIPE_SECRET_KEY is set: no money can be given back.'
        : `This purchase was made with a ${purchase.mode} key of Stripe. Set STRIPE_SECRET_KEY to one.`,
    );
  const known = await db
    .select({ id: paymentRefunds.id })
    .from(paymentRefunds)
    .where(eq(paymentRefunds.paymentIntent, paymentIntent));
  const number = known.length + 1;
  if (!service.stripe) {
    await playRefund(deps, purchase, amount, number);
    return { isSettled: true };
  }
  await service.stripe.refunds
    .create(
      {
        payment_intent: paymentIntent,
        amount,
        reason: 'requested_by_customer',
        metadata: { purchase_id: purchase.id },
      },
      { idempotencyKey: `refund:${purchase.id}:${number}` },
    )
    .catch((error: unknown) => {
      deps.logger.error({ err: describeStripeError(error) }, 'a refund was refused');
      throw new Error(`Stripe did not refund it: ${(error as Error).message}`, { cause: error });
    });
  return { isSettled: false };
}

async function playRefund(
  deps: RefundDeps,
  purchase: Purchase,
  amount: number,
  number: number,
): Promise<void> {
  const { db, service } = deps;
  const played = playPurchase(purchase);
  const refunded = (purchase.amount ?? 0) - (await readRefundable(db, purchase)) + amount;
  for (const event of [
    played.refund(amount, 'succeeded', { id: `re_local_${purchase.id}_${number}` }),
    played.chargeRefunded(refunded),
  ]) {
    const body = JSON.stringify(event);
    await receiveEvent(deps, body, signEvent(body, service.webhookSecret));
  }
}

/**
 * `already`: an entry with this key was written before. `too-many`: nothing was written; the account has only
 * this many left.
 */
export type PagesGivenBack = { kind: 'given' | 'already' } | { kind: 'too-many'; delivered: number };

class TooManyPages extends Error {
  readonly delivered: number;
  constructor(delivered: number) {
    super('more pages than were delivered');
    this.delivered = delivered;
  }
}

/**
 * Gives back pages that were delivered with a poor result. They leave the page total, so an account cannot get
 * back more than were delivered to it.
 */
export async function refundPages(
  db: Database,
  {
    userId,
    pages,
    cause,
    key,
  }: { userId: string; pages: number; cause: Record<string, unknown>; key?: string },
): Promise<PagesGivenBack> {
  try {
    return await db.transaction(async (tx) => {
      const outcome = await postEntry(tx, {
        userId,
        kind: 'refund',
        conversion: pages,
        cause: { ...cause, total: -pages },
        key: `refund-pages:${key ?? randomUUID()}`,
      });
      if (outcome !== 'posted') return { kind: 'already' };
      // counted including the entry just written, which holds the account's lock
      const { rows } = await tx.execute<{ left: number }>(sql`
        select coalesce(sum((cause ->> 'total')::int), 0)::int as left from credit_entries where user_id = ${userId}::uuid`);
      const left = rows[0]!.left;
      if (left < 0) throw new TooManyPages(left + pages);
      await movePageTotal(tx, -pages);
      return { kind: 'given' };
    });
  } catch (error) {
    if (error instanceof TooManyPages) return { kind: 'too-many', delivered: error.delivered };
    throw error;
  }
}
