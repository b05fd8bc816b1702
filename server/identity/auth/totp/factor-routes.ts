/**
 * Second factors: an authenticator app is enrolled, verified with its first code, and required at every sign-in from
 * then on. A session without that code is `aal1`, which only these calls accept.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, lt, ne, sql } from 'drizzle-orm';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '#server/http/types.ts';
import { mfaChallenges, mfaFactors, sessions } from '../../auth-schema.ts';
import { authError } from '../auth-error.ts';
import type { AuthCore, Transaction } from '../core.ts';
import { describeOrigin, readBody } from '../requests.ts';
import { type AuthSession, requireFullSession, requireSession } from '../sessions/require-session.ts';
import { type SessionAnswer, sessionNotFound, upgradeSession } from '../sessions/sessions.ts';
import { isBanned, lockUser } from '../users.ts';
import { dropRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts';
import { createEnrolment, findStep } from './totp-codes.ts';

/** As in Supabase's own server: factors per account, and how long a challenge is valid. */
const maxFactors = 10;
const challengeLifetimeMs = 5 * 60_000;
/** When an unfinished enrolment expires. */
const unfinishedLifetimeMs = 24 * 60 * 60_000;

const Enrol = z.object({
  factor_type: z.string(),
  friendly_name: z.string().trim().max(100).nullish(),
  issuer: z.string().trim().max(100).nullish(),
});
const Verify = z.object({
  challenge_id: z.string(),
  /** As typed: apps show codes in two groups. A recovery code, accepted instead, has letters too. */
  code: z
    .string()
    .max(40)
    .transform((code) => code.replace(/\s/g, '')),
});

type FactorRow = typeof mfaFactors.$inferSelect;

export function registerFactorRoutes(routes: Hono<AppEnv>, core: AuthCore): void {
  routes.post('/factors', async (c) => {
    const { user } = await requireFullSession(core, c);
    await core.limits.count('change', user.id);
    const wanted = await readBody(c, Enrol);
    if (wanted.factor_type === 'phone')
      throw authError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
    if (wanted.factor_type === 'webauthn')
      throw authError(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn');
    if (wanted.factor_type !== 'totp')
      throw authError(400, 'validation_failed', 'factor_type needs to be totp');
    // a colon separates issuer and account in the URI
    const issuer = wanted.issuer?.replaceAll(':', ' ').trim() || 'Inkproof';
    const { secret, uri, qrCode } = createEnrolment({ issuer, account: user.email ?? '' });
    const id = randomUUID();
    const friendlyName = wanted.friendly_name || null;
    await core.db.transaction(async (tx) => {
      await lockUser(tx, user.id);
      await makeRoom(tx, user.id, friendlyName);
      await tx.insert(mfaFactors).values({
        id,
        userId: user.id,
        friendlyName,
        factorType: 'totp',
        status: 'unverified',
        secret: core.sealer.seal('totp-secret', secret, id),
      });
    });
    return c.json({
      id,
      type: 'totp',
      ...(friendlyName ? { friendly_name: friendlyName } : {}),
      totp: { qr_code: qrCode, secret, uri },
    });
  });

  routes.post('/factors/:id/challenge', async (c) => {
    const { user } = await requireSession(core, c);
    await core.limits.count('change', `challenge ${user.id}`);
    const factor = await findFactor(core, c, user.id);
    await core.db
      .delete(mfaChallenges)
      .where(lt(mfaChallenges.createdAt, new Date(Date.now() - challengeLifetimeMs)));
    const [challenge] = await core.db.insert(mfaChallenges).values({ factorId: factor.id }).returning();
    await core.db
      .update(mfaFactors)
      .set({ lastChallengedAt: new Date() })
      .where(eq(mfaFactors.id, factor.id));
    const { id, createdAt } = challenge as typeof mfaChallenges.$inferSelect;
    const expiresAt = Math.floor((createdAt.getTime() + challengeLifetimeMs) / 1000);
    return c.json({ id, type: 'totp', expires_at: expiresAt });
  });

  routes.post('/factors/:id/verify', async (c) => {
    const caller = await requireSession(core, c);
    const { challenge_id: challengeId, code } = await readBody(c, Verify);
    const factor = await findFactor(core, c, caller.user.id);
    const { network } = describeOrigin(core, c);
    // the caller has already given the password, so their device or network earns no extra trust
    const counters = [
      ['secondFactor', `${caller.user.id} ${network}`],
      // all networks together, or more networks would mean more attempts
      ['guessFromStrangers', `second factor ${caller.user.id}`],
    ] as const;
    // counted before the check, so that concurrent attempts count too
    for (const [name, key] of counters) await core.limits.count(name, key);
    const { answer, isNew, codesLeft } = await core.db.transaction((tx) =>
      verify(core, tx, caller, factor.id, { challengeId, code }),
    );
    for (const [name, key] of counters) await core.limits.refund(name, key);
    const to = caller.user.email;
    if (isNew && to) core.mail({ kind: 'second_factor_added', to });
    if (codesLeft !== null && to) core.mail({ kind: 'recovery_code_used', to, left: codesLeft });
    return c.json(answer);
  });

  routes.delete('/factors/:id', async (c) => {
    const caller = await requireSession(core, c);
    const { user, session } = caller;
    await core.limits.count('change', user.id);
    const factor = await findFactor(core, c, user.id);
    if (factor.status === 'verified' && session.aal !== 'aal2')
      throw authError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
    // removing an unfinished one needs no code, unless the session still has to give one
    if (factor.status !== 'verified') await requireFullSession(core, c);
    await core.db.transaction(async (tx) => {
      await lockUser(tx, user.id);
      await tx.delete(mfaFactors).where(eq(mfaFactors.id, factor.id));
      await lowerSessions(tx, user.id);
    });
    if (factor.status === 'verified' && user.email)
      core.mail({ kind: 'second_factor_removed', to: user.email });
    return c.json({ id: factor.id });
  });
}

/** @throws AuthError mfa_factor_not_found, also for another account's factor */
async function findFactor(core: AuthCore, c: Context<AppEnv>, userId: string): Promise<FactorRow> {
  const id = z.uuid().safeParse(c.req.param('id'));
  const [factor] = id.success
    ? await core.db
        .select()
        .from(mfaFactors)
        .where(and(eq(mfaFactors.id, id.data), eq(mfaFactors.userId, userId)))
    : [];
  if (!factor) throw factorNotFound();
  return factor;
}

/** @throws AuthError too_many_enrolled_mfa_factors, mfa_factor_name_conflict */
async function makeRoom(tx: Transaction, userId: string, friendlyName: string | null): Promise<void> {
  const own = eq(mfaFactors.userId, userId);
  const unfinished = and(own, eq(mfaFactors.status, 'unverified'));
  const since = new Date(Date.now() - unfinishedLifetimeMs);
  await tx.delete(mfaFactors).where(and(unfinished, lt(mfaFactors.createdAt, since)));
  const factors = await tx.select().from(mfaFactors).where(own);
  if (factors.length >= maxFactors)
    throw authError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    );
  if (friendlyName !== null && factors.some((factor) => factor.friendlyName === friendlyName))
    throw authError(
      422,
      'mfa_factor_name_conflict',
      'A factor with this friendly name for this user already exists',
    );
}

