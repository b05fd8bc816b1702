/**
 * Locks for everything that moves money and credits, in the order in which every transaction takes them: the
 * payment, (the event,) the account, its balance, the account's purchases by id.
 */
import { asc, eq, or, sql } from 'drizzle-orm';
import { lockBalance, type Transaction } from '../ledger.ts';
import type { Purchase } from './events/merge-facts.ts';
import { purchases } from './schema.ts';

/** Ensures that “first refund seen” and “purchase seen” cannot miss each other. */
export async function lockPayment(tx: Transaction, paymentIntent: string | null): Promise<void> {
  if (paymentIntent === null) return;
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`inkproof payment ${paymentIntent}`}, 0))`,
  );
}

/** All purchases of an account, in order of id. */
async function lockPurchasesOf(tx: Transaction, userId: string): Promise<Purchase[]> {
  return tx
    .select()
    .from(purchases)
    .where(eq(purchases.userId, userId))
    .orderBy(asc(purchases.id))
    .for('update');
}

/** The purchase named by a payment, a session or metadata, with its account's balance and purchases locked. */
export async function lockPurchase(
  tx: Transaction,
  named: { purchaseId: string | null; sessionId: string | null; paymentIntent: string | null },
): Promise<Purchase | null> {
  const { purchaseId, sessionId, paymentIntent } = named;
  const ways = [
    purchaseId === null ? undefined : eq(purchases.id, purchaseId),
    sessionId === null ? undefined : eq(purchases.sessionId, sessionId),
    paymentIntent === null ? undefined : eq(purchases.paymentIntent, paymentIntent),
  ].filter((way) => way !== undefined);
  if (ways.length === 0) return null;
  const [found] = await tx
    .select()
    .from(purchases)
    .where(or(...ways))
    .limit(1);
  if (!found) return null;
  if (found.userId !== null) {
    // a deletion locks the account first: it waits for this transaction, or this one finds the account gone
    await tx.execute(sql`select from auth.users where id = ${found.userId} for key share`);
    await lockBalance(tx, found.userId);
    await lockPurchasesOf(tx, found.userId);
  }
  const [locked] = await tx.select().from(purchases).where(eq(purchases.id, found.id)).for('update');
  return locked ?? null;
}
