/**
 * Turns the targets of purchases into ledger entries (docs/decisions/050-money.md, “From targets to the
 * ledger”). The caller holds the locks on balance and purchases.
 */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import type { CreditPair } from '#shared/api/billing.ts';
import { postEntry, readBalance, type Transaction } from '../ledger.ts';
import { creditEntries } from '../schema.ts';
import {
  atLeastZero,
  combine,
  computeTargets,
  type EntrySums,
  type MoneyFacts,
  type PurchaseEntryKind,
  purchaseEntryKinds,
  subtract,
  type Targets,
} from './due-credits.ts';
import type { Purchase } from './events/merge-facts.ts';
import { paymentDisputes, paymentRefunds, payments, purchases } from './schema.ts';

const nothing: CreditPair = { conversion: 0, assistant: 0 };

/**
 * The cause recorded in a purchase's entries, in addition to the purchase itself: `{ event, refund }`, `{ owed:
 * true }`.
 */
export type EntryCause = Record<string, string | true>;

export async function readMoneyFacts(tx: Database | Transaction, purchase: Purchase): Promise<MoneyFacts> {
  const { state, amount, currency, paymentIntent } = purchase;
  const full = { conversion: purchase.conversion, assistant: purchase.assistant };
  if (paymentIntent === null)
    return { state, amount, currency, full, refunds: [], disputes: [], refundedSeen: null };
  const refunds = await tx
    .select()
    .from(paymentRefunds)
    .where(eq(paymentRefunds.paymentIntent, paymentIntent));
  const disputes = await tx
    .select()
    .from(paymentDisputes)
    .where(eq(paymentDisputes.paymentIntent, paymentIntent));
  const [seen] = await tx.select().from(payments).where(eq(payments.paymentIntent, paymentIntent));
  const refundedSeen = seen ? { amount: seen.refundedSeen, currency: seen.currency } : null;
  return { state, amount, currency, full, refunds, disputes, refundedSeen };
}

export async function readTargets(tx: Transaction, purchase: Purchase): Promise<Targets> {
  return computeTargets(await readMoneyFacts(tx, purchase));
}

export interface PostedEntries {
  sums: EntrySums;
  /** Number of entries. */
  count: number;
}

/** What the ledger holds for one purchase. */
export async function readPosted(tx: Database | Transaction, purchaseId: string): Promise<PostedEntries> {
  const rows = await tx
    .select({
      kind: creditEntries.kind,
      conversion: sql<number>`sum(${creditEntries.conversion})::integer`,
      assistant: sql<number>`sum(${creditEntries.assistant})::integer`,
      count: sql<number>`count(*)::integer`,
    })
    .from(creditEntries)
    .where(sql`${creditEntries.cause} ->> 'purchase' = ${purchaseId}`)
    .groupBy(creditEntries.kind);
  const sumOf = (kind: PurchaseEntryKind): CreditPair => {
    const row = rows.find((candidate) => candidate.kind === kind);
    return row ? { conversion: row.conversion, assistant: row.assistant } : nothing;
  };
  return {
    sums: { purchase: sumOf('purchase'), refund: sumOf('refund'), dispute: sumOf('dispute') },
    count: rows.reduce((total, { count }) => total + count, 0),
  };
}

/**
 * Posts what a purchase's facts have changed: first what is given, then what is taken, as far as the balance
 * reaches. A purchase that is credited pays what earlier ones owe.
 * @param before the targets before the facts were merged
 */
export async function postChanges(
  tx: Transaction,
  purchase: Purchase & { userId: string },
  before: Targets,
  cause: EntryCause,
): Promise<void> {
  const after = await readTargets(tx, purchase);
  const posted = await readPosted(tx, purchase.id);
  let gained = nothing;
  for (const kind of purchaseEntryKinds) {
    const rise = atLeastZero(subtract(after.now[kind], posted.sums[kind]));
    await post(tx, purchase, posted, kind, rise, cause);
    if (kind === 'purchase') gained = rise;
  }
  for (const kind of purchaseEntryKinds) {
    const owed = subtract(posted.sums[kind], after.now[kind]);
    const fall = combine(
      Math.max,
      subtract(before.now[kind], after.now[kind]),
      subtract(before.final[kind], after.final[kind]),
    );
    const balance = (await readBalance(tx, purchase.userId)) ?? nothing;
    const taken = atLeastZero(combine(Math.min, owed, fall, balance));
    await post(tx, purchase, posted, kind, subtract(nothing, taken), cause);
  }
  await collectOwed(tx, purchase.userId, { limit: gained, by: 'purchase', from: purchase.id });
}

export interface Collection {
  /** Credits gained: the most that is collected. */
  limit: CreditPair;
  /** Gains from a purchase do not pay for disputes that are still open; released credits do. */
  by: 'purchase' | 'release';
  /** The purchase, conversion or change that brought the credits. */
  from: string;
}

/**
 * Takes from new credits what refunds and disputes could not take before, oldest purchase first. The caller has
 * locked the balance and, `by` a purchase, the account's purchases.
 */
export async function collectOwed(
  tx: Transaction,
  userId: string,
  { limit, by, from }: Collection,
): Promise<void> {
  if (limit.conversion <= 0 && limit.assistant <= 0) return;
  let left = limit;
  for (const debtor of await listPaidPurchases(tx, userId)) {
    if (debtor.id === from) continue;
    const targets = await readTargets(tx, debtor);
    const posted = await readPosted(tx, debtor.id);
    for (const kind of ['refund', 'dispute'] as const) {
      const owed = subtract(posted.sums[kind], (by === 'release' ? targets.now : targets.final)[kind]);
      const balance = (await readBalance(tx, userId)) ?? nothing;
      const taken = atLeastZero(combine(Math.min, owed, left, balance));
      await post(tx, debtor, posted, kind, subtract(nothing, taken), { owed: true, from });
      left = subtract(left, taken);
    }
  }
}

/** Oldest first. */
async function listPaidPurchases(tx: Transaction, userId: string) {
  const paid = await tx
    .select()
    .from(purchases)
    .where(and(eq(purchases.userId, userId), eq(purchases.state, 'paid')))
    .orderBy(asc(purchases.createdAt), asc(purchases.id));
  return paid.map((purchase) => ({ ...purchase, userId }));
}

/** Posts one entry, unless it moves nothing. Keeps `posted` up to date. */
async function post(
  tx: Transaction,
  purchase: Pick<Purchase, 'id'> & { userId: string },
  posted: PostedEntries,
  kind: PurchaseEntryKind,
  credits: CreditPair,
  cause: EntryCause,
): Promise<void> {
  if (credits.conversion === 0 && credits.assistant === 0) return;
  const outcome = await postEntry(tx, {
    userId: purchase.userId,
    kind,
    ...credits,
    cause: { purchase: purchase.id, ...cause },
    key: `purchase:${purchase.id}:${posted.count + 1}`,
  });
  if (outcome !== 'posted') throw new Error(`a credit entry that has to be written was not: ${outcome}`);
  posted.count++;
  posted.sums[kind] = combine((one = 0, other = 0) => one + other, posted.sums[kind], credits);
}
