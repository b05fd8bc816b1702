/**
 * Identifies the caller. With a bearer token: the account whose session it is. Without one: a visitor, known by
 * a signed cookie. An invalid token is refused rather than treated as no token, so that a client learns that
 * its session is over.
 */
import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from '#platform/env.ts';
import { ApiError } from '#platform/errors.ts';
import type { AppEnv, Caller, UserCaller, VerifyOptions } from '../types.ts';
import { getClientAddress } from './client-address.ts';
import { hashNetwork } from './client-network.ts';
import { createVisitor, findVisitor } from './visitor.ts';

/** The part of the identity room that is used here. */
export interface TokenVerifier {
  publicSettings: { anon_key: string };
  verifyToken(
    token: string,
    options?: VerifyOptions,
  ): Promise<
    | { ok: true; user: { id: string; email: string; sessionId: string } }
    /** `banned` is reported to the caller; every other reason means signing in again. */
    | { ok: false; reason: string }
  >;
}

export interface IdentifyDeps {
  env: Pick<Env, 'PUBLIC_URL' | 'TRUSTED_PROXIES'>;
  /** Signs visitor cookies. */
  secretKey: string;
  formerSecretKeys?: readonly string[];
  identity: TokenVerifier;
}

/** Lets each route's declaration (access.ts) identify the caller; does nothing by itself. */
export function provideIdentification(deps: IdentifyDeps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('identify', {
      anyCaller: async (options) => (await findUser(c, deps, options)) ?? getVisitor(c, deps),
      async signedInUser() {
        const user = await findUser(c, deps);
        if (!user) throw new ApiError('UNAUTHORIZED');
        return user;
      },
    });
    await next();
  };
}

/** Null without a person's token: none at all, or the anonymous key, which clients send otherwise. */
async function findUser(
  c: Context<AppEnv>,
  deps: IdentifyDeps,
  options?: VerifyOptions,
): Promise<UserCaller | null> {
  const token = /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (token === undefined || token === deps.identity.publicSettings.anon_key) return null;
  const verdict = await deps.identity.verifyToken(token, options);
  if (!verdict.ok) throw new ApiError(verdict.reason === 'banned' ? 'USER_BANNED' : 'UNAUTHORIZED');
  const { id, email, sessionId } = verdict.user;
  const visitorId = findVisitor(c, deps);
  return { kind: 'user', id, email, sessionId, visitorId, network: networkOf(c, deps) };
}

function getVisitor(c: Context<AppEnv>, deps: IdentifyDeps): Caller {
  const id = findVisitor(c, deps) ?? createVisitor(c, deps);
  return { kind: 'visitor', id, network: networkOf(c, deps) };
}

function networkOf(c: Context<AppEnv>, deps: IdentifyDeps): string {
  return hashNetwork(getClientAddress(c.env.incoming, deps.env.TRUSTED_PROXIES), deps.secretKey);
}
