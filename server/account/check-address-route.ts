/** POST /api/v1/check-address: whether an address may sign up, so that the form can say so before anything is sent. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Env } from '#platform/env.ts';
import { ApiError } from '#platform/errors.ts';
import type { Database } from '#server/database/database.ts';
import { createRoute } from '#server/http/access.ts';
import { getClientAddress } from '#server/http/request/client-address.ts';
import { hashNetwork } from '#server/http/request/client-network.ts';
import type { AppEnv } from '#server/http/types.ts';
import { AddressCheck, AddressVerdict } from '#shared/api/account.ts';
import { ErrorObject } from '#shared/api/errors.ts';
import { suspiciousAddressMessage } from '#shared/sign-up-rules.ts';

/**
 * Checks from one network, per process: a form makes one for each address typed, and a class fills in its forms within
 * minutes. The answer reveals nothing about accounts; the limit only protects the database from load.
 */
const checksPerMinute = 120;

const route = createRoute('anyone', {
  method: 'post',
  path: '/api/v1/check-address',
  operationId: 'checkAddress',
  tags: ['Account'],
  summary: 'Whether an address may sign up',
  description:
    'Applies only the sign-up rules: aliases, malformed, disposable and suspicious addresses. Does not reveal whether there is an account.',
  request: { body: { required: true, content: { 'application/json': { schema: AddressCheck } } } },
  responses: {
    200: { description: 'The verdict', content: { 'application/json': { schema: AddressVerdict } } },
    429: {
      description: 'TOO_MANY_REQUESTS: too many checks from this network.',
      content: { 'application/json': { schema: ErrorObject } },
    },
  },
});

export interface CheckAddressDeps {
  env: Pick<Env, 'TRUSTED_PROXIES' | 'AUTH_LIMIT_FACTOR'>;
  db: Database;
  secretKey: string;
}

export function registerCheckAddressRoute(app: OpenAPIHono<AppEnv>, deps: CheckAddressDeps): void {
  const { env, db, secretKey } = deps;
  const limiter = new RateLimiterMemory({
    points: Math.ceil(checksPerMinute * env.AUTH_LIMIT_FACTOR),
    duration: 60,
  });
  app.openapi(route, async (c) => {
    await limiter
      .consume(hashNetwork(getClientAddress(c.env.incoming, env.TRUSTED_PROXIES), secretKey))
      .catch((refused: unknown) => {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw new ApiError('TOO_MANY_REQUESTS', {
          message: 'Too many addresses are being checked from your network. Please try again in a minute.',
          retryAfterSeconds: refused.msBeforeNext / 1000,
        });
      });
    const error = await refuse(db, c.req.valid('json').email);
    return c.json(error === null ? { ok: true as const } : { ok: false as const, error }, 200, {
      'Cache-Control': 'no-store',
    });
  });
}

/** Uses the function that decides at sign-up, on either backend. Text that PostgreSQL cannot store is rejected. */
async function refuse(db: Database, email: string): Promise<string | null> {
  if (email.includes('\0') || !email.isWellFormed()) return suspiciousAddressMessage;
  const { rows } = await db.execute<{ error: string | null }>(
    sql`select private.refuse_signup(${email}) as error`,
  );
  return rows[0]?.error ?? null;
}
