/** Tokens in mailed links: random, stored as a hash, valid once, for one purpose and one address. */
import { and, count, eq, inArray, ne, sql } from 'drizzle-orm';
import { type OneTimeTokenType, oneTimeTokens } from '../../auth-schema.ts';
import { linkLifetimesMs } from '../../mails/auth-mail.ts';
import type { Transaction } from '../core.ts';
import { lockUser, type UserRow } from '../users.ts';
import { hashToken, makeToken } from './seal.ts';

const lifetimesMs: Record<OneTimeTokenType, number> = {
  signup: linkLifetimesMs.signup,
  recovery: linkLifetimesMs.recovery,
  email_change_current: linkLifetimesMs.email_change,
  email_change_new: linkLifetimesMs.email_change,
};

/** Creates a token for a mail to `address`; an earlier one for the same purpose stops working. */
export async function createOneTimeToken(
  tx: Transaction,
  wanted: { userId: string; type: Exclude<OneTimeTokenType, 'signup'>; address: string },
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
      targetWhere: ne(oneTimeTokens.tokenType, 'signup'),
      set: {
        tokenHash: values.tokenHash,
        relatesTo: values.relatesTo,
        expiresAt: values.expiresAt,
        createdAt: sql`now()`,
      },
    });
  return token;
}

/** What was chosen at sign-up. It takes effect when that sign-up's link is followed, and no other's. */
export interface SignUpChoice {
  passwordHash: string | null;
  userMetaData: Record<string, unknown> | null;
}

/**
 * Creates the link of one sign-up. Links of other sign-ups with the same address keep working.
 * @returns the token, and how many sign-ups are pending now
 */
export async function createSignUpToken(
  tx: Transaction,
  wanted: { userId: string; address: string; choice: SignUpChoice },
): Promise<{ token: string; waiting: number }> {
  const token = makeToken();
  const { userId, address, choice } = wanted;
  const expiresAt = new Date(Date.now() + lifetimesMs.signup);
  await tx.insert(oneTimeTokens).values({
    userId,
    tokenType: 'signup',
    tokenHash: hashToken(token),
    relatesTo: address,
    expiresAt,
    ...choice,
  });
  return { token, waiting: await countSignUpTokens(tx, userId) };
}

/** How many sign-ups with this account's address are pending, including those whose links have expired. */
async function countSignUpTokens(tx: Transaction, userId: string): Promise<number> {
  const [row] = await tx
    .select({ waiting: count() })
    .from(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, userId), eq(oneTimeTokens.tokenType, 'signup')));
  return row?.waiting ?? 0;
}

/**
 * Renews the link of the only pending sign-up. Several cannot be told apart.
 * @returns the token, or null if there is not exactly one; then nothing has changed
 */
export async function renewSignUpToken(tx: Transaction, userId: string): Promise<string | null> {
  if ((await countSignUpTokens(tx, userId)) !== 1) return null;
  const token = makeToken();
  await tx
    .update(oneTimeTokens)
    .set({
      tokenHash: hashToken(token),
      expiresAt: new Date(Date.now() + lifetimesMs.signup),
      createdAt: sql`now()`,
    })
    .where(and(eq(oneTimeTokens.userId, userId), eq(oneTimeTokens.tokenType, 'signup')));
  return token;
}

export interface ProvenToken {
  /** The account's row, locked. */
  user: UserRow;
  type: OneTimeTokenType;
  /** The address that the token proves. */
  address: string;
  choice: SignUpChoice;
}

/**
 * Uses up a token. Locks the account's row first, as dropping an account's tokens does: of many concurrent calls
 * exactly one gets the token, and two links of one account wait for each other.
 * @returns null when there is no such token for these purposes, or it has expired
 */
export async function consumeOneTimeToken(
  tx: Transaction,
  token: string,
  types: OneTimeTokenType[],
): Promise<ProvenToken | null> {
  const wanted = and(eq(oneTimeTokens.tokenHash, hashToken(token)), inArray(oneTimeTokens.tokenType, types));
  const [seen] = await tx.select({ userId: oneTimeTokens.userId }).from(oneTimeTokens).where(wanted);
  const user = seen ? await lockUser(tx, seen.userId) : null;
  if (user === null) return null;
  const [row] = await tx.delete(oneTimeTokens).where(wanted).returning();
  if (!row || row.expiresAt.getTime() <= Date.now()) return null;
  const { tokenType: type, relatesTo: address, passwordHash, userMetaData } = row;
  return { user, type, address, choice: { passwordHash, userMetaData } };
}

/** Voids the links already sent to this account's mailboxes. */
export async function dropOneTimeTokens(
  tx: Transaction,
  userId: string,
  types: OneTimeTokenType[],
): Promise<void> {
  await tx
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, userId), inArray(oneTimeTokens.tokenType, types)));
}
