/** For supervisors and monitoring: /healthz (the process is alive), /readyz (it can work), /metrics. */
import { timingSafeEqual } from 'node:crypto';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Registry } from 'prom-client';
import type { Env } from '#platform/env.ts';
import { allow } from './access.ts';
import { notFound } from './answer/answer-errors.ts';
import { isThisMachine } from './request/loopback.ts';
import type { AppEnv } from './types.ts';

/** One check per part that work depends on; resolves if the part is well. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>;

/** A part that does not respond within this time is not ready. Supervisors commonly give up after 10 s. */
const checkTimeoutMs = 5_000;

export function registerHealthRoutes(
  app: OpenAPIHono<AppEnv>,
  deps: {
    env: Pick<Env, 'METRICS_TOKEN'>;
    metrics: Registry;
    readiness: ReadinessChecks;
  },
): void {
  app.get('/healthz', allow('anyone'), (c) => c.json({ status: 'ok' }));

  app.get('/readyz', allow('anyone'), async (c) => {
    const names = Object.keys(deps.readiness);
    const outcomes = await Promise.all(names.map((name) => passes(deps.readiness[name]!)));
    const isReady = outcomes.every(Boolean);
    const checks = Object.fromEntries(names.map((name, index) => [name, outcomes[index] ? 'ok' : 'failed']));
    if (!isReady) {
      c.get('logger').warn({ checks }, 'not ready');
      c.header('Retry-After', '10');
    }
    return c.json({ status: isReady ? 'ready' : 'not ready', checks }, isReady ? 200 : 503);
  });

  app.get('/metrics', allow('own-rule'), async (c) => {
    const token = /^Bearer (.+)$/.exec(c.req.header('Authorization') ?? '')?.[1];
    const isAllowed = deps.env.METRICS_TOKEN
      ? token !== undefined && isSame(token, deps.env.METRICS_TOKEN)
      : isThisMachine(c.env.incoming);
    if (!isAllowed) throw notFound();
    return c.body(await deps.metrics.metrics(), 200, { 'Content-Type': deps.metrics.contentType });
  });
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error('time-out')), checkTimeoutMs);
  try {
    await Promise.race([check(), timeout.promise]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
