/** POST /token: exchanges a password, a code of the PKCE flow or a refresh token for a session. */
import { and, eq } from 'drizzle-orm';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '#server/http/types.ts';
import { users } from '../../auth-schema.ts';
import type { AuthMail } from '../../mails/auth-mail.ts';
import { passwordLength } from '../accounts/passwords.ts';
import { authError } from '../auth-error.ts';
import type { AuthCore } from '../core.ts';
import { countWhen, describeOrigin, type RequestOrigin, readBody } from '../requests.ts';
import { takeFlowByCode } from '../sessions/flow-state.ts';
import { beginGuess } from '../sessions/guesses.ts';
import { issueSession, refreshSession, type SessionAnswer, userBanned } from '../sessions/sessions.ts';
import { findUserByEmail, isBanned } from '../users.ts';
import { refuseOtherWays } from './not-offered.ts';

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
      const { email, password } = await readBody(c, Password, (body) => refuseOtherWays(body, 'logins'));
      return signInWithPassword(core, email.trim().toLowerCase(), password, origin);
    }
    case 'pkce': {
      const { auth_code, code_verifier } = await readBody(c, Pkce);
      const work = () => exchangeCode(core, auth_code, code_verifier, origin);
      return countWhen(['flow_state_not_found', 'bad_code_verifier'], work, () =>
        core.limits.count('code', origin.network),
      );
    }
    case 'refresh_token': {
      const { refresh_token } = await readBody(c, Refresh);
      const work = () => refreshSession(core, refresh_token, origin);
      return countWhen(['refresh_token_not_found'], work, () => core.limits.count('refresh', origin.network));
    }
    case 'id_token':
    case 'web3':
      throw authError(400, 'provider_disabled', 'This way of signing in is disabled');
    default:
      throw authError(400, 'validation_failed', 'unsupported_grant_type');
  }
}

/** An address without an account takes the same queries and the same hash as one with an account. */
async function signInWithPassword(
  core: AuthCore,
  email: string,
  password: string,
  origin: RequestOrigin,
): Promise<SessionAnswer> {
  const wrong = () => authError(400, 'invalid_credentials', 'Invalid login credentials');
  if ([...password.normalize('NFKC')].length > passwordLength.max) throw wrong();
  const user = await findUserByEmail(core.db, email);
  const guess = await beginGuess(core, { userId: user?.id ?? null, subject: email, origin });
  const hash = user?.deletedAt === null ? user.encryptedPassword : null;
  const turn = { network: origin.network, recheck: guess.recheck };
  const { isRight, isOldForm } = await core.passwords.verify(password, hash, turn);
  if (!isRight || user === null || hash === null) {
    await guess.wasWrong();
    throw wrong();
  }
  await guess.wasRight();
  if (isBanned(user)) throw userBanned();
  if (user.emailConfirmedAt === null) throw authError(400, 'email_not_confirmed', 'Email not confirmed');
  const answer = await startSession(core, {
    userId: user.id,
    method: 'password',
    origin,
    expectedPasswordHash: hash,
  });
  if (isOldForm)
    core.later('password in its present form', () => renewHash(core, user.id, hash, password, origin));
  return answer;
}

async function startSession(
  core: AuthCore,
  wanted: Omit<Parameters<typeof issueSession>[2], 'mails'>,
): Promise<SessionAnswer> {
  const mails: AuthMail[] = [];
  const answer = await core.db.transaction((tx) => issueSession(core, tx, { ...wanted, mails }));
  for (const mail of mails) core.mail(mail);
  return answer;
}

/** Replaces the password's hash by one made the current way; a concurrent change wins. */
async function renewHash(
  core: AuthCore,
  userId: string,
  former: string,
  password: string,
  { network }: RequestOrigin,
): Promise<void> {
  const encryptedPassword = await core.passwords.hash(password, { network });
  await core.db
    .update(users)
    .set({ encryptedPassword })
    .where(and(eq(users.id, userId), eq(users.encryptedPassword, former)));
}

async function exchangeCode(
  core: AuthCore,
  code: string,
  verifier: string,
  origin: RequestOrigin,
): Promise<SessionAnswer> {
  // in its own transaction: a code is used up by any attempt
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
  return startSession(core, { userId, method: authenticationMethod, origin });
}
