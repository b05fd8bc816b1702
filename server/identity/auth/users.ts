/** Accounts as rows and in the client library's format. */
import { eq, sql } from 'drizzle-orm';
import { identities, mfaFactors, users } from '../auth-schema.ts';
import type { Queryable } from './core.ts';

export type UserRow = typeof users.$inferSelect;
export type IdentityRow = typeof identities.$inferSelect;

/** @param email in lower case */
export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(sql`lower(${users.email}) = ${email}`);
  return row ?? null;
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

/** Locks the row until the transaction ends, which serializes sign-ins, bans and changes of one account. */
export async function lockUser(tx: Queryable, id: string): Promise<UserRow | null> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('no key update');
  return row ?? null;
}

export const isBanned = (user: Pick<UserRow, 'bannedUntil'>): boolean =>
  user.bannedUntil !== null && user.bannedUntil.getTime() > Date.now();

/** True if the address or identity was taken concurrently; drizzle wraps the driver's error. */
export function isUniqueViolation(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if ('code' in each && each.code === '23505') return true;
  return false;
}

/** auth-js's `User`. */
export async function presentUser(db: Queryable, user: UserRow): Promise<Record<string, unknown>> {
  const identityRows = await db
    .select()
    .from(identities)
    .where(eq(identities.userId, user.id))
    .orderBy(identities.createdAt);
  const factors = await db
    .select()
    .from(mfaFactors)
    .where(eq(mfaFactors.userId, user.id))
    .orderBy(mfaFactors.createdAt);
  return {
    ...presentUserRow(user),
    identities: identityRows.map(presentIdentity),
    ...(factors.length > 0
      ? {
          factors: factors.map((factor) => ({
            id: factor.id,
            friendly_name: factor.friendlyName ?? undefined,
            factor_type: factor.factorType,
            status: factor.status,
            created_at: factor.createdAt,
            updated_at: factor.updatedAt,
            last_challenged_at: factor.lastChallengedAt ?? undefined,
          })),
        }
      : {}),
  };
}

/** The account's own row, without data from other tables. */
export function presentUserRow(user: UserRow): Record<string, unknown> {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email ?? '',
    phone: '',
    email_confirmed_at: user.emailConfirmedAt ?? undefined,
    confirmed_at: user.emailConfirmedAt ?? undefined,
    confirmation_sent_at: user.confirmationSentAt ?? undefined,
    recovery_sent_at: user.recoverySentAt ?? undefined,
    ...(user.emailChange
      ? { new_email: user.emailChange, email_change_sent_at: user.emailChangeSentAt ?? undefined }
      : {}),
    last_sign_in_at: user.lastSignInAt ?? undefined,
    app_metadata: user.rawAppMetaData,
    user_metadata: user.rawUserMetaData,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    is_anonymous: user.isAnonymous,
  };
}

export function presentIdentity(identity: IdentityRow): Record<string, unknown> {
  return {
    identity_id: identity.id,
    id: identity.providerId,
    user_id: identity.userId,
    identity_data: identity.identityData,
    provider: identity.provider,
    last_sign_in_at: identity.lastSignInAt ?? undefined,
    created_at: identity.createdAt,
    updated_at: identity.updatedAt,
    email: identity.email ?? undefined,
  };
}
