/** Brings a purchase and the ledger in line with Stripe's facts, in one transaction (docs/decisions/050-money.md). */
import { eq } from 'drizzle-orm';
import { readBalance, type Transaction } from '../../ledger.ts';
import { lockPurchase } from '../locks.ts';
import { type EntryCause, postChanges, readTargets } from '../post-targets.ts';
import { purchases } from '../schema.ts';
import type { Facts } from './facts.ts';
import { mergePaymentFacts, mergePurchaseFacts } from './merge-facts.ts';

/** `ignored`: about no purchase of ours, nor a payment that could become one. */
export type FactsOutcome =
  | { outcome: 'applied'; purchase: string | null }
  | { outcome: 'ignored'; purchase: null }
  /** `reason` is for the operator, in words. */
  | { outcome: 'mismatched'; purchase: string; reason: string };

/**
 * The caller has locked the payment (`lockPayment`).
 * @param event the event that reports the facts; null if Stripe was asked
 */
export async function applyFacts(tx: Transaction, facts: Facts, event: string | null): Promise<FactsOutcome> {
  const purchase = await lockPurchase(tx, {
    purchaseId: facts.purchaseId,
    sessionId: facts.session?.id ?? null,
    paymentIntent: facts.paymentIntent,
  });
  if (!purchase) {
    const isAboutPayment = Boolean(facts.refunds?.length || facts.disputes?.length || facts.refundedSeen);
    if (facts.paymentIntent === null || !isAboutPayment) return { outcome: 'ignored', purchase: null };
    await mergePaymentFacts(tx, facts);
    return { outcome: 'applied', purchase: null };
  }

  const before = await readTargets(tx, purchase);
  await mergePaymentFacts(tx, facts);
  const reason = await mergePurchaseFacts(tx, purchase, facts);
  const [current = purchase] = await tx.select().from(purchases).where(eq(purchases.id, purchase.id));
  const { userId } = current;
  // nothing is posted for a deleted account
  if (userId !== null && (await readBalance(tx, userId)) !== null)
    await postChanges(tx, { ...current, userId }, before, describeCause(facts, event));
  return reason === null
    ? { outcome: 'applied', purchase: purchase.id }
    : { outcome: 'mismatched', purchase: purchase.id, reason };
}

function describeCause({ refunds, disputes }: Facts, event: string | null): EntryCause {
  const [refund] = refunds ?? [];
  const [dispute] = disputes ?? [];
  return {
    ...(event === null ? { reconciled: true } : { event }),
    ...(refund ? { refund: refund.id } : {}),
    ...(dispute ? { dispute: dispute.id } : {}),
  };
}
