/**
 * Sessions and their refresh tokens. A refresh replaces the token. For a few seconds a used token still returns the
 * active one, because tabs may refresh at the same time or a response may get lost. Reuse after that means that two
 * clients hold the session, and ends it.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { type AuthMethod, refreshTokens, sessions, users } from '../../auth-schema.ts';
import type { AuthMail } from '../../mails/auth-mail.ts';
import { authError } from '../auth-error.ts';
import type { AuthCore, Queryable, Transaction } from '../core.ts';
import type { RequestOrigin } from '../requests.ts';
import { hashToken } from '../tokens/seal.ts';
import { findUser, isBanned, lockUser, presentUser, type UserRow } from '../users.ts';
import { noteSignIn } from './devices.ts';

/** How long a used token returns the active one (Supabase's refresh_token_reuse_interval: 10 s). */
const reuseIntervalMs = 10_000;

export type SessionRow = typeof sessions.$inferSelect;

/** auth-js's `Session` in its wire format. */
export interface SessionAnswer {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: Record<string, unknown>;
}

interface NewSession {
  userId: string;
  /** How the user authenticated, for `amr`: password, otp, recovery, oauth. */
  method: string;
  origin: RequestOrigin;
  /** For the password grant: the hash that the password was checked against. A change since then must win. */
  expectedPasswordHash?: string;
  /** Receives the notice of a new device, to be sent after the transaction. Absent when a mailed link signs in. */
  mails?: AuthMail[];
}

/**
 * Signs a user in. Checks account and ban under the row's lock, so that no session escapes a concurrent ban or change
 * of password.
 * @throws AuthError user_banned, user_not_found, invalid_credentials
 */
export async function issueSession(
  core: AuthCore,
  tx: Transaction,
  wanted: NewSession,
): Promise<SessionAnswer> {
  const user = await lockUser(tx, wanted.userId);
  if (user === null || user.deletedAt !== null) throw userNotFound();
  if (isBanned(user)) throw userBanned();
  if (wanted.expectedPasswordHash !== undefined && user.encryptedPassword !== wanted.expectedPasswordHash)
    throw authError(400, 'invalid_credentials', 'Invalid login credentials');
  const [signedIn] = await tx
    .update(users)
    .set({ lastSignInAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(users.id, user.id))
    .returning();
  const [session] = await tx
    .insert(sessions)
    .values({
      id: randomUUID(),
      userId: user.id,
      amr: [{ method: wanted.method, timestamp: nowSeconds() }],
      userAgent: wanted.origin.userAgent,
    })
    .returning();
  const notice = await noteSignIn(tx, user, wanted.origin);
  if (notice !== null) wanted.mails?.push(notice);
  const refreshToken = await addRefreshToken(core, tx, (session as SessionRow).id, null);
  return presentSession(core, tx, signedIn as UserRow, session as SessionRow, refreshToken);
}

/**
 * Raises a session to `aal2` and issues new tokens; the old refresh token is marked as used.
 * @throws AuthError session_not_found
 */
export async function upgradeSession(
  core: AuthCore,
  tx: Transaction,
  sessionId: string,
  method: string,
): Promise<SessionAnswer> {
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId)).for('update');
  const user = session ? await findUser(tx, session.userId) : null;
  if (!session || user === null) throw sessionNotFound();
  const amr: AuthMethod[] = [
    ...session.amr.filter((one) => one.method !== method),
    { method, timestamp: nowSeconds() },
  ];
  const [raised] = await tx
    .update(sessions)
    .set({ aal: 'aal2', amr, updatedAt: sql`now()` })
    .where(eq(sessions.id, session.id))
    .returning();
  const refreshToken = await replaceRefreshToken(core, tx, session.id);
  return presentSession(core, tx, user, raised as SessionRow, refreshToken);
}

/**
 * The refresh grant.
 * @throws AuthError refresh_token_not_found, refresh_token_already_used (the session has ended then),
 * user_banned, session_expired
 */
