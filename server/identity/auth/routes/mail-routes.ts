/** POST /recover and /resend: send a mail if the account exists. The response does not reveal whether it does. */
import { eq, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '#server/http/types.ts';
import { users } from '../../auth-schema.ts';
import type { AuthMail } from '../../mails/auth-mail.ts';
import { startEmailChange } from '../accounts/email-change.ts';
import type { AuthCore } from '../core.ts';
import { countMail } from '../count-mail.ts';
import { resolveRedirect } from '../redirects.ts';
import { describeOrigin, EmailField, readBody } from '../requests.ts';
import { createOneTimeToken, renewSignUpToken } from '../tokens/one-time-tokens.ts';
import { findUserByEmail, lockUser } from '../users.ts';

const Recover = z.object({ email: EmailField });
const Resend = z.object({ type: z.enum(['signup', 'email_change']), email: EmailField });

export function registerMailRoutes(routes: Hono<AppEnv>, core: AuthCore): void {
  routes.post('/recover', async (c) => {
    const { email } = await readBody(c, Recover);
    await countMail(core.limits, { kind: 'recovery', to: email, network: describeOrigin(core, c).network });
    const redirectTo = resolveRedirect(core.env, c.req.query('redirect_to'));
    core.later('recovery mail', () => recover(core, email, redirectTo));
    return c.json({});
  });

  routes.post('/resend', async (c) => {
    const { type, email } = await readBody(c, Resend);
    await countMail(core.limits, { kind: type, to: email, network: describeOrigin(core, c).network });
    const redirectTo = resolveRedirect(core.env, c.req.query('redirect_to'));
    core.later('resent mail', () =>
      type === 'signup' ? resendSignUp(core, email, redirectTo) : resendEmailChange(core, email, redirectTo),
    );
    return c.json({});
  });
}

async function recover(core: AuthCore, email: string, redirectTo: string): Promise<void> {
  const tokenHash = await core.db.transaction(async (tx) => {
    const found = await findUserByEmail(tx, email);
    const user = found && (await lockUser(tx, found.id));
    if (!user || user.deletedAt !== null || user.email !== email) return null;
    await tx.update(users).set({ recoverySentAt: sql`now()` }).where(eq(users.id, user.id));
    return createOneTimeToken(tx, { userId: user.id, type: 'recovery', address: email });
  });
  if (tokenHash !== null) core.mail({ kind: 'recovery', to: email, tokenHash, redirectTo });
}

/**
 * Renews the link of a single pending sign-up. With several, the caller's is unknown, so the link asks for a new
 * password and voids the others.
 */
async function resendSignUp(core: AuthCore, email: string, redirectTo: string): Promise<void> {
  const mail = await core.db.transaction(async (tx): Promise<AuthMail | null> => {
    const found = await findUserByEmail(tx, email);
    const user = found && (await lockUser(tx, found.id));
    if (!user || user.deletedAt !== null || user.email !== email || user.emailConfirmedAt !== null)
      return null;
    await tx.update(users).set({ confirmationSentAt: sql`now()` }).where(eq(users.id, user.id));
    const renewed = await renewSignUpToken(tx, user.id);
    if (renewed !== null) return { kind: 'signup', to: email, tokenHash: renewed, redirectTo };
    const tokenHash = await createOneTimeToken(tx, { userId: user.id, type: 'recovery', address: email });
    return { kind: 'signup_again', to: email, tokenHash, redirectTo };
  });
  if (mail !== null) core.mail(mail);
}

/** @param email the account's current address */
async function resendEmailChange(core: AuthCore, email: string, redirectTo: string): Promise<void> {
  const mails = await core.db.transaction(async (tx) => {
    const found = await findUserByEmail(tx, email);
    const user = found && (await lockUser(tx, found.id));
    if (!user || user.deletedAt !== null || user.emailChange === '') return [];
    return startEmailChange(tx, user, user.emailChange, redirectTo);
  });
  for (const mail of mails) core.mail(mail);
}
