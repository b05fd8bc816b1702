/**
 * Buying a bundle, and following its payment: the calls of the pricing page, the thank-you page and the billing
 * history.
 */

import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Env } from '#platform/env.ts';
import { ApiError } from '#platform/errors.ts';
import { createRoute } from '#server/http/access.ts';
import { problem, refusals } from '#server/http/answer/describe-answers.ts';
import type { AppEnv, Caller, UserCaller } from '#server/http/types.ts';
import { BillingHistory, CheckoutStatus } from '#shared/api/billing.ts';
import { CheckoutRequest, CheckoutResponse } from '#shared/api/checkout.ts';
import { beginCheckout, type CheckoutDeps, describeStripeError } from './begin-checkout.ts';
import { formatBillingCsv, readBillingHistory, readCheckoutStatus } from './billing-history.ts';
import { refreshPurchase } from './reconcile.ts';

export interface CheckoutRouteDeps extends CheckoutDeps {
  env: CheckoutDeps['env'] & Pick<Env, 'AUTH_LIMIT_FACTOR'>;
}

/**
 * Checkouts that one account may begin in ten minutes, per process: more than any buyer needs, and each asks
 * Stripe.
 */
const checkoutsPerTenMinutes = 20;
/** How long to wait before asking Stripe about the same checkout again, in ms, because the page polls. */
const askAgainMs = 5_000;

const tags = ['Credits'];

const routes = {
  begin: createRoute('user', {
    method: 'post',
    path: '/api/v1/create-checkout-session',
    operationId: 'createCheckoutSession',
    tags,
    summary: 'Start buying a bundle',
    description:
      'Answers with the payment page. The server sets price, quantity and buyer; the country decides only the currency. Credits are added when the payment service confirms the payment.',
    request: { body: { required: true, content: { 'application/json': { schema: CheckoutRequest } } } },
    responses: {
      200: {
        description: 'The payment page',
        content: { 'application/json': { schema: CheckoutResponse } },
      },
      400: problem('INVALID_INPUT: not a bundle on sale, or not a country.'),
      ...refusals,
      429: problem('TOO_MANY_REQUESTS: too many checkouts by this account.'),
      503: problem('PAYMENT_UNAVAILABLE: the payment service did not answer. Nothing was charged.'),
    },
  }),
  status: createRoute('user', {
    method: 'get',
    path: '/api/v1/checkout/{session_id}',
    operationId: 'getCheckout',
    tags,
    summary: 'The state of one of this account’s checkouts',
    request: { params: z.object({ session_id: z.string().max(200) }) },
    responses: {
      200: { description: 'Its state', content: { 'application/json': { schema: CheckoutStatus } } },
      ...refusals,
      404: problem('NOT_FOUND: this account has no such checkout.'),
    },
  }),
  history: createRoute('user', {
    method: 'get',
    path: '/api/v1/billing',
    operationId: 'getBilling',
    tags,
    summary: 'What this account has bought and used',
    responses: {
      200: {
        description: 'Purchases with their refunds, and usage by month; newest first',
        content: { 'application/json': { schema: BillingHistory } },
      },
      ...refusals,
    },
  }),
  csv: createRoute('user', {
    method: 'get',
    path: '/api/v1/billing.csv',
    operationId: 'getBillingCsv',
    tags,
    summary: 'The same purchases and refunds as CSV',
    responses: {
      200: {
        description: 'A header line, then purchases, oldest first, each followed by its refunds',
        content: { 'text/csv': { schema: z.string() } },
      },
      ...refusals,
    },
  }),
};

const privateHeaders = { 'Cache-Control': 'private, no-store' };

export function registerCheckoutRoutes(app: OpenAPIHono<AppEnv>, deps: CheckoutRouteDeps): void {
  const { db, service } = deps;
  const limiter = new RateLimiterMemory({
    points: Math.ceil(checkoutsPerTenMinutes * deps.env.AUTH_LIMIT_FACTOR),
    duration: 600,
  });
  /** When Stripe was last asked, by purchase. */
  const lastAsked = new Map<string, number>();

  app.openapi(routes.begin, async (c) => {
    const user = userOf(c.get('caller'));
    const { bundle_type: bundle, country_code: country } = c.req.valid('json');
    await limiter.consume(user.id).catch((refused: unknown) => {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new ApiError('TOO_MANY_REQUESTS', {
        message: 'You have started too many checkouts just now. Please try again in a few minutes.',
        retryAfterSeconds: refused.msBeforeNext / 1000,
      });
    });
    const order = { userId: user.id, email: user.email, bundle, country };
    const url = await beginCheckout({ ...deps, logger: c.get('logger') }, order);
    return c.json({ url }, 200, privateHeaders);
  });

  app.openapi(routes.status, async (c) => {
    const user = userOf(c.get('caller'));
    const { session_id: sessionId } = c.req.valid('param');
    let found = await readCheckoutStatus(db, user.id, sessionId);
    if (found && service.stripe && mayAsk(lastAsked, found.purchase)) {
      // buyers returning from Stripe's page need not wait for an event that may be lost
      await refreshPurchase({ db, stripe: service.stripe, logger: c.get('logger') }, found.purchase).catch(
        (error: unknown) => {
          c.get('logger').warn(
            { err: describeStripeError(error) },
            'Stripe could not be asked about a checkout',
          );
        },
      );
      found = await readCheckoutStatus(db, user.id, sessionId);
    }
    if (!found) throw new ApiError('NOT_FOUND', { message: 'There is no such checkout.' });
    const { purchase: _, ...status } = found;
    return c.json(status, 200, privateHeaders);
  });

  app.openapi(routes.history, async (c) => {
    const user = userOf(c.get('caller'));
    return c.json(await readBillingHistory(db, user.id), 200, privateHeaders);
  });

  app.openapi(routes.csv, async (c) => {
    const user = userOf(c.get('caller'));
    return c.body(formatBillingCsv(await readBillingHistory(db, user.id)), 200, {
      ...privateHeaders,
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="inkproof-billing.csv"',
    });
  });
}

/** True if a purchase still waits for Stripe and was not asked about within `askAgainMs`. */
function mayAsk(lastAsked: Map<string, number>, { id, state }: { id: string; state: string }): boolean {
  if (state !== 'open' && state !== 'processing') return false;
  const now = Date.now();
  for (const [known, at] of lastAsked) if (now - at >= askAgainMs) lastAsked.delete(known);
  if (lastAsked.has(id)) return false;
  lastAsked.set(id, now);
  return true;
}

/** The route's access declaration already guarantees this; the compiler does not know. */
function userOf(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw new ApiError('UNAUTHORIZED');
  return caller;
}
