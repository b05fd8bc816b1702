/** Actions that cannot be undone require a recent sign-in. Reads a table that both backends have. */
import { sql } from 'drizzle-orm';
import { ApiError } from '#platform/errors.ts';
import type { Database } from '#server/database/database.ts';
import { freshSessionMs } from '#shared/api/account.ts';

/**
 * All of the account's factors have been verified: `verifyToken` accepts no token without them.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED when the session is older than `freshSessionMs`
 */
export async function requireFreshSignIn(
  db: Database,
  user: { id: string; sessionId: string },
): Promise<void> {
  const { rows } = await db.execute<{ is_fresh: boolean }>(sql`
    select created_at > clock_timestamp() - make_interval(secs => ${freshSessionMs / 1000}::double precision) as is_fresh
    from auth.sessions where id = ${user.sessionId} and user_id = ${user.id}`);
  if (!rows[0]?.is_fresh) throw new ApiError('FRESH_SIGN_IN_REQUIRED');
}