export async function refreshSession(
  core: AuthCore,
  refreshToken: string,
  origin: RequestOrigin,
): Promise<SessionAnswer> {
  // time spent waiting for a busy database must not count as lateness
  const arrivedAt = Date.now();
  const tokenHash = hashToken(refreshToken);
  const outcome = await core.db.transaction(async (tx) => {
    const [seen] = await tx.select().from(refreshTokens).where(eq(refreshTokens.tokenHash, tokenHash));
    if (!seen) return 'not-found';
    // the session's row is the lock: reads from here on see the result of the previous refresh
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, seen.sessionId)).for('update');
    const [token] = await tx.select().from(refreshTokens).where(eq(refreshTokens.tokenHash, tokenHash));
    if (!session || !token) return 'not-found';
    const user = await findUser(tx, session.userId);
    if (user === null || user.deletedAt !== null) return 'not-found';
    if (isBanned(user)) return 'banned';
    if (session.notAfter !== null && session.notAfter.getTime() <= Date.now()) return 'expired';

    if (token.usedAt !== null) {
      const [active] = await tx
        .select()
        .from(refreshTokens)
        .where(and(eq(refreshTokens.sessionId, session.id), isNull(refreshTokens.usedAt)));
      const isJustReplaced = arrivedAt - token.usedAt.getTime() < reuseIntervalMs;
      const again = active && isJustReplaced ? deriveAgain(core, active) : undefined;
      if (again === undefined) {
        await tx.delete(sessions).where(eq(sessions.id, session.id));
        return 'used-before';
      }
      return presentSession(core, tx, user, session, again);
    }
    const next = await replaceRefreshToken(core, tx, session.id);
    const [refreshed] = await tx
      .update(sessions)
      .set({ refreshedAt: sql`now()`, updatedAt: sql`now()`, userAgent: origin.userAgent })
      .where(eq(sessions.id, session.id))
      .returning();
    return presentSession(core, tx, user, refreshed as SessionRow, next);
  });
  switch (outcome) {
    case 'not-found':
      throw authError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
    case 'used-before':
      core.logger.warn('a refresh token was used a second time; its session has ended');
      throw authError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
    case 'banned':
      throw authError(400, 'user_banned', 'Invalid Refresh Token: User Banned');
    case 'expired':
      throw authError(400, 'session_expired', 'Invalid Refresh Token: Session Expired');
    default:
      return outcome;
  }
}

/** Ends all sessions of an account, or all but one. */
export async function endSessions(
  db: Queryable,
  userId: string,
  options: { except?: string } = {},
): Promise<void> {
  const own = eq(sessions.userId, userId);
  await db.delete(sessions).where(options.except ? and(own, ne(sessions.id, options.except)) : own);
}

export const sessionNotFound = () =>
  authError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
export const userNotFound = () =>
  authError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
export const userBanned = (status = 400) => authError(status, 'user_banned', 'User is banned');

async function presentSession(
  core: AuthCore,
  tx: Transaction,
  user: UserRow,
  session: SessionRow,
  refreshToken: string,
): Promise<SessionAnswer> {
  const { token, expiresAt, expiresIn } = await core.tokens.sign({
    userId: user.id,
    email: user.email ?? '',
    appMetadata: user.rawAppMetaData,
    userMetadata: user.rawUserMetaData,
    sessionId: session.id,
    aal: session.aal,
    amr: session.amr,
  });
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: await presentUser(tx, user),
  };
}

/** Marks the active token as used and creates its successor. */
async function replaceRefreshToken(core: AuthCore, tx: Transaction, sessionId: string): Promise<string> {
  const [former] = await tx
    .update(refreshTokens)
    .set({ usedAt: new Date() })
    .where(and(eq(refreshTokens.sessionId, sessionId), isNull(refreshTokens.usedAt)))
    .returning();
  return addRefreshToken(core, tx, sessionId, former?.id ?? null);
}

async function addRefreshToken(
  core: AuthCore,
  tx: Transaction,
  sessionId: string,
  parentId: string | null,
): Promise<string> {
  const id = randomUUID();
  const token = deriveRefreshToken(core, id);
  await tx.insert(refreshTokens).values({ id, tokenHash: hashToken(token), sessionId, parentId });
  return token;
}

/** Derives a row's token again, even if a former key made it. */
const deriveAgain = (core: AuthCore, row: typeof refreshTokens.$inferSelect): string | undefined =>
  core.sealer
    .hashes('refresh-token', row.id)
    .map((hash) => hash.toString('base64url'))
    .find((token) => hashToken(token) === row.tokenHash);

/** Derived with the installation's key: nobody can forge it from the table, and it can be reissued without being stored. */
const deriveRefreshToken = (core: AuthCore, id: string): string =>
  core.sealer.hash('refresh-token', id).toString('base64url');

const nowSeconds = () => Math.floor(Date.now() / 1000);
