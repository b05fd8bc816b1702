/** The identity `email`: the way into an account by its address and a password. */
import { sql } from 'drizzle-orm';
import { identities, users } from '../../auth-schema.ts';
import type { Transaction } from '../core.ts';
import type { UserRow } from '../users.ts';

/** What Supabase keeps beside an e-mail identity. */
export const describeEmailIdentity = (id: string, email: string) => ({
  sub: id,
  email,
  email_verified: false,
  phone_verified: false,
});

/** For an account that came by another provider and has a password from now on; one that has the identity keeps it. */
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

/** The identity, where there is one, bears an address that has just been proved. */
export async function markEmailIdentity(tx: Transaction, userId: string, email: string): Promise<void> {
  await tx
    .update(identities)
    .set({
      identityData: sql`${identities.identityData} || ${JSON.stringify({ email, email_verified: true })}::jsonb`,
      updatedAt: sql`now()`,
    })
    .where(sql`${identities.userId} = ${userId} AND ${identities.provider} = 'email'`);
}
