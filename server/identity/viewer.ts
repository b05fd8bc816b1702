/** Whoever reads rows through /rest/v1 and /realtime/v1: the database decides by role and claims what they see. */
import type pg from 'pg';
import type { SignedInUser, TokenVerdict } from './identity.ts';

export type Viewer = { role: 'anon' } | { role: 'authenticated'; user: SignedInUser };

/** A read may take this long, and no longer: the tables are small, and anybody may ask. */
const statementTimeoutMs = 3000;

/** What rows are read with. */
export interface ViewerDeps {
  pool: pg.Pool;
  /** The public key, then former ones; as a bearer token each stands for nobody. */
  anonKeys: string[];
  verifyToken(token: string): Promise<TokenVerdict>;
}

/** The viewer that a bearer token stands for; none and the public key are `anon`. */
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
 * Runs reads as the viewer: one read-only transaction with the viewer's role and claims, as policies ask for them.
 * Role and claims end with the transaction.
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
    // a connection that cannot roll back still has the viewer's role: it is thrown away
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
