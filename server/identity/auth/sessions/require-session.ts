/** Authenticates calls of /auth/v1 that need a session. */
import { and, eq } from 'drizzle-orm';
import type { Context } from 'hono';
import type { AppEnv } from '../../../http/types.ts';
import { mfaFactors, sessions } from '../../auth-schema.ts';
import { authError } from '../auth-error.ts';
import type { AuthCore } from '../core.ts';
import type { AccessClaims } from '../tokens/access-tokens.ts';
import { findUser, isBanned, type UserRow } from '../users.ts';
import { type SessionRow, sessionNotFound, userBanned, userNotFound } from './sessions.ts';

export interface AuthSession {
  user: UserRow;
  session: SessionRow;
  claims: AccessClaims;
}

/**
 * Identifies the caller by the bearer token. Accepts a session without its second factor, which has to be verified
 * through these calls: see `requireFullSession`.
 * @throws AuthError no_authorization, bad_jwt, session_not_found, user_not_found, user_banned
 */
export async function requireSession(core: AuthCore, c: Context<AppEnv>): Promise<AuthSession> {
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (token === undefined)
    throw authError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  const verdict = await core.tokens.verify(token);
  if (!verdict.ok) {
    throw authError(
      403,
      'bad_jwt',
      verdict.reason === 'expired'
        ? 'invalid JWT: token is expired'
        : 'invalid JWT: unable to parse or verify signature',
    );
  }
  const { claims } = verdict;
  const user = await findUser(core.db, claims.sub);
  if (user === null || user.deletedAt !== null) throw userNotFound();
  if (isBanned(user)) throw userBanned(403);
  const [session] = await core.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, claims.session_id), eq(sessions.userId, user.id)));
  if (!session || (session.notAfter !== null && session.notAfter.getTime() <= Date.now()))
    throw sessionNotFound();
  return { user, session, claims };
}

/**
 * As `requireSession`, and requires the second factor if the account has one. The session's row decides, not the token:
 * a factor may have been added since.
 * @throws AuthError insufficient_aal besides
 */
export async function requireFullSession(core: AuthCore, c: Context<AppEnv>): Promise<AuthSession> {
  const found = await requireSession(core, c);
  if (found.session.aal === 'aal2') return found;
  const [factor] = await core.db
    .select({ id: mfaFactors.id })
    .from(mfaFactors)
    .where(and(eq(mfaFactors.userId, found.user.id), eq(mfaFactors.status, 'verified')))
    .limit(1);
  if (factor)
    throw authError(401, 'insufficient_aal', 'AAL2 session is required: give the second factor first.');
  return found;
}
