/** POST /signup. The response and its duration are the same for a new address and for one that has an account. */
import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '#server/http/types.ts';
import { identities, users } from '../../auth-schema.ts';
import type { AuthMail } from '../../mails/auth-mail.ts';
import { describeEmailIdentity } from '../accounts/email-identity.ts';
import { checkNewPassword } from '../accounts/passwords.ts';
import { authError } from '../auth-error.ts';
import type { AuthCore, Transaction } from '../core.ts';
import { countMail } from '../count-mail.ts';
import { resolveRedirect } from '../redirects.ts';
import { describeOrigin, EmailField, MetadataField, PasswordField, readBody } from '../requests.ts';
import { refuseByRules } from '../sign-up-rules.ts';
import { createSignUpToken } from '../tokens/one-time-tokens.ts';
import { type IdentityRow, presentIdentity, presentUserRow, type UserRow } from '../users.ts';
import { refuseOtherWays } from './not-offered.ts';

// a PKCE client also sends its challenge; links in mails need none, because the page that opens them verifies them
const SignUp = z.object({
  email: EmailField,
  password: PasswordField,
  data: MetadataField.nullish(),
});

export function registerSignUp(routes: Hono<AppEnv>, core: AuthCore): void {
  routes.post('/signup', async (c) => {
    const { network, site } = describeOrigin(core, c);
    const { email, password, data } = await readBody(c, SignUp, (body) => refuseOtherWays(body, 'signups'));
    await checkNewPassword(password);
    await refuseByRules(core.db, { email, provider: 'email', metadata: data ?? {} });
    // sign-ups refused above are not counted and leave nothing behind
    await core.limits.count('signUp', network);
    if (site !== null) await core.limits.count('signUpFromSite', site);
    await countMail(core.limits, { kind: 'signup', to: email });
    const redirectTo = resolveRedirect(core.env, c.req.query('redirect_to'));
    const encryptedPassword = await core.passwords.hash(password, { network });
    const { answer, mail } = await core.db.transaction((tx) =>
      signUp(core, tx, { email, encryptedPassword, metadata: data ?? {}, redirectTo }),
    );
    core.mail(mail);
    return c.json(answer);
  });
}

const emailProvider = { provider: 'email', providers: ['email'] };

interface NewAccount {
  email: string;
  encryptedPassword: string;
  metadata: Record<string, unknown>;
  redirectTo: string;
}

async function signUp(
  core: AuthCore,
  tx: Transaction,
  wanted: NewAccount,
): Promise<{ answer: Record<string, unknown>; mail: AuthMail }> {
  const { email, redirectTo } = wanted;
  const user = (await insertAccount(tx, wanted)) ?? (await takeOver(tx, wanted));
  if (user.emailConfirmedAt !== null)
    return { answer: describeStandIn(core, user, wanted), mail: { kind: 'account_exists', to: email } };
  const [identity] = await tx
    .select()
    .from(identities)
    .where(and(eq(identities.userId, user.id), eq(identities.provider, 'email')));
  const { token: tokenHash, waiting } = await createSignUpToken(tx, {
    userId: user.id,
    address: email,
    choice: {
      passwordHash: wanted.encryptedPassword,
      userMetaData: { ...wanted.metadata, ...describeEmailIdentity(user.id, email) },
    },
  });
  return {
    // must not reveal that a reset was requested for the account
    answer: describeAnswer({ ...user, recoverySentAt: null }, identity as IdentityRow, wanted),
    mail: {
      kind: 'signup',
      to: email,
      tokenHash,
      redirectTo,
      ...(waiting > 1 ? { signedUpAt: new Date() } : {}),
    },
  };
}

/** Returns null when the address has an account, even one created concurrently. */
async function insertAccount(tx: Transaction, wanted: NewAccount): Promise<UserRow | null> {
  const id = randomUUID();
  const [user] = await tx
    .insert(users)
    .values({
      id,
      email: wanted.email,
      encryptedPassword: wanted.encryptedPassword,
      confirmationSentAt: sql`now()`,
      rawAppMetaData: emailProvider,
      rawUserMetaData: { ...wanted.metadata, ...describeEmailIdentity(id, wanted.email) },
    })
    .onConflictDoNothing()
    .returning();
  if (!user) return null;
  await tx.insert(identities).values({
    userId: id,
    provider: 'email',
    providerId: id,
    identityData: { ...wanted.metadata, ...describeEmailIdentity(id, wanted.email) },
    lastSignInAt: sql`now()`,
  });
  return user;
}

/**
 * Signing up again before the address is confirmed. Each sign-up's choices are stored with its own link; the account's
 * row has the latest, so that a sign-in attempt can be answered with “unconfirmed”. A confirmed account is unchanged.
 */
async function takeOver(tx: Transaction, wanted: NewAccount): Promise<UserRow> {
  const [found] = await tx
    .select()
    .from(users)
    .where(sql`lower(${users.email}) = ${wanted.email}`)
    .for('no key update');
  if (!found) throw authError(500, 'unexpected_failure', 'Unexpected failure, please try again later.');
  // writes as much as for a new account, so that the response takes as long
  const isPending = found.emailConfirmedAt === null;
  const [user] = await tx
    .update(users)
    .set(
      isPending
        ? {
            encryptedPassword: wanted.encryptedPassword,
            rawUserMetaData: { ...wanted.metadata, ...describeEmailIdentity(found.id, wanted.email) },
            confirmationSentAt: sql`now()`,
          }
        : { confirmationSentAt: found.confirmationSentAt },
    )
    .where(eq(users.id, found.id))
    .returning();
  return user as UserRow;
}

/**
 * One format for both responses, down to the order of fields: ids are the same each time, times are those of this call,
 * and data is what was sent.
 */
function describeAnswer(user: UserRow, identity: IdentityRow, wanted: NewAccount): Record<string, unknown> {
  const now = new Date();
  const data = { ...wanted.metadata, ...describeEmailIdentity(user.id, wanted.email) };
  const times = { createdAt: now, updatedAt: now };
  return {
    ...presentUserRow({
      ...user,
      ...times,
      confirmationSentAt: now,
      rawAppMetaData: emailProvider,
      rawUserMetaData: data,
    }),
    identities: [presentIdentity({ ...identity, ...times, lastSignInAt: now, identityData: data })],
  };
}

/** For an address that already has an account: ids that belong to nobody and are the same each time. */
function describeStandIn(core: AuthCore, found: UserRow, wanted: NewAccount): Record<string, unknown> {
  const id = makeStandInId(core, `user ${wanted.email}`);
  const user: UserRow = {
    ...found,
    id,
    emailConfirmedAt: null,
    recoverySentAt: null,
    emailChange: '',
    lastSignInAt: null,
  };
  const identity: IdentityRow = {
    id: makeStandInId(core, `identity ${wanted.email}`),
    providerId: id,
    userId: id,
    provider: 'email',
    email: wanted.email,
    identityData: {},
    lastSignInAt: null,
    createdAt: found.createdAt,
    updatedAt: found.updatedAt,
  };
  return describeAnswer(user, identity, wanted);
}

/** Looks like a random UUID (version 4). */
function makeStandInId(core: AuthCore, label: string): string {
  // uses the oldest key: like an account's id, this one must not change with the key
  const bytes = (core.sealer.hashes('stand-in-account', label).at(-1) as Buffer).subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
