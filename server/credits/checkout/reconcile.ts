/**
 * Asks Stripe for the current state and brings purchases in line, by the same merge as events, which repairs
 * what was lost on the way.
 */

import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type Stripe from 'stripe';
import { findAbsence } from '#platform/absence.ts';
import type { Outages } from '#platform/outages.ts';
import { type Repeated, repeat } from '#platform/repeat.ts';
import type { Database } from '#server/database/database.ts';
import { describeStripeError } from './begin-checkout.ts';
import { applyFacts } from './events/apply-facts.ts';
import { type Facts, readCharge, readDispute, readRefund, readSession } from './events/facts.ts';
import type { Purchase } from './events/merge-facts.ts';
import { forgetOld } from './forget-old.ts';
import { lockPayment } from './locks.ts';
import { explainStripeFailure } from './payment-service.ts';
import { purchases } from './schema.ts';

export interface ReconcileDeps {
  db: Database;
  stripe: Stripe;
  logger: Logger;
  /** Told when Stripe cannot be used at all. */
  outages?: Outages;
}

/** How long a purchase may be unfinished before Stripe is asked, in ms. */
const quietMs = 10 * 60_000;
/** Sessions expire after a day; a purchase without a stored session is given up after two, in ms. */
const lostMs = 48 * 60 * 60_000;
/** Most purchases that one sweep asks about. */
const sweepSize = 50;
/** Objects per page of Stripe's lists, the maximum allowed. */
const pageSize = 100;

/** Everything Stripe says of one session, its payment's charge, refunds and disputes. @throws Stripe's errors */
async function askStripe(stripe: Stripe, sessionId: string): Promise<Facts[]> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge'],
  });
  const facts = [readSession(session)];
  const payment = session.payment_intent;
  if (payment === null || typeof payment === 'string') return facts;
  const charge = payment.latest_charge;
  if (charge !== null && typeof charge === 'object') facts.push(readCharge(charge));
  const filter = { payment_intent: payment.id, limit: pageSize };
  for await (const refund of stripe.refunds.list(filter)) facts.push(readRefund(refund));
  for await (const dispute of stripe.disputes.list(filter)) facts.push(readDispute(dispute));
  return facts;
}

/** Applies each in its own transaction, like events. */
async function applyAll(db: Database, facts: readonly Facts[], logger: Logger): Promise<void> {
  for (const fact of facts) {
    const result = await db.transaction(async (tx) => {
      await lockPayment(tx, fact.paymentIntent);
      return applyFacts(tx, fact, null);
    });
    if (result.outcome === 'mismatched')
      logger.error(
        { purchase: result.purchase, reason: result.reason },
        'a payment does not fit its purchase; nothing was credited',
      );
  }
}

/** Brings one purchase up to date. @throws Stripe's errors */
export async function refreshPurchase(
  deps: ReconcileDeps,
  purchase: Pick<Purchase, 'sessionId'>,
): Promise<void> {
  if (purchase.sessionId === null) return;
  await applyAll(deps.db, await askStripe(deps.stripe, purchase.sessionId), deps.logger);
}

/** One round over purchases that have been unfinished for a while, until Stripe stops answering. */
async function sweepPurchases(deps: ReconcileDeps): Promise<void> {
  const { db, logger, outages } = deps;
  const ago = (ms: number) => sql`clock_timestamp() - make_interval(secs => ${ms / 1000}::double precision)`;
  const waiting = await db
    .select()
    .from(purchases)
    .where(
      and(
        inArray(purchases.state, ['open', 'processing']),
        lt(purchases.createdAt, ago(quietMs)),
        sql`${purchases.mode} <> 'local' and ${purchases.sessionId} is not null`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(sweepSize);
  for (const purchase of waiting) {
    try {
      await refreshPurchase(deps, purchase);
      outages?.works('payments');
    } catch (error) {
      if (findAbsence(error) !== null) throw error;
      const reason = explainStripeFailure(error);
      if (reason !== null) outages?.failed('payments', reason);
      logger.warn({ err: describeStripeError(error), purchase: purchase.id }, 'Stripe could not be asked');
      return;
    }
  }
  await db
    .update(purchases)
    .set({ state: 'expired' })
    .where(
      and(eq(purchases.state, 'open'), isNull(purchases.sessionId), lt(purchases.createdAt, ago(lostMs))),
    );
}

export interface Difference {
  purchase: string;
  /** In words: our state, and Stripe's. */
  text: string;
}

/**
 * Compares everything in a period: sessions that began in it, and refunds and disputes of purchases that have a
 * payment.
 * @returns what differed and is now in line
 * @throws Stripe's errors
 */
export async function reconcile(
  deps: ReconcileDeps,
  { since, until }: { since: Date; until: Date },
): Promise<{ sessions: number; differences: Difference[] }> {
  const { db, stripe, logger } = deps;
  const differences: Difference[] = [];
  const created = { gte: Math.floor(since.getTime() / 1000), lte: Math.ceil(until.getTime() / 1000) };
  let sessions = 0;
  for await (const { id, metadata } of stripe.checkout.sessions.list({ created, limit: pageSize })) {
    const purchaseId = metadata?.purchase_id;
    if (purchaseId === undefined) continue;
    sessions++;
    const before = await summarise(db, id, purchaseId);
    await applyAll(db, await askStripe(stripe, id), logger);
    const after = await summarise(db, id, purchaseId);
    if (after === null)
      differences.push({ purchase: purchaseId, text: `Stripe has ${id}, but there is no such purchase` });
    else if (before?.text !== after.text)
      differences.push({ purchase: after.id, text: `${before?.text ?? 'nothing'} → ${after.text}` });
  }
  return { sessions, differences };
}

/** State, money and facts of a purchase in one line. */
async function summarise(
  db: Database,
  sessionId: string,
  purchaseId: string,
): Promise<{ id: string; text: string } | null> {
  const { rows } = await db.execute<{ id: string; text: string }>(sql`
    select p.id, concat_ws(', ', p.state, p.amount || ' ' || p.currency,
      (select 'refunds ' || string_agg(r.amount || ' ' || r.state, ' + ' order by r.id) from private.payment_refunds r where r.payment_intent = p.payment_intent),
      (select 'disputes ' || string_agg(d.amount || ' ' || d.state, ' + ' order by d.id) from private.payment_disputes d where d.payment_intent = p.payment_intent),
      (select 'refunded on the charge ' || y.refunded_seen from private.payments y where y.payment_intent = p.payment_intent),
      p.mismatch) as text
    from private.purchases p where p.session_id = ${sessionId} or p.id::text = ${purchaseId} limit 1`);
  return rows[0] ?? null;
}

/** How often the sweep runs, in ms. */
const sweepIntervalMs = 5 * 60_000;

/**
 * Periodically asks Stripe about unfinished purchases. Several processes may do so: applying the same facts
 * twice is harmless.
 */
export function startPurchaseSweeper(deps: ReconcileDeps): Repeated {
  const round = async () => {
    await sweepPurchases(deps);
    await forgetOld(deps.db);
  };
  return repeat(round, {
    everyMs: sweepIntervalMs,
    logger: deps.logger,
    failure: 'looking for stuck purchases failed',
  });
}
