/** What links in mails carry: random, kept as a hash, for one purpose and one address, once. */
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

/** Makes a token for a mail to `address`; an earlier one of the same purpose stops working. */
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

/** What somebody chose who signed up: it counts when the link of that sign-up is followed, and no other link's does. */
export interface SignUpChoice {
  passwordHash: string | null;
  userMetaData: Record<string, unknown> | null;
}

/**
 * Makes the link of one sign-up. Those of other sign-ups with the same address go on working.
 * @returns the token, and how many sign-ups wait now
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

/** How many sign-ups with this account's address wait, those included whose links are too old. */
export async function countSignUpTokens(tx: Transaction, userId: string): Promise<number> {
  const [row] = await tx
    .select({ waiting: count() })
    .from(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, userId), eq(oneTimeTokens.tokenType, 'signup')));
  return row?.waiting ?? 0;
}

/**
 * A new link for the one sign-up that waits. Where several do, none can be told from the others.
 * @returns the token, or null when there is not exactly one; then nothing has changed
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
 * Uses a token up. The account's row is locked first, as whoever drops an account's tokens does: of many at once
 * exactly one gets it, and two links of one account wait for each other.
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
