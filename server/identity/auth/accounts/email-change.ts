/** Starts the change of an account's address; both mailboxes have to confirm it (`routes/verify-route.ts`). */
import { eq, sql } from 'drizzle-orm';
import { users } from '../../auth-schema.ts';
import type { AuthMail } from '../../mails/auth-mail.ts';
import type { Transaction } from '../core.ts';
import { createOneTimeToken } from '../tokens/one-time-tokens.ts';
import type { UserRow } from '../users.ts';

/** Records the new address and creates both tokens, voiding earlier ones. The mails are sent after the transaction. */
export async function startEmailChange(
  tx: Transaction,
  user: UserRow,
  newEmail: string,
  redirectTo: string,
): Promise<AuthMail[]> {
  const userId = user.id;
  const current = user.email ?? '';
  await tx
    .update(users)
    .set({
      emailChange: newEmail,
      emailChangeSentAt: sql`now()`,
      emailChangeConfirmStatus: 0,
      updatedAt: sql`now()`,
    })
    .where(eq(users.id, userId));
  const forNew = await createOneTimeToken(tx, { userId, type: 'email_change_new', address: newEmail });
  const forCurrent = await createOneTimeToken(tx, { userId, type: 'email_change_current', address: current });
  return [
    { kind: 'email_change_new', to: newEmail, tokenHash: forNew, redirectTo },
    { kind: 'email_change_current', to: current, newEmail, tokenHash: forCurrent, redirectTo },
  ];
}
