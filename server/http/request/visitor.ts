/** Visitors: callers without an account, known by a signed cookie. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Env } from '#platform/env.ts';
import type { AppEnv } from '../types.ts';

export const visitorCookie = 'inkproof_visitor';
/** A year; never renewed, because all that a visitor owns is gone after an hour. */
const maxAgeSeconds = 365 * 24 * 60 * 60;
const visitorId = /^[A-Za-z0-9_-]{22}$/;

/** The cookie's value for an id: the id and its signature. */
export function signVisitor(id: string, secretKey: string): string {
  return `${id}.${createHmac('sha256', secretKey).update(`visitor:${id}`).digest('base64url')}`;
}

/** The id in a cookie's value if its signature is valid, else null. */
export function readVisitor(value: string, secretKey: string): string | null {
  const id = value.slice(0, 22);
  const expected = Buffer.from(signVisitor(id, secretKey));
  const given = Buffer.from(value);
  return visitorId.test(id) && given.length === expected.length && timingSafeEqual(given, expected)
    ? id
    : null;
}

/** The visitor identified by the call's cookie, or null. */
export function findVisitor(
  c: Context<AppEnv>,
  { secretKey, formerSecretKeys = [] }: { secretKey: string; formerSecretKeys?: readonly string[] },
): string | null {
  const value = getCookie(c, visitorCookie) ?? '';
  for (const key of [secretKey, ...formerSecretKeys]) {
    const id = readVisitor(value, key);
    if (id !== null) return id;
  }
  return null;
}

/** Makes a new caller a visitor, with a cookie: HttpOnly, SameSite=Lax, Secure if the site is served over https. */
export function createVisitor(
  c: Context<AppEnv>,
  { env, secretKey }: { env: Pick<Env, 'PUBLIC_URL'>; secretKey: string },
): string {
  const id = randomBytes(16).toString('base64url');
  setCookie(c, visitorCookie, signVisitor(id, secretKey), {
    httpOnly: true,
    sameSite: 'Lax',
    secure: env.PUBLIC_URL.startsWith('https:'),
    path: '/',
    maxAge: maxAgeSeconds,
  });
  return id;
}
