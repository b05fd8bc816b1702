/** Who is calling, until accounts exist: a visitor, known by a signed cookie. The one place that decides it. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Env } from '../env.ts';
import { getClientAddress } from './client-address.ts';
import { hashNetwork } from './client-network.ts';
import type { AppEnv } from './types.ts';

export const visitorCookie = 'inkproof_visitor';
/** A year; renewed by nothing, because all a visitor owns is gone after an hour. */
const maxAgeSeconds = 365 * 24 * 60 * 60;
const visitorId = /^[A-Za-z0-9_-]{22}$/;

/** The cookie's value for an id: the id and its signature. */
export function signVisitor(id: string, secretKey: string): string {
  return `${id}.${createHmac('sha256', secretKey).update(`visitor:${id}`).digest('base64url')}`;
}

/** The id that a cookie's value proves, or null. */
export function readVisitor(value: string, secretKey: string): string | null {
  const id = value.slice(0, 22);
  const expected = Buffer.from(signVisitor(id, secretKey));
  const given = Buffer.from(value);
  return visitorId.test(id) && given.length === expected.length && timingSafeEqual(given, expected)
    ? id
    : null;
}

/**
 * Sets `caller`. Without a cookie of ours, or with a forged one, the caller is a new visitor and gets a cookie:
 * HttpOnly, SameSite=Lax, Secure where the site is served over https.
 */
export function identifyVisitor(
  env: Pick<Env, 'PUBLIC_URL' | 'TRUSTED_PROXIES'>,
  secretKey: string,
): MiddlewareHandler<AppEnv> {
  const isSecure = env.PUBLIC_URL.startsWith('https:');
  return async (c, next) => {
    const known = readVisitor(getCookie(c, visitorCookie) ?? '', secretKey);
    const id = known ?? randomBytes(16).toString('base64url');
    const turn = hashNetwork(getClientAddress(c.env.incoming, env.TRUSTED_PROXIES), secretKey);
    c.set('caller', { kind: 'visitor', id, turn });
    if (known === null) {
      setCookie(c, visitorCookie, signVisitor(id, secretKey), {
        httpOnly: true,
        sameSite: 'Lax',
        secure: isSecure,
        path: '/',
        maxAge: maxAgeSeconds,
      });
    }
    await next();
  };
}
