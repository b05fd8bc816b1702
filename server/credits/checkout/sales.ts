/** Sales for the operator: sums by month and currency, and purchases that need attention. */
import { and, eq, isNotNull, or } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import type { Currency } from '#shared/api/bundles.ts';
import { atLeastZero, computeTargets, subtract, sumRefunded } from './due-credits.ts';
import { readMoneyFacts, readPosted } from './post-targets.ts';
import { type PurchaseMode, purchases } from './schema.ts';

/** In hundredths. */
export interface MonthlySales {
  /** E.g. `2026-11`, of the payment (UTC). */
  month: string;
  currency: Currency;
  count: number;
  gross: number;
  /** Refunded from that month's payments, whenever that was. */
  refunds: number;
  /** Withheld or lost in disputes about them. */
  disputes: number;
  net: number;
}

/** Oldest first. @param mode local and test sales are not money, and are never added to it */
export async function sumSales(db: Database, mode: PurchaseMode): Promise<MonthlySales[]> {
  const paid = await db
    .select()
    .from(purchases)
    .where(and(eq(purchases.mode, mode), eq(purchases.state, 'paid'), isNotNull(purchases.paidAt)))
    .orderBy(purchases.paidAt);
  const months = new Map<string, MonthlySales>();
  for (const purchase of paid) {
    const amount = purchase.amount ?? 0;
    const facts = await readMoneyFacts(db, purchase);
    const refunded = sumRefunded(facts, amount);
    const disputed = Math.min(
      amount - refunded,
      facts.disputes
        .filter(({ state }) => state === 'open' || state === 'lost')
        .reduce((sum, dispute) => sum + dispute.amount, 0),
    );
    const month = (purchase.paidAt ?? purchase.createdAt).toISOString().slice(0, 7);
    const key = `${month} ${purchase.currency}`;
    const none = { month, currency: purchase.currency, count: 0, gross: 0, refunds: 0, disputes: 0, net: 0 };
    const sum = months.get(key) ?? none;
    months.set(key, {
      ...sum,
      count: sum.count + 1,
      gross: sum.gross + amount,
      refunds: sum.refunds + refunded,
      disputes: sum.disputes + disputed,
      net: sum.net + amount - refunded - disputed,
    });
  }
  return [...months.values()].sort((one, other) =>
    `${one.month} ${one.currency}`.localeCompare(`${other.month} ${other.currency}`),
  );
}

export interface PurchaseProblem {
  purchase: string;
  /** In words: what is wrong, and where to look. */
  text: string;
}

/**
 * Purchases whose payment did not match, money that came for a deleted account, and ledger entries that differ
 * from what the facts require.
 */
export async function findPurchaseProblems(db: Database): Promise<PurchaseProblem[]> {
  const problems: PurchaseProblem[] = [];
  const rows = await db
    .select()
    .from(purchases)
    .where(or(eq(purchases.state, 'paid'), eq(purchases.state, 'mismatched')))
    .orderBy(purchases.createdAt);
  for (const purchase of rows) {
    const say = (text: string) => problems.push({ purchase: purchase.id, text });
    if (purchase.state === 'mismatched') {
      say(`a payment that does not fit it (${purchase.mismatch}); refund it, or grant credits by hand`);
      continue;
    }
    const { sums } = await readPosted(db, purchase.id);
    const facts = await readMoneyFacts(db, purchase);
    const { now } = computeTargets(facts);
    if (purchase.userId === null) {
      const isUncredited = sums.purchase.conversion === 0 && sums.purchase.assistant === 0;
      if (isUncredited && sumRefunded(facts, purchase.amount ?? 0) < (purchase.amount ?? 0))
        say('paid after its account had gone; refund it');
      continue;
    }
    for (const kind of ['purchase', 'refund', 'dispute'] as const) {
      const over = atLeastZero(subtract(now[kind], sums[kind]));
      if (over.conversion > 0 || over.assistant > 0)
        say(`its ${kind} entries miss ${over.conversion} pages and ${over.assistant} AI conversations`);
    }
    const surplus = atLeastZero(subtract(sums.purchase, now.purchase));
    if (surplus.conversion > 0 || surplus.assistant > 0)
      say(
        `its entries have given ${surplus.conversion} pages and ${surplus.assistant} AI conversations more than it holds`,
      );
  }
  return problems;
}
