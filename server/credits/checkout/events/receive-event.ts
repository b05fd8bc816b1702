/**
 * Handles one event, from the received bytes to the committed effect (docs/decisions/050-money.md, “Accepting
 * an event”).
 */
import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import type Stripe from 'stripe';
import type { Database } from '../../../database/database.ts';
import { loadStripe } from '../load-stripe.ts';
import { lockPayment } from '../locks.ts';
import type { PaymentService } from '../payment-service.ts';
import { stripeEvents } from '../schema.ts';
import { applyFacts } from './apply-facts.ts';
import { MalformedEvent, readEvent } from './facts.ts';

/** How old, or how far ahead of our clock, a signature may be, in seconds: Stripe's own default. */
const signatureToleranceSeconds = 300;

export interface ReceiveDeps {
  db: Database;
  service: Pick<PaymentService, 'mode' | 'webhookSecret'>;
  logger: Logger;
  /** Counts mismatches. */
  mismatches?: Counter;
}

/**
 * `forged`: not signed with the secret, or too long ago. `malformed`: signed, but not an event. `already`: this
 * event was handled before.
 */
export type Receipt = 'applied' | 'ignored' | 'mismatched' | 'already' | 'forged' | 'malformed';

/**
 * @param body exactly the bytes that arrived
 * @param signature the header Stripe-Signature
 * @throws what the database throws; nothing has been changed then, and the event may be delivered again
 */
export async function receiveEvent(
  deps: ReceiveDeps,
  body: string,
  signature: string | undefined,
): Promise<Receipt> {
  const event = verifyEvent(body, signature, deps.service.webhookSecret);
  if (event === null) return 'forged';
  for (let attempt = 1; ; attempt++) {
    try {
      return await takeEvent(deps, event);
    } catch (error) {
      if (error instanceof MalformedEvent) return 'malformed';
      // deadlock or serialization failure: PostgreSQL aborted one of two transactions
      if (attempt >= 3 || (findCode(error) !== '40P01' && findCode(error) !== '40001')) throw error;
    }
  }
}

/** Null if it is not signed with the secret, or not recently. */
function verifyEvent(body: string, signature: string | undefined, secret: string): Stripe.Event | null {
  if (signature === undefined || secret === '') return null;
  try {
    const event = loadStripe().webhooks.constructEvent(body, signature, secret, signatureToleranceSeconds);
    // the SDK rejects only signatures that are too old
    const signedAt = Number(/(?:^|,)t=(\d+)(?:,|$)/.exec(signature)?.[1]);
    if (!(signedAt - Date.now() / 1000 <= signatureToleranceSeconds)) return null;
    return event.object === 'event' && typeof event.id === 'string' ? event : null;
  } catch {
    return null;
  }
}

async function takeEvent(deps: ReceiveDeps, event: Stripe.Event): Promise<Receipt> {
  const { db, service, logger } = deps;
  const isOfThisMode = event.livemode === (service.mode === 'live');
  const read = readEvent(event);
  const facts = isOfThisMode ? read : null;
  const result = await db.transaction(async (tx) => {
    await lockPayment(tx, facts?.paymentIntent ?? null);
    // a second delivery of the same id waits here for the first
    const [fresh] = await tx
      .insert(stripeEvents)
      .values({
        id: event.id,
        type: event.type,
        outcome: 'ignored',
        createdAt: new Date(event.created * 1000),
      })
      .onConflictDoNothing()
      .returning({ id: stripeEvents.id });
    if (!fresh) return { outcome: 'already' as const };
    if (facts === null) return { outcome: 'ignored' as const };
    const applied = await applyFacts(tx, facts, event.id);
    await tx
      .update(stripeEvents)
      .set({ outcome: applied.outcome, purchase: applied.purchase })
      .where(eq(stripeEvents.id, event.id));
    return applied;
  });
  if (result.outcome === 'mismatched') {
    deps.mismatches?.inc();
    logger.error(
      { purchase: result.purchase, event: event.id, reason: result.reason },
      'a payment does not fit its purchase; nothing was credited',
    );
  }
  return result.outcome;
}

function findCode(error: unknown): string | undefined {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code;
}
