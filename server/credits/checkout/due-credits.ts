/**
 * Computes what a purchase should have given, and what refunds and disputes should have taken, as sums
 * (docs/decisions/050-money.md).
 */
import type { CreditPair } from '#shared/api/billing.ts';
import type { DisputeRowState, PurchaseRowState, RefundRowState } from './schema.ts';

/** Everything known of one purchase; amounts in hundredths. */
export interface MoneyFacts {
  state: PurchaseRowState;
  /** After a promotion code; null until the buyer has confirmed. */
  amount: number | null;
  currency: string;
  /** What the bundle held. */
  full: CreditPair;
  refunds: readonly { amount: number; currency: string; state: RefundRowState }[];
  disputes: readonly { amount: number; currency: string; state: DisputeRowState }[];
  /** The greatest `amount_refunded` seen; null if none was. */
  refundedSeen: { amount: number; currency: string } | null;
}

export const purchaseEntryKinds = ['purchase', 'refund', 'dispute'] as const;
export type PurchaseEntryKind = (typeof purchaseEntryKinds)[number];

/** Sums of ledger entries by kind: `purchase` gives (positive), the others take (negative). */
export type EntrySums = Record<PurchaseEntryKind, CreditPair>;

export interface Targets {
  now: EntrySums;
  /** Ignores disputes that are still open. */
  final: EntrySums;
}

const nothing: CreditPair = { conversion: 0, assistant: 0 };

export function computeTargets(facts: MoneyFacts): Targets {
  const { full } = facts;
  const paid = facts.state === 'paid' ? (facts.amount ?? 0) : 0;
  if (paid === 0) {
    const none = { purchase: nothing, refund: nothing, dispute: nothing };
    return { now: none, final: none };
  }
  const refunded = sumRefunded(facts, paid);
  const withheld = sumDisputes(facts, paid, ['open', 'lost']);
  const finallyWithheld = sumDisputes(facts, paid, ['lost']);
  const refund = negate(takenFor(full, refunded, paid));
  const targets = (disputed: number): EntrySums => ({
    purchase: full,
    refund,
    dispute: subtract(negate(takenFor(full, refunded + disputed, paid)), refund),
  });
  return { now: targets(withheld), final: targets(finallyWithheld) };
}

/** Money returned to the buyer or on its way: the known refunds, or more if a charge says so. */
export function sumRefunded({ refunds, refundedSeen, currency }: MoneyFacts, paid: number): number {
  const sum = (isCounted: (state: RefundRowState) => boolean) =>
    refunds
      .filter(({ state }) => isCounted(state))
      .reduce((total, refund) => total + amountIn(currency, refund, paid), 0);
  const live = sum((state) => state !== 'failed');
  const dead = sum((state) => state === 'failed');
  const seen = refundedSeen === null ? 0 : amountIn(currency, refundedSeen, paid);
  return Math.min(paid, Math.max(live, seen - dead));
}

function sumDisputes({ disputes, currency }: MoneyFacts, paid: number, counted: DisputeRowState[]): number {
  return disputes
    .filter(({ state }) => counted.includes(state))
    .reduce((total, dispute) => total + amountIn(currency, dispute, paid), 0);
}

/** An amount in a currency other than the purchase's counts as everything that was paid. */
function amountIn(currency: string, money: { amount: number; currency: string }, paid: number): number {
  return money.currency === currency ? money.amount : paid;
}

/** The share of a bundle that corresponds to the money returned, rounded in the buyer's favour. */
function takenFor(full: CreditPair, back: number, paid: number): CreditPair {
  const share = (credits: number) => Math.floor((credits * Math.min(paid, back)) / paid);
  return { conversion: share(full.conversion), assistant: share(full.assistant) };
}

export function subtract(from: CreditPair, what: CreditPair): CreditPair {
  return { conversion: from.conversion - what.conversion, assistant: from.assistant - what.assistant };
}

function negate(pair: CreditPair): CreditPair {
  return subtract(nothing, pair);
}

/** Chooses among the pairs for each kind of credit. */
export function combine(
  choose: (...numbers: number[]) => number,
  ...pairs: readonly CreditPair[]
): CreditPair {
  return {
    conversion: choose(...pairs.map(({ conversion }) => conversion)),
    assistant: choose(...pairs.map(({ assistant }) => assistant)),
  };
}

export function atLeastZero(pair: CreditPair): CreditPair {
  return combine(Math.max, pair, nothing);
}
