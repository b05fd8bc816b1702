/** The caller of /rest/v1 or /realtime/v1: the database decides by role and claims which rows they see. */
import type pg from 'pg';
import type { SignedInUser, TokenVerdict } from './identity.ts';

export type Viewer = { role: 'anon' } | { role: 'authenticated'; user: SignedInUser };

/** The time limit of a read: the tables are small, and anybody may query them. */
const statementTimeoutMs = 3000;

/** What rows are read with. */
export interface ViewerDeps {
  pool: pg.Pool;
  /** The public key, then former ones; as a bearer token each means an anonymous caller. */
  anonKeys: string[];
  verifyToken(token: string): Promise<TokenVerdict>;
}

/** The viewer that a bearer token identifies; without one, or with the public key, `anon`. */
export async function identifyViewer(
  token: string | undefined,
  deps: Pick<ViewerDeps, 'anonKeys' | 'verifyToken'>,
): Promise<Extract<TokenVerdict, { ok: false }> | { ok: true; viewer: Viewer }> {
  if (token === undefined || token === '' || deps.anonKeys.includes(token))
    return { ok: true, viewer: { role: 'anon' } };
  const verdict = await deps.verifyToken(token);
  return verdict.ok ? { ok: true, viewer: { role: 'authenticated', user: verdict.user } } : verdict;
}

/**
 * Runs reads as the viewer: one read-only transaction with the role and claims that the policies check. Both end with
 * the transaction.
 */
export async function readAs<T>(
  pool: pg.Pool,
  viewer: Viewer,
  read: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const claims =
    viewer.role === 'anon'
      ? { role: 'anon' }
      : {
          role: 'authenticated',
          aud: 'authenticated',
          sub: viewer.user.id,
          email: viewer.user.email,
          session_id: viewer.user.sessionId,
        };
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(
      "SELECT set_config('statement_timeout', $1, true), set_config('request.jwt.claims', $2, true), set_config('role', $3, true)",
      [String(statementTimeoutMs), JSON.stringify(claims), viewer.role],
    );
    const result = await read(client);
    await client.query('COMMIT');
    isBroken = false;
    return result;
  } catch (error) {
    // a connection that cannot roll back still has the viewer's role: discard it
    await client.query('ROLLBACK').then(
      () => {
        isBroken = false;
      },
      () => {},
    );
    throw error;
  } finally {
    client.release(isBroken);
  }
}