/**
 * Runs under the account's lock: of two attempts with the same code, the second finds it used.
 * @throws AuthError mfa_factor_not_found, mfa_challenge_expired, mfa_verification_failed, session_not_found, user_banned
 */
async function verify(
  core: AuthCore,
  tx: Transaction,
  { user, session }: AuthSession,
  factorId: string,
  { challengeId, code }: { challengeId: string; code: string },
): Promise<{ answer: SessionAnswer; isNew: boolean; codesLeft: number | null }> {
  const locked = await lockUser(tx, user.id);
  if (locked === null) throw sessionNotFound();
  if (isBanned(locked)) throw authError(403, 'user_banned', 'User is banned');
  const [factor] = await tx.select().from(mfaFactors).where(eq(mfaFactors.id, factorId));
  if (!factor) throw factorNotFound();
  const isNew = factor.status === 'unverified';
  // adding another factor requires the first
  if (isNew && session.aal !== 'aal2' && (await hasVerifiedFactor(tx, user.id)))
    throw authError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor');
  const [challenge] = z.uuid().safeParse(challengeId).success
    ? await tx
        .delete(mfaChallenges)
        .where(and(eq(mfaChallenges.id, challengeId), eq(mfaChallenges.factorId, factor.id)))
        .returning()
    : [];
  if (!challenge || challenge.createdAt.getTime() <= Date.now() - challengeLifetimeMs)
    throw authError(422, 'mfa_challenge_expired', 'MFA challenge has expired, create a new challenge.');
  // app codes have six digits, recovery codes are longer
  const codesLeft = !isNew && code.length > 6 ? await takeRecoveryCode(tx, user.id, code) : null;
  if (codesLeft === null) await takeAppCode(core, tx, factor, code);
  // as in Supabase: ends sessions that have not given the code, and unfinished enrolments
  await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, user.id), eq(sessions.aal, 'aal1'), ne(sessions.id, session.id)));
  await tx.delete(mfaFactors).where(and(eq(mfaFactors.userId, user.id), eq(mfaFactors.status, 'unverified')));
  const method = codesLeft === null ? 'totp' : 'recovery_code';
  return { answer: await upgradeSession(core, tx, session.id, method), isNew, codesLeft };
}

/** @throws AuthError mfa_verification_failed; the challenge is kept, so that a typo can be corrected */
async function takeAppCode(core: AuthCore, tx: Transaction, factor: FactorRow, code: string): Promise<void> {
  const secret = core.sealer.open('totp-secret', factor.secret, factor.id);
  if (secret === null) throw new Error('a second factor was sealed with another SECRET_KEY');
  const step = findStep(secret, code, { now: Date.now(), lastStep: factor.lastStep });
  if (step === null) throw authError(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
  await tx
    .update(mfaFactors)
    .set({ status: 'verified', lastStep: step, updatedAt: sql`now()` })
    .where(eq(mfaFactors.id, factor.id));
}

async function hasVerifiedFactor(tx: Transaction, userId: string): Promise<boolean> {
  const [factor] = await tx
    .select({ id: mfaFactors.id })
    .from(mfaFactors)
    .where(and(eq(mfaFactors.userId, userId), eq(mfaFactors.status, 'verified')))
    .limit(1);
  return factor !== undefined;
}

/** Once the last factor is removed, no session may stay `aal2`: it has not verified a factor added later. */
async function lowerSessions(tx: Transaction, userId: string): Promise<void> {
  if (await hasVerifiedFactor(tx, userId)) return;
  await dropRecoveryCodes(tx, userId);
  await tx
    .update(sessions)
    .set({
      aal: 'aal1',
      amr: sql`(SELECT coalesce(jsonb_agg(one), '[]'::jsonb) FROM jsonb_array_elements(${sessions.amr}) AS one WHERE one ->> 'method' NOT IN ('totp', 'recovery_code'))`,
    })
    .where(and(eq(sessions.userId, userId), eq(sessions.aal, 'aal2')));
}

const factorNotFound = () => authError(404, 'mfa_factor_not_found', 'Factor not found');
