/**
 * Creates the account backend that the settings choose. The embedded one serves /auth/v1, /rest/v1 and /realtime/v1
 * itself; with SUPABASE_URL the browser talks to that project, and this server only checks its tokens and reads the
 * `auth` tables of the same database.
 */
import type { Server } from 'node:http';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { findAbsence } from '#platform/absence.ts';
import type { SecretKeys } from '#platform/data-dir.ts';
import type { Env } from '#platform/env.ts';
import { ApiError } from '#platform/errors.ts';
import { waitAtMost } from '#platform/wait-at-most.ts';
import type { Database } from '#server/database/database.ts';
import type { AppEnv, VerifyOptions } from '#server/http/types.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { checkAccountState } from './auth/accounts/account-state.ts';
import { createAccounts } from './auth/accounts/accounts.ts';
import { createPasswords } from './auth/accounts/passwords.ts';
import { registerAuthRoutes } from './auth/auth-routes.ts';
import type { AuthCore } from './auth/core.ts';
import { createLimits } from './auth/limits.ts';
import { startSweep } from './auth/sweep.ts';
import {
  AccessClaims,
  audience,
  type ClaimsVerdict,
  createAccessTokens,
} from './auth/tokens/access-tokens.ts';
import { createRemoteKeys } from './auth/tokens/remote-keys.ts';
import { reseal } from './auth/tokens/reseal.ts';
import { createSealer } from './auth/tokens/seal.ts';
import { createSigningKeys } from './auth/tokens/signing-keys.ts';
import type { Identity, TokenVerdict } from './identity.ts';
import { sendAuthMail } from './mails/send-auth-mail.ts';
import { attachRealtime, type Realtime } from './realtime/realtime.ts';
import { registerRest } from './rest/rest-routes.ts';
import { prepareSignUp } from './sign-up/prepare-sign-up.ts';

/** How long calls that touch no data wait for the database to check the account, in ms. */
const accountStateMs = 2_000;

export interface IdentityDeps {
  env: Env;
  pool: pg.Pool;
  db: Database;
  secretKeys: SecretKeys;
  logger: Logger;
  metrics: Registry;
  mailer: Mailer;
}

export async function createIdentity(deps: IdentityDeps): Promise<Identity> {
  await prepareSignUp({ ...deps, secretKey: deps.secretKeys.present });
  return deps.env.SUPABASE_URL ? openSupabase(deps, deps.env.SUPABASE_URL) : openEmbedded(deps);
}

