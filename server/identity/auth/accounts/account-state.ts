/**
 * Checks that a token's session and account are still valid. Runs on every call, because a token outlives a logout by
 * up to its own lifetime. One statement, over columns that an external Supabase has too.
 */
import { sql } from 'drizzle-orm';
import type { TokenVerdict } from '../../identity.ts';
import type { Queryable } from '../core.ts';

interface StateRow extends Record<string, unknown> {
  email: string | null;
  banned: boolean;
  session: boolean;
  enough: boolean;
}

/**
 * `second-factor-missing`: the account has a verified factor that this session has not passed.
 * @param claims of a verified token
 */
export async function checkAccountState(
  db: Queryable,
  claims: { sub: string; session_id: string },
): Promise<TokenVerdict> {
  const { rows } = await db.execute<StateRow>(sql`
    SELECT u.email,
           coalesce(u.banned_until > now(), false) AS banned,
           s.id IS NOT NULL AND (s.not_after IS NULL OR s.not_after > now()) AS session,
           s.aal::text = 'aal2' OR NOT EXISTS (
             SELECT FROM auth.mfa_factors f WHERE f.user_id = u.id AND f.status::text = 'verified'
           ) AS enough
      FROM auth.users u LEFT JOIN auth.sessions s ON s.user_id = u.id AND s.id = ${claims.session_id}
     WHERE u.id = ${claims.sub} AND u.deleted_at IS NULL`);
  const state = rows[0];
  if (!state) return { ok: false, reason: 'session-ended' };
  if (state.banned) return { ok: false, reason: 'banned' };
  if (!state.session) return { ok: false, reason: 'session-ended' };
  if (!state.enough) return { ok: false, reason: 'second-factor-missing' };
  return { ok: true, user: { id: claims.sub, email: state.email ?? '', sessionId: claims.session_id } };
}
