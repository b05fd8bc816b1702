/** What every request gets first: an id, a logger that carries it, and its metrics. */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { AppEnv } from '../types.ts';

/** Methods used as labels; any other counts as one, so that labels stay few. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Gives each request an id (returned as X-Request-Id, and on each of its log lines) and logs one line at its
 * end. The line names the route's pattern, never the address itself, which may contain anything a person typed.
 */
export function requestContext(logger: Logger, registry: Registry): MiddlewareHandler<AppEnv> {
  const requestSeconds = new Histogram({
    name: 'inkproof_http_request_seconds',
    help: 'Time to the response headers, by route pattern',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
    registers: [registry],
  });
  return async (c, next) => {
    const startedMs = performance.now();
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('logger', logger.child({ requestId }));
    c.header('X-Request-Id', requestId);
    await next();
    const seconds = (performance.now() - startedMs) / 1000;
    const route = describeRoute(matchedRoutes(c).map((matched) => matched.path));
    const method = knownMethods.has(c.req.method) ? c.req.method : 'other';
    requestSeconds.observe({ method, route, status: c.res.status }, seconds);
    const isApi = c.req.path.startsWith('/api/');
    // 503 is not the request's fault: what is away is logged separately, and so is /readyz
    const isFault = c.res.status >= 500 && c.res.status !== 503;
    const level = isFault ? 'error' : isApi ? 'info' : 'debug';
    c.get('logger')[level](
      { method, route, status: c.res.status, ms: Math.round(seconds * 1000) },
      'request',
    );
  };
}

/** The last pattern that is a route's; middleware patterns end with a star. */
function describeRoute(paths: string[]): string {
  return paths.findLast((path) => !path.endsWith('*')) ?? 'static or unknown';
}
