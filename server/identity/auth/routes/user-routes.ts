/** GET and PUT /user, POST /logout: the caller's own account and sessions. */
import { eq, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '#server/http/types.ts';
import { sessions, users } from '../../auth-schema.ts';
import type { AuthMail } from '../../mails/auth-mail.ts';
import { startEmailChange } from '../accounts/email-change.ts';
import { addEmailIdentity } from '../accounts/email-identity.ts';
import { checkNewPassword, passwordLength } from '../accounts/passwords.ts';
import { authError } from '../auth-error.ts';
import type { AuthCore } from '../core.ts';
import { countMail } from '../count-mail.ts';
import { resolveRedirect } from '../redirects.ts';
import { describeOrigin, EmailField, MetadataField, type RequestOrigin, readBody } from '../requests.ts';
import { type AuthSession, requireFullSession, requireSession } from '../sessions/require-session.ts';
import { endSessions, type SessionRow, sessionNotFound } from '../sessions/sessions.ts';
import { refuseByRules } from '../sign-up-rules.ts';
import { dropOneTimeTokens } from '../tokens/one-time-tokens.ts';
import { findUserByEmail, lockUser, presentUser } from '../users.ts';

const Update = z.object({
  email: EmailField.optional(),
  password: z.string().optional(),
  /** Required with a new password, unless the session is recent, such as one just opened by a reset link. */
  current_password: z.string().optional(),
  phone: z.string().optional(),
  data: MetadataField.nullish(),
});
type Update = z.infer<typeof Update>;
const Scope = z.enum(['global', 'local', 'others']);

export function registerUserRoutes(routes: Hono<AppEnv>, core: AuthCore): void {
  routes.get('/user', async (c) => {
    const { user } = await requireSession(core, c);
    return c.json(await presentUser(core.db, user));
  });

  routes.put('/user', async (c) => {
    const caller = await requireFullSession(core, c);
    await core.limits.count('change', caller.user.id);
    const update = await readBody(c, Update);
    if (update.phone) throw authError(422, 'phone_provider_disabled', 'Telephone numbers are not offered');
    const passwordHash = await checkPasswords(core, caller, update, describeOrigin(core, c));
    const newEmail = await checkNewEmail(core, caller, update);
    const redirectTo = resolveRedirect(core.env, c.req.query('redirect_to'));
    const { answer, mails } = await change(core, caller, { update, passwordHash, newEmail, redirectTo });
    for (const mail of mails) core.mail(mail);
    return c.json(answer);
  });

  routes.post('/logout', async (c) => {
    const { user, session } = await requireSession(core, c);
    const scope = Scope.safeParse(c.req.query('scope') ?? 'global');
    if (!scope.success) throw authError(400, 'validation_failed', 'Unsupported logout scope');
    if (scope.data === 'local') await core.db.delete(sessions).where(eq(sessions.id, session.id));
    else await endSessions(core.db, user.id, scope.data === 'others' ? { except: session.id } : {});
    return c.body(null, 204);
  });
}

/**
 * @returns the new password's hash; null if it is not to change
 * @throws AuthError invalid_credentials, reauthentication_needed, weak_password, same_password
 */
async function checkPasswords(
  core: AuthCore,
  { user, session }: AuthSession,
  update: Update,
  { network }: RequestOrigin,
): Promise<string | null> {
  const turn = { network };
  if (update.current_password !== undefined) {
    const given = update.current_password;
    await core.limits.count('guess', `${user.id} current password`);
    const isRight =
      given.length <= 2 * passwordLength.max &&
      (await core.passwords.verify(given, user.encryptedPassword, turn)).isRight;
    if (!isRight) throw authError(400, 'invalid_credentials', 'The current password is incorrect.');
    await core.limits.refund('guess', `${user.id} current password`);
  }
  if (update.password === undefined) return null;
  // whoever finds this browser unattended must not be able to take over the account
  if (update.current_password === undefined && !isFresh(session))
    throw authError(
      400,
      'reauthentication_needed',
      'Changing the password requires the current one, or a sign-in within the last ten minutes.',
    );
  await checkNewPassword(update.password);
  if (
    user.encryptedPassword &&
    (await core.passwords.verify(update.password, user.encryptedPassword, turn)).isRight
  )
    throw authError(422, 'same_password', 'New password should be different from the old password.');
  return core.passwords.hash(update.password, turn);
}

/** The same time as for deleting an account (docs/decisions/042-who-calls.md). */
const freshSessionMs = 10 * 60_000;

const isFresh = ({ createdAt }: SessionRow) => Date.now() - createdAt.getTime() < freshSessionMs;

/** @returns the address to change to; null if it is not to change */
async function checkNewEmail(core: AuthCore, { user }: AuthSession, update: Update): Promise<string | null> {
  const wanted = update.email;
  if (wanted === undefined || wanted === user.email) return null;
  await core.limits.count('newAddress', user.id);
  // a change must not admit a disposable address either
  await refuseByRules(core.db, { email: wanted, provider: 'email', metadata: {} });
  if (await findUserByEmail(core.db, wanted))
    throw authError(422, 'email_exists', 'A user with this email address has already been registered');
  for (const to of [wanted, user.email ?? '']) await countMail(core.limits, { kind: 'email_change', to });
  return wanted;
}

interface Change {
  update: Update;
  passwordHash: string | null;
  newEmail: string | null;
  redirectTo: string;
}

function change(
  core: AuthCore,
  caller: AuthSession,
  { update, passwordHash, newEmail, redirectTo }: Change,
): Promise<{ answer: Record<string, unknown>; mails: AuthMail[] }> {
  return core.db.transaction(async (tx) => {
    const user = await lockUser(tx, caller.user.id);
    if (user === null) throw sessionNotFound();
    // another session may have changed the password since the check, and so ended this one
    const [session] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.id, caller.session.id));
    if (!session) throw sessionNotFound();
    const mails: AuthMail[] = [];
    if (update.data) {
      const merged = { ...user.rawUserMetaData, ...update.data };
      if (!MetadataField.safeParse(merged).success)
        throw authError(400, 'validation_failed', 'The field data is not valid for this call.');
      // null removes a field, as with Supabase
      const fields = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
      await tx
        .update(users)
        .set({ rawUserMetaData: fields, updatedAt: sql`now()` })
        .where(eq(users.id, user.id));
    }
    if (passwordHash !== null) {
      await tx
        .update(users)
        .set({ encryptedPassword: passwordHash, updatedAt: sql`now()` })
        .where(eq(users.id, user.id));
      await addEmailIdentity(tx, user);
      await endSessions(tx, user.id, { except: caller.session.id });
      // a reset link that somebody else requested must not undo this
      await dropOneTimeTokens(tx, user.id, ['recovery']);
      if (user.email) mails.push({ kind: 'password_changed', to: user.email });
    }
    if (newEmail !== null) mails.push(...(await startEmailChange(tx, user, newEmail, redirectTo)));
    const changed = await lockUser(tx, user.id);
    return { answer: await presentUser(tx, changed ?? user), mails };
  });
}
