/**
 * Stores facts. A fact is replaced only by one with a higher rank, so that order and repetition make no
 * difference. The caller holds the locks.
 */
import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../ledger.ts';
import {
  type DisputeRowState,
  type PurchaseRowState,
  paymentDisputes,
  paymentRefunds,
  payments,
  purchases,
  type RefundRowState,
} from '../schema.ts';
import type { Facts, SessionFact } from './facts.ts';

export type Purchase = typeof purchases.$inferSelect;

/** Received money wins over everything; a mismatch remains until the operator has resolved it. */
const purchaseRank: Record<PurchaseRowState, number> = {
  open: 0,
  expired: 1,
  processing: 2,
  failed: 3,
  paid: 4,
  mismatched: 5,
};
const refundRank: Record<RefundRowState, number> = { pending: 0, succeeded: 1, failed: 2 };
const disputeRank: Record<DisputeRowState, number> = { inquiry: 0, open: 1, lost: 2, won: 3 };

/** Stores what is kept per payment, whether or not its purchase is known. */
export async function mergePaymentFacts(tx: Transaction, facts: Facts): Promise<void> {
  const { paymentIntent } = facts;
  if (paymentIntent === null) return;
  for (const refund of facts.refunds ?? []) {
    const [known] = await tx.select().from(paymentRefunds).where(eq(paymentRefunds.id, refund.id));
    if (!known) await tx.insert(paymentRefunds).values({ ...refund, paymentIntent });
    else if (refundRank[refund.state] > refundRank[known.state])
      await tx.update(paymentRefunds).set({ state: refund.state }).where(eq(paymentRefunds.id, refund.id));
  }
  for (const dispute of facts.disputes ?? []) {
    const [known] = await tx.select().from(paymentDisputes).where(eq(paymentDisputes.id, dispute.id));
    if (!known) await tx.insert(paymentDisputes).values({ ...dispute, paymentIntent });
    else if (disputeRank[dispute.state] > disputeRank[known.state])
      await tx
        .update(paymentDisputes)
        .set({ state: dispute.state })
        .where(eq(paymentDisputes.id, dispute.id));
  }
  if (facts.refundedSeen) {
    const { amount, currency } = facts.refundedSeen;
    await tx
      .insert(payments)
      .values({ paymentIntent, refundedSeen: amount, currency })
      .onConflictDoUpdate({
        target: payments.paymentIntent,
        set: { refundedSeen: sql`greatest(${payments.refundedSeen}, excluded.refunded_seen)` },
      });
  }
}

/** @returns why the facts are not believed, in words for the operator; null if everything agrees */
export async function mergePurchaseFacts(
  tx: Transaction,
  purchase: Purchase,
  facts: Facts,
): Promise<string | null> {
  const { session, charge } = facts;
  const mismatch = describeMismatch(purchase, facts);
  if (mismatch !== null) {
    await tx.update(purchases).set({ state: 'mismatched', mismatch }).where(eq(purchases.id, purchase.id));
    return mismatch;
  }
  const reported = session && session.state !== 'without-money' ? session.state : 'open';
  const isFurther = purchaseRank[reported] > purchaseRank[purchase.state];
  const hasTotal = reported === 'paid' || reported === 'processing';
  await tx
    .update(purchases)
    .set({
      sessionId: purchase.sessionId ?? session?.id ?? null,
      paymentIntent: purchase.paymentIntent ?? facts.paymentIntent,
      charge: charge?.id ?? purchase.charge,
      receiptUrl: charge?.receiptUrl ?? purchase.receiptUrl,
      ...(isFurther ? { state: reported } : {}),
      ...(isFurther && hasTotal ? { amount: session?.total ?? null } : {}),
      ...(isFurther && reported === 'paid' ? { paidAt: new Date() } : {}),
    })
    .where(eq(purchases.id, purchase.id));
  return null;
}

function describeMismatch(purchase: Purchase, { session, ...facts }: Facts): string | null {
  const expect = (name: string, wanted: unknown, reported: unknown): string | null =>
    wanted === reported ? null : `${name} ${reported} where ${wanted} was expected`;
  if (!session || !['paid', 'without-money'].includes(session.state)) return null;
  return (
    expect('purchase', purchase.id, facts.purchaseId) ??
    expect('session', purchase.sessionId ?? session.id, session.id) ??
    expect('payment', purchase.paymentIntent ?? facts.paymentIntent, facts.paymentIntent) ??
    expect('mode', 'payment', session.mode) ??
    expect('livemode', purchase.mode === 'live', session.isLive) ??
    // the account may have been deleted
    expect('account', purchase.userId ?? session.userId, session.userId) ??
    expect('currency', purchase.currency, session.currency) ??
    expect('price', purchase.price, session.subtotal) ??
    expect('tax and shipping', 0, session.taxAndShipping) ??
    expect('total', (session.subtotal ?? 0) - session.discount, session.total) ??
    describeNoMoney(session)
  );
}

function describeNoMoney({ state, total }: SessionFact): string | null {
  return state === 'without-money' || (total ?? 0) <= 0 ? 'no money was received' : null;
}
