/** The identity `email`: signing in with an address and a password. */
import { sql } from 'drizzle-orm';
import { identities, users } from '../../auth-schema.ts';
import type { Transaction } from '../core.ts';
import type { UserRow } from '../users.ts';

/** The data that Supabase stores with an e-mail identity. */
export const describeEmailIdentity = (id: string, email: string) => ({
  sub: id,
  email,
  email_verified: false,
  phone_verified: false,
});

/** For an account created through another provider that now gets a password; an existing identity is kept. */
export async function addEmailIdentity(tx: Transaction, user: UserRow): Promise<void> {
  const identityData = {
    ...describeEmailIdentity(user.id, user.email ?? ''),
    email_verified: user.emailConfirmedAt !== null,
  };
  const added = await tx
    .insert(identities)
    .values({ userId: user.id, provider: 'email', providerId: user.id, identityData })
    .onConflictDoNothing()
    .returning({ id: identities.id });
  if (added.length === 0) return;
  const providers = [...new Set([...(user.rawAppMetaData.providers ?? []), 'email'])];
  await tx
    .update(users)
    .set({ rawAppMetaData: { ...user.rawAppMetaData, providers } })
    .where(sql`${users.id} = ${user.id}`);
}

/** Sets the identity's address, if the identity exists, to one that has just been verified. */
export async function markEmailIdentity(tx: Transaction, userId: string, email: string): Promise<void> {
  await tx
    .update(identities)
    .set({
      identityData: sql`${identities.identityData} || ${JSON.stringify({ email, email_verified: true })}::jsonb`,
      updatedAt: sql`now()`,
    })
    .where(sql`${identities.userId} = ${userId} AND ${identities.provider} = 'email'`);
}
