/** POST /api/v1/stripe/webhook: receives Stripe's events about payments, refunds and disputes. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { invalidInput } from '#platform/errors.ts';
import { ErrorObject } from '#shared/api/errors.ts';
import { createRoute } from '../../../http/access.ts';
import type { AppEnv } from '../../../http/types.ts';
import { type ReceiveDeps, receiveEvent } from './receive-event.ts';

/** Longest event accepted, in bytes; Stripe's are a few kB. */
const maxEventBytes = 1_000_000;

export const webhookPath = '/api/v1/stripe/webhook';

const route = createRoute('own-rule', {
  method: 'post',
  path: webhookPath,
  operationId: 'receiveStripeEvent',
  tags: ['Credits'],
  summary: 'Events of the payment service',
  description:
    'Signed by Stripe (or by the local checkout page): only the header Stripe-Signature counts. Answered with 200 once the effect is stored; an event received before has no further effect.',
  responses: {
    200: {
      description: 'Received, now or before',
      content: { 'application/json': { schema: z.object({ received: z.literal(true) }) } },
    },
    400: {
      description: 'INVALID_INPUT: not signed, not for this installation, or not an event.',
      content: { 'application/json': { schema: ErrorObject } },
    },
  },
});

/**
 * Registered before the checks of origin and JSON body: Stripe is not a page, and a signature covers the raw
 * bytes.
 */
export function registerWebhookRoute(app: OpenAPIHono<AppEnv>, deps: ReceiveDeps): void {
  app.use(
    '/api/v1/stripe/*',
    bodyLimit({
      maxSize: maxEventBytes,
      onError: () => {
        throw invalidInput('The request is larger than any event.');
      },
    }),
  );
  app.openapi(route, async (c) => {
    const logger = c.get('logger');
    const receipt = await receiveEvent(
      { ...deps, logger },
      await c.req.text(),
      c.req.header('Stripe-Signature'),
    );
    if (receipt === 'forged') {
      logger.warn('an event with an invalid signature was refused');
      throw invalidInput('The signature of this event is invalid.');
    }
    if (receipt === 'malformed') {
      logger.warn('a signed event without the fields of one was refused');
      throw invalidInput('This event does not have the fields of one.');
    }
    return c.json({ received: true as const }, 200);
  });
}
