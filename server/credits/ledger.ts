/**
 * The only way to move credits: a ledger entry, which the database carries into the balance in the same
 * transaction, refusing it if the balance would fall below zero (`private.post_credit_entry`). Everything here
 * runs in the caller's transaction, so that a payment and what it paid for are written together or not at all.
 */
import { eq, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { type CreditEntryKind, pageConversionTotals, userCredits } from './schema.ts';

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export interface CreditEntry {
  userId: string;
  kind: CreditEntryKind;
  /** Pages given (positive) or taken; default 0. */
  conversion?: number;
  /** AI conversations given or taken; default 0. */
  assistant?: number;
  /** Recorded as `credit_entries.cause`; names no person. */
  cause: Record<string, unknown>;
  /** An entry with the same key is written only once. */
  key: string;
}

/** `already`: this very entry was written before. `insufficient`: nothing was written. */
export type PostOutcome = 'posted' | 'already' | 'insufficient' | 'no-account';

/**
 * Writes one entry. Entries of one account wait for each other's transactions to end.
 * @throws if the key belongs to a different entry
 */
export async function postEntry(tx: Transaction, entry: CreditEntry): Promise<PostOutcome> {
  const { userId, kind, conversion = 0, assistant = 0, cause, key } = entry;
  const { rows } = await tx.execute<{ outcome: PostOutcome }>(
    sql`select outcome from private.post_credit_entry(${userId}::uuid, ${kind}, ${conversion}::integer, ${assistant}::integer, ${JSON.stringify(cause)}::jsonb, ${key})`,
  );
  return rows[0]!.outcome;
}

/** What an account can spend; reserved credits are already subtracted. */
export interface Balance {
  conversion: number;
  assistant: number;
}

const balanceColumns = {
  conversion: userCredits.conversionCredits,
  assistant: userCredits.assistantCredits,
};

/** Null if there is no such account. */
export async function readBalance(db: Database | Transaction, userId: string): Promise<Balance | null> {
  const [balance] = await db.select(balanceColumns).from(userCredits).where(eq(userCredits.userId, userId));
  return balance ?? null;
}

/** The balance, locked until the transaction ends; null if there is no such account. */
export async function lockBalance(tx: Transaction, userId: string): Promise<Balance | null> {
  const [balance] = await tx
    .select(balanceColumns)
    .from(userCredits)
    .where(eq(userCredits.userId, userId))
    .for('update');
  return balance ?? null;
}

/** Changes the total of converted pages. The entry responsible says so in its cause (`total`). */
export async function movePageTotal(tx: Transaction, pages: number): Promise<void> {
  if (pages === 0) return;
  await tx
    .update(pageConversionTotals)
    .set({ netPages: sql`${pageConversionTotals.netPages} + ${pages}` })
    .where(eq(pageConversionTotals.id, 1));
}
