/** What links in mails carry: random, kept as a hash, for one purpose and one address, once. */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { type OneTimeTokenType, oneTimeTokens } from '../auth-schema.ts';
import { linkLifetimesMs } from '../mails/auth-mail.ts';
import type { Transaction } from './core.ts';
import { hashToken, makeToken } from './seal.ts';

const lifetimesMs: Record<OneTimeTokenType, number> = {
  signup: linkLifetimesMs.signup,
  recovery: linkLifetimesMs.recovery,
  email_change_current: linkLifetimesMs.email_change,
  email_change_new: linkLifetimesMs.email_change,
};

/** Makes a token for a mail to `address`; an earlier one of the same purpose stops working. */
export async function createOneTimeToken(
  tx: Transaction,
  wanted: { userId: string; type: OneTimeTokenType; address: string },
): Promise<string> {
  const token = makeToken();
  const values = {
    userId: wanted.userId,
    tokenType: wanted.type,
    tokenHash: hashToken(token),
    relatesTo: wanted.address,
    expiresAt: new Date(Date.now() + lifetimesMs[wanted.type]),
  };
  await tx
    .insert(oneTimeTokens)
    .values(values)
    .onConflictDoUpdate({
      target: [oneTimeTokens.userId, oneTimeTokens.tokenType],
      set: {
        tokenHash: values.tokenHash,
        relatesTo: values.relatesTo,
        expiresAt: values.expiresAt,
        createdAt: sql`now()`,
      },
    });
  return token;
}

export interface ProvenToken {
  userId: string;
  type: OneTimeTokenType;
  /** The address that the token proves. */
  address: string;
}

/**
 * Uses a token up. Of many at once exactly one gets it: deleting takes the row's lock.
 * @returns null when there is no such token for these purposes, or it has expired
 */
export async function consumeOneTimeToken(
  tx: Transaction,
  token: string,
  types: OneTimeTokenType[],
): Promise<ProvenToken | null> {
  const [row] = await tx
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.tokenHash, hashToken(token)), inArray(oneTimeTokens.tokenType, types)))
    .returning();
  if (!row || row.expiresAt.getTime() <= Date.now()) return null;
  return { userId: row.userId, type: row.tokenType, address: row.relatesTo };
}

/** Whatever is on its way to this account's mailboxes stops working. */
export async function dropOneTimeTokens(
  tx: Transaction,
  userId: string,
  types: OneTimeTokenType[],
): Promise<void> {
  await tx
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, userId), inArray(oneTimeTokens.tokenType, types)));
}