async function openEmbedded(deps: IdentityDeps): Promise<Identity> {
  const { env, db, pool, logger, mailer } = deps;
  const issuer = `${env.API_URL}/auth/v1`;
  const sealer = createSealer(deps.secretKeys);
  const keys = createSigningKeys({ db, sealer, logger, tokenSeconds: env.ACCESS_TOKEN_SECONDS });
  const tokens = createAccessTokens({ keys, issuer, seconds: env.ACCESS_TOKEN_SECONDS });
  const mailDeps = { mailer, publicUrl: env.PUBLIC_URL, supportEmail: env.SUPPORT_EMAIL };

  const pending = new Set<Promise<void>>();
  const later: AuthCore['later'] = (what, work) => {
    const running: Promise<void> = work()
      .catch((error: unknown) => logger.error({ err: error, what }, 'work after an identity call failed'))
      .finally(() => pending.delete(running));
    pending.add(running);
  };
  const core: AuthCore = {
    env,
    db,
    pool,
    logger,
    issuer,
    sealer,
    keys,
    tokens,
    passwords: createPasswords(),
    limits: createLimits({ pool, sealer, factor: env.AUTH_LIMIT_FACTOR }),
    later,
    mail: (mail) => later(`mail: ${mail.kind}`, () => sendAuthMail(mailDeps, mail)),
  };
  // before the first request: a key that cannot be created or read must fail the start
  await keys.current();
  const sweep = startSweep(core);
  const verifyToken: Identity['verifyToken'] = (token, options) =>
    judge(db, () => tokens.verify(token), options);
  // pages loaded before the key was changed still send the former one
  const anonKeys = sealer
    .hashes('anon-key', 'anon')
    .map((hash) => `sb_publishable_${hash.toString('base64url')}`);
  const viewing = { env, pool, logger, anonKeys, verifyToken };
  let realtime: Realtime | null = null;

  return {
    publicSettings: {
      url: env.API_URL,
      anon_key: anonKeys[0] ?? '',
      providers: { email: true, google: env.GOOGLE_CLIENT_ID !== undefined },
    },
    verifyToken,
    accounts: createAccounts({ db, passwords: core.passwords, backend: 'embedded' }),
    rotateKeys: (options) => keys.rotate(options),
    reseal: () => reseal({ db, sealer }),
    registerRoutes(app: OpenAPIHono<AppEnv>) {
      registerAuthRoutes(app, core);
      registerRest(app, viewing);
    },
    attachRealtime(server: Server) {
      realtime = attachRealtime(server, viewing);
    },
    endStreams: () => realtime?.endStreams(),
    async close() {
      await realtime?.close();
      await sweep.stop();
      // pending work may start more work
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

async function openSupabase({ env, db }: IdentityDeps, url: string): Promise<Identity> {
  const issuer = `${url}/auth/v1`;
  const keySet = createRemoteKeys(new URL(`${issuer}/.well-known/jwks.json`));
  return {
    publicSettings: {
      url,
      anon_key: env.SUPABASE_ANON_KEY ?? '',
      // the project's own settings decide what is enabled; the button leads there
      providers: { email: true, google: true },
    },
    verifyToken: (token, options) => judge(db, () => verifyWithKeySet(token, keySet, issuer), options),
    accounts: createAccounts({ db, passwords: createPasswords(), backend: 'supabase' }),
    rotateKeys: () =>
      Promise.reject(new Error('The keys are the Supabase project’s own: rotate them there.')),
    reseal: async () => ({ resealed: 0, lost: 0 }),
    registerRoutes() {},
    attachRealtime() {},
    endStreams() {},
    async close() {},
  };
}

async function judge(
  db: Database,
  verify: () => Promise<ClaimsVerdict>,
  { withoutDatabase = false }: VerifyOptions = {},
): Promise<TokenVerdict> {
  const verdict = await verify();
  if (!verdict.ok) return verdict;
  const { sub, email, session_id } = verdict.claims;
  const state = checkAccountState(db, verdict.claims);
  if (!withoutDatabase) return state;
  const byToken: TokenVerdict = { ok: true, user: { id: sub, email: email ?? '', sessionId: session_id } };
  return waitAtMost(accountStateMs, state, byToken).catch((error: unknown) => {
    if (findAbsence(error) === 'database') return byToken;
    throw error;
  });
}

/** Only the project can sign with these; a shared secret would let anybody who reads it forge tokens. */
const asymmetric = ['ES256', 'RS256', 'EdDSA'];

async function verifyWithKeySet(
  token: string,
  keySet: JWTVerifyGetKey,
  issuer: string,
): Promise<ClaimsVerdict> {
  try {
    if (!asymmetric.includes(decodeProtectedHeader(token).alg ?? '')) return { ok: false, reason: 'invalid' };
    const { payload } = await jwtVerify(token, keySet, { algorithms: asymmetric, issuer, audience });
    const claims = AccessClaims.safeParse(payload);
    return claims.success ? { ok: true, claims: claims.data } : { ok: false, reason: 'invalid' };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
    // an unreachable project is our fault, not the caller's
    if (error instanceof errors.JWKSTimeout || isFetchFault(error))
      throw new ApiError('UNAVAILABLE', { cause: error, retryAfterSeconds: 30 });
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      return { ok: false, reason: 'invalid' };
    throw error;
  }
}

const isFetchFault = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message.startsWith('fetch failed') || error.message.startsWith('Expected 200'));
