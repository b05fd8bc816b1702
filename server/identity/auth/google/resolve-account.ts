/** Finds or creates the account that a Google account signs in to. */
import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { identities, mfaFactors, oneTimeTokens, sessions, users } from '../../auth-schema.ts';
import type { AuthCore, Transaction } from '../core.ts';
import { EmailField } from '../requests.ts';
import { refuseByRules } from '../sign-up-rules.ts';
import { isBanned, isUniqueViolation } from '../users.ts';
import type { GoogleProfile } from './google-client.ts';

export type Resolution =
  /** `linkedTo`: the address to notify that Google has just become another sign-in method. */
  | { kind: 'account'; userId: string; linkedTo?: string }
  /** Google has not verified the address: no account is created for it or linked to it. */
  | { kind: 'unverified' }
  | { kind: 'banned' };

/**
 * Looks up Google's own id first, and the address only if that id is new. Concurrent callbacks get the same account.
 *
 * - An account whose address is confirmed gets Google as another sign-in method: both have verified the same mailbox.
 * - An account whose address was never confirmed is taken over. Whoever created it has not verified the mailbox and may
 *   be waiting for its owner to sign up ("pre-hijacking"): its password, links and metadata are removed.
 *
 * @throws AuthError email_address_invalid when the sign-up rules refuse the address
 */
export async function resolveAccount(
  { db }: Pick<AuthCore, 'db'>,
  profile: GoogleProfile,
): Promise<Resolution> {
  try {
    return await db.transaction((tx) => resolveWithin(tx, profile));
  } catch (error) {
    // another callback has just created the same account: now it is found
    if (!isUniqueViolation(error)) throw error;
    return db.transaction((tx) => resolveWithin(tx, profile));
  }
}

async function resolveWithin(tx: Transaction, profile: GoogleProfile): Promise<Resolution> {
  if (profile.email === null || !profile.isEmailVerified) return { kind: 'unverified' };
  const address = EmailField.safeParse(profile.email);
  if (!address.success) return { kind: 'unverified' };
  const email = address.data;
  const known = await findIdentityOwner(tx, profile.sub);
  if (known) {
    if (isBanned(known)) return { kind: 'banned' };
    await tx
      .update(identities)
      .set({
        identityData: describeIdentity(profile, email),
        lastSignInAt: new Date(),
        updatedAt: new Date(),
      })
      .where(and(eq(identities.provider, 'google'), eq(identities.providerId, profile.sub)));
    return { kind: 'account', userId: known.id };
  }
  const [found] = await tx.select().from(users).where(sql`lower(${users.email}) = ${email}`).for('update');
  if (found && isBanned(found)) return { kind: 'banned' };
  if (!found) {
    const id = randomUUID();
    await refuseByRules(tx, { email, provider: 'google', metadata: {} });
    await tx.insert(users).values({
      id,
      email,
      emailConfirmedAt: new Date(),
      rawAppMetaData: { provider: 'google', providers: ['google'] },
    });
    await insertIdentity(tx, id, profile, email);
    return { kind: 'account', userId: id };
  }
  const isTakenOver = found.emailConfirmedAt === null;
  if (isTakenOver) await takeOver(tx, found.id);
  else {
    const providers = [...new Set([...(found.rawAppMetaData.providers ?? []), 'google'])];
    await tx
      .update(users)
      .set({ rawAppMetaData: { ...found.rawAppMetaData, providers }, updatedAt: new Date() })
      .where(eq(users.id, found.id));
  }
  await insertIdentity(tx, found.id, profile, email);
  return { kind: 'account', userId: found.id, ...(isTakenOver ? {} : { linkedTo: email }) };
}

async function findIdentityOwner(tx: Transaction, sub: string) {
  const [row] = await tx
    .select({ id: users.id, bannedUntil: users.bannedUntil })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, 'google'), eq(identities.providerId, sub)));
  return row;
}

/** Keeps the account's id and any ban; removes everything that would let its creator sign in again. */
async function takeOver(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(identities).where(eq(identities.userId, userId));
  for (const table of [sessions, oneTimeTokens, mfaFactors])
    await tx.delete(table).where(eq(table.userId, userId));
  await tx
    .update(users)
    .set({
      encryptedPassword: null,
      emailConfirmedAt: new Date(),
      emailChange: '',
      emailChangeConfirmStatus: 0,
      rawAppMetaData: { provider: 'google', providers: ['google'] },
      rawUserMetaData: {},
      updatedAt: new Date(),
    })
    .where(eq(users.id, userId));
}

async function insertIdentity(tx: Transaction, userId: string, profile: GoogleProfile, email: string) {
  await tx.insert(identities).values({
    userId,
    provider: 'google',
    providerId: profile.sub,
    identityData: describeIdentity(profile, email),
    lastSignInAt: new Date(),
  });
}

/** Name and picture are neither requested nor stored. */
function describeIdentity(profile: GoogleProfile, email: string): Record<string, unknown> {
  return { sub: profile.sub, provider_id: profile.sub, iss: profile.issuer, email, email_verified: true };
}
