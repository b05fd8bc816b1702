/**
 * Which pages may call /auth/v1 and /rest/v1: ours, and those that a sign-in may return to. Never `*`. Requests from
 * other pages that would change something are refused; a client that sends no Origin is not a browser.
 */
import type { MiddlewareHandler } from 'hono';
import type { Env } from '#platform/env.ts';
import { listOwnOrigins } from '#server/http/request/origins.ts';
import type { AppEnv } from '#server/http/types.ts';
import { answerAuthError, authError } from './auth-error.ts';

/** Headers that supabase-js 2 sends. */
const requestHeaders = [
  'authorization',
  'apikey',
  'content-type',
  'x-client-info',
  'x-supabase-api-version',
  'x-retry-count',
  'accept',
  'accept-profile',
  'content-profile',
  'prefer',
  'range',
  'range-unit',
].join(', ');
/** Headers that it reads. */
const answerHeaders = [
  'x-supabase-api-version',
  'retry-after',
  'content-range',
  'content-location',
  'content-profile',
  'preference-applied',
  'x-request-id',
].join(', ');

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Allows credentials for our own pages: the cookie that identifies a known browser (`devices.ts`). */
export function answerCors(
  env: Pick<Env, 'PUBLIC_URL' | 'API_URL' | 'REDIRECT_URLS'>,
): MiddlewareHandler<AppEnv> {
  const own = listOwnOrigins(env);
  const pages = new Set(own);
  for (const address of env.REDIRECT_URLS) {
    const { origin } = new URL(address);
    if (origin !== 'null') pages.add(origin);
  }
  return async (c, next) => {
    const origin = c.req.header('Origin');
    const mayRead = origin !== undefined && pages.has(origin);
    if (c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method')) {
      if (mayRead) {
        c.header('Access-Control-Allow-Origin', origin);
        c.header('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
        c.header('Access-Control-Allow-Headers', requestHeaders);
        c.header('Access-Control-Max-Age', '600');
        if (own.has(origin)) c.header('Access-Control-Allow-Credentials', 'true');
      }
      c.header('Vary', 'Origin', { append: true });
      return c.body(null, 204);
    }
    if (origin !== undefined && !mayRead && !readMethods.has(c.req.method)) {
      const message =
        'This request came from a page on another site and was refused. If you run this server, set PUBLIC_URL to the address people open it at.';
      return answerAuthError(authError(400, 'validation_failed', message), c);
    }
    await next();
    c.header('Vary', 'Origin', { append: true });
    if (!mayRead) return;
    if (own.has(origin)) c.header('Access-Control-Allow-Credentials', 'true');
    c.header('Access-Control-Allow-Origin', origin);
    c.header('Access-Control-Expose-Headers', answerHeaders);
  };
}
