/** POST /token: a session for a password, for a code of the PKCE flow, or for a refresh token. */
import { and, eq } from 'drizzle-orm';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '#server/platform/http/types.ts';
import { knownNetworks } from '../../auth-schema.ts';
import { AuthError, authError } from '../auth-error.ts';
import type { AuthCore } from '../core.ts';
import { takeFlowByCode } from '../flow-state.ts';
import { passwordLength } from '../passwords.ts';
import { describeOrigin, type RequestOrigin, readBody } from '../requests.ts';
import { issueSession, refreshSession, type SessionAnswer, userBanned } from '../sessions.ts';
import { findUserByEmail, isBanned } from '../users.ts';

const Password = z.object({ email: z.string().max(320), password: z.string() });
const Pkce = z.object({ auth_code: z.string().max(200), code_verifier: z.string().max(200) });
const Refresh = z.object({ refresh_token: z.string().max(200) });

export function registerToken(routes: Hono<AppEnv>, core: AuthCore): void {
  routes.post('/token', async (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json(await grant(core, c));
  });
}

async function grant(core: AuthCore, c: Context<AppEnv>): Promise<SessionAnswer> {
  const origin = describeOrigin(core, c);
  switch (c.req.query('grant_type')) {
    case 'password': {
      await core.limits.count('signIn', origin.network);
      const { email, password } = await readBody(c, Password);
      return signInWithPassword(core, email.trim().toLowerCase(), password, origin);
    }
    case 'pkce': {
      await core.limits.count('signIn', origin.network);
      const { auth_code, code_verifier } = await readBody(c, Pkce);
      return exchangeCode(core, auth_code, code_verifier, origin);
    }
    case 'refresh_token': {
      const { refresh_token } = await readBody(c, Refresh);
      return renewSession(core, refresh_token, origin);
    }
    default:
      throw authError(400, 'validation_failed', 'unsupported_grant_type');
  }
}

/**
 * Only what is no token counts: a client gives its session up when it reads 429 here, so a whole school that opens its
 * machines at once, or a neighbour who sends nonsense, must not cause one.
 */
async function renewSession(core: AuthCore, token: string, origin: RequestOrigin): Promise<SessionAnswer> {
  try {
    return await refreshSession(core, token, origin);
  } catch (error) {
    if (error instanceof AuthError && error.code === 'refresh_token_not_found')
      await core.limits.count('refresh', origin.network);
    throw error;
  }
}

/** An address without an account costs the same questions and the same hash as one with. */
async function signInWithPassword(
  core: AuthCore,
  email: string,
  password: string,
  origin: RequestOrigin,
): Promise<SessionAnswer> {
  const wrong = () => authError(400, 'invalid_credentials', 'Invalid login credentials');
  if ([...password].length > passwordLength.max) throw wrong();
  const user = await findUserByEmail(core.db, email);
  const [known] = await core.db
    .select({ network: knownNetworks.network })
    .from(knownNetworks)
    .where(
      and(
        eq(knownNetworks.userId, user?.id ?? '00000000-0000-0000-0000-000000000000'),
        eq(knownNetworks.network, origin.network),
      ),
    );
  // counted before the work: a hundred guesses at once are a hundred guesses
  const pair = `${email} ${origin.network}`;
  await core.limits.count('guess', pair);
  if (!known) await core.limits.count('guessFromStrangers', email);
  const hash = user?.deletedAt === null ? user.encryptedPassword : null;
  const isRight = await core.passwords.verify(password, hash);
  if (!isRight || user === null || hash === null) throw wrong();
  await core.limits.forget('guess', pair);
  if (!known) await core.limits.refund('guessFromStrangers', email);
  if (isBanned(user)) throw userBanned();
  if (user.emailConfirmedAt === null) throw authError(400, 'email_not_confirmed', 'Email not confirmed');
  return core.db.transaction((tx) =>
    issueSession(core, tx, { userId: user.id, method: 'password', origin, expectedPasswordHash: hash }),
  );
}

async function exchangeCode(
  core: AuthCore,
  code: string,
  verifier: string,
  origin: RequestOrigin,
): Promise<SessionAnswer> {
  // in a transaction of its own: a code that was tried is gone, whatever comes of it
  const flow = await core.db.transaction((tx) => takeFlowByCode(tx, code, verifier));
  if (flow === 'not-found')
    throw authError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
  if (flow === 'expired')
    throw authError(403, 'flow_state_expired', 'invalid flow state, flow state has expired');
  if (flow === 'bad-verifier')
    throw authError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier');
  const { userId, authenticationMethod } = flow;
  if (userId === null)
    throw authError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
  return core.db.transaction((tx) =>
    issueSession(core, tx, { userId, method: authenticationMethod, origin }),
  );
}
