/** Which web pages may call the API: ours. Clients without an Origin (curl, scripts) are not browsers and may too. */
import type { MiddlewareHandler } from 'hono';
import type { Env } from '#platform/env.ts';
import { ApiError } from '#platform/errors.ts';
import type { AppEnv } from '../types.ts';

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Our own origins: PUBLIC_URL's and API_URL's; one on this machine under each of its loopback names. */
export function listOwnOrigins(env: Pick<Env, 'PUBLIC_URL' | 'API_URL'>): Set<string> {
  const origins = new Set<string>();
  for (const address of [env.PUBLIC_URL, env.API_URL]) {
    const url = new URL(address);
    const names = loopbackNames.includes(url.hostname) ? loopbackNames : [url.hostname];
    for (const name of names)
      origins.add(new URL(`${url.protocol}//${name}${url.port && `:${url.port}`}`).origin);
  }
  return origins;
}

/**
 * Refuses state-changing calls whose Origin is not ours (`null` is not) and, if the API has a separate origin,
 * answers CORS for exactly our pages, with credentials. Never `*`.
 */
export function ownOriginsOnly(env: Pick<Env, 'PUBLIC_URL' | 'API_URL'>): MiddlewareHandler<AppEnv> {
  const own = listOwnOrigins(env);
  const isApiElsewhere = new URL(env.PUBLIC_URL).origin !== new URL(env.API_URL).origin;
  const pages = isApiElsewhere
    ? listOwnOrigins({ PUBLIC_URL: env.PUBLIC_URL, API_URL: env.PUBLIC_URL })
    : new Set();
  return async (c, next) => {
    const origin = c.req.header('Origin');
    const mayRead = origin !== undefined && pages.has(origin);
    if (isApiElsewhere) c.header('Vary', 'Origin', { append: true });
    if (mayRead) {
      c.header('Access-Control-Allow-Origin', origin);
      c.header('Access-Control-Allow-Credentials', 'true');
      c.header('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, Location, Content-Disposition');
    }
    if (c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method')) {
      if (mayRead) {
        c.header('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
        c.header('Access-Control-Allow-Headers', 'Content-Type, Authorization, Last-Event-ID, Accept');
        c.header('Access-Control-Max-Age', '600');
      }
      return c.body(null, 204);
    }
    if (!readMethods.has(c.req.method) && origin !== undefined && !own.has(origin)) {
      throw new ApiError('INVALID_INPUT', {
        message:
          'This request came from a page on another site and was refused. If you run this server, set PUBLIC_URL to the address people open it at.',
      });
    }
    await next();
  };
}
