/** POST /verify: exchanges the token of a mailed link for a session. A token works once, for its purpose only. */
import { eq, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '#server/http/types.ts';
import { type OneTimeTokenType, users } from '../../auth-schema.ts';
import type { AuthMail } from '../../mails/auth-mail.ts';
import { describeEmailIdentity, markEmailIdentity } from '../accounts/email-identity.ts';
import { authError } from '../auth-error.ts';
import type { AuthCore, Transaction } from '../core.ts';
import { countWhen, describeOrigin, type RequestOrigin, readBody } from '../requests.ts';
import { issueSession } from '../sessions/sessions.ts';
import { consumeOneTimeToken, dropOneTimeTokens, type ProvenToken } from '../tokens/one-time-tokens.ts';
import { isBanned, isUniqueViolation, type UserRow } from '../users.ts';

const Verify = z.object({
  type: z.enum(['signup', 'email', 'recovery', 'email_change']),
  token_hash: z.string().max(200).optional(),
});

const purposes: Record<z.infer<typeof Verify>['type'], OneTimeTokenType[]> = {
  signup: ['signup'],
  email: ['signup'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
};

interface Verified {
  answer: object;
  mails: AuthMail[];
}

export function registerVerify(routes: Hono<AppEnv>, core: AuthCore): void {
  routes.post('/verify', async (c) => {
    c.header('Cache-Control', 'no-store');
    const origin = describeOrigin(core, c);
    const wanted = await readBody(c, Verify, refusePhone);
    const work = () => verify(core, wanted, origin);
    const verified = await countWhen(['otp_expired'], work, () =>
      core.limits.count('verify', origin.network),
    );
    for (const mail of verified.mails) core.mail(mail);
    return c.json(verified.answer);
  });
}

/** @returns the error for codes sent by phone */
function refusePhone(body: { type?: unknown }) {
  return body.type === 'sms' || body.type === 'phone_change'
    ? authError(400, 'phone_provider_disabled', 'Phone logins are disabled')
    : null;
}

/** @throws AuthError otp_expired; user_banned */
async function verify(
  core: AuthCore,
  { type, token_hash: token }: z.infer<typeof Verify>,
  origin: RequestOrigin,
): Promise<Verified> {
  // mails contain links, not digits: an address with a code proves nothing here
  if (token === undefined) throw otpExpired('Token has expired or is invalid');
  const verified = await core.db.transaction(async (tx) => {
    const proven = await consumeOneTimeToken(tx, token, purposes[type]);
    return proven && apply(core, tx, proven, origin);
  });
  // outside the transaction: an attempt uses up the token even if its account has changed since
  if (verified === null) throw otpExpired('Email link is invalid or has expired');
  return verified;
}

const otpExpired = (message: string) => authError(403, 'otp_expired', message);

async function apply(
  core: AuthCore,
  tx: Transaction,
  proven: ProvenToken,
  origin: RequestOrigin,
): Promise<Verified | null> {
  const { user } = proven;
  if (user.deletedAt !== null) return null;
  if (isBanned(user)) throw authError(403, 'user_banned', 'User is banned');
  switch (proven.type) {
    case 'signup':
    case 'recovery': {
      if (proven.address !== user.email) return null;
      // another sign-up's link was followed concurrently: this one's password is discarded
      if (proven.type === 'signup' && user.emailConfirmedAt !== null) return null;
      await confirmAddress(tx, user, proven);
      const answer = await issueSession(core, tx, { userId: user.id, method: 'otp', origin });
      return { answer, mails: [] };
    }
    case 'email_change_current':
    case 'email_change_new':
      return changeAddress(core, tx, user, proven, origin);
  }
}

/**
 * The mailbox's owner has followed this link, so the choices of its sign-up apply, and those of no other. A reset link
 * belongs to no sign-up.
 */
async function confirmAddress(tx: Transaction, user: UserRow, { type, choice }: ProvenToken): Promise<void> {
  if (user.emailConfirmedAt !== null) return;
  const chosen =
    type === 'signup'
      ? choice
      : { passwordHash: null, userMetaData: describeEmailIdentity(user.id, user.email ?? '') };
  await tx
    .update(users)
    .set({
      emailConfirmedAt: sql`now()`,
      encryptedPassword: chosen.passwordHash,
      rawUserMetaData: { ...chosen.userMetaData, email_verified: true },
      updatedAt: sql`now()`,
    })
    .where(eq(users.id, user.id));
  await markEmailIdentity(tx, user.id, user.email ?? '');
  await dropOneTimeTokens(tx, user.id, ['signup']);
}

/** Both addresses have to confirm; the second confirmation makes the change. */
async function changeAddress(
  core: AuthCore,
  tx: Transaction,
  user: UserRow,
  proven: ProvenToken,
  origin: RequestOrigin,
): Promise<Verified | null> {
  const expected = proven.type === 'email_change_new' ? user.emailChange : user.email;
  if (user.emailChange === '' || proven.address !== expected) return null;
  if (user.emailChangeConfirmStatus === 0) {
    await tx
      .update(users)
      .set({ emailChangeConfirmStatus: 1, updatedAt: sql`now()` })
      .where(eq(users.id, user.id));
    const msg = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';
    return { answer: { code: 200, msg }, mails: [] };
  }
  const [former, next] = [user.email ?? '', user.emailChange];
  try {
    // a savepoint: the tokens stay used if the address is taken, even by a concurrent change
    await tx.transaction((savepoint) =>
      savepoint
        .update(users)
        .set({
          email: next,
          emailChange: '',
          emailChangeConfirmStatus: 0,
          emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, now())`,
          rawUserMetaData: { ...user.rawUserMetaData, email: next, email_verified: true },
          updatedAt: sql`now()`,
        })
        .where(eq(users.id, user.id)),
    );
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
  await markEmailIdentity(tx, user.id, next);
  // links sent to the former address stop working
  await dropOneTimeTokens(tx, user.id, ['signup', 'recovery', 'email_change_current', 'email_change_new']);
  const answer = await issueSession(core, tx, { userId: user.id, method: 'otp', origin });
  return { answer, mails: former ? [{ kind: 'email_changed', to: former, newEmail: next }] : [] };
}
