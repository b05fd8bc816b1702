/** Begins a checkout: the purchase is committed first, then the payment page is requested. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import type Stripe from 'stripe';
import { findAbsence } from '#platform/absence.ts';
import type { Env } from '#platform/env.ts';
import { ApiError } from '#platform/errors.ts';
import type { Outages } from '#platform/outages.ts';
import type { Database } from '#server/database/database.ts';
import { currencyOf, getBundle, type PaidBundleId } from '#shared/api/bundles.ts';
import { sumOwed } from './billing-history.ts';
import type { Purchase } from './events/merge-facts.ts';
import { loadStripe } from './load-stripe.ts';
import { ensureStudentCode, explainStripeFailure, type PaymentService } from './payment-service.ts';
import { purchases } from './schema.ts';

export interface CheckoutDeps {
  env: Pick<Env, 'PUBLIC_URL' | 'API_URL'>;
  db: Database;
  service: PaymentService;
  logger: Logger;
  outages: Outages;
}

export interface CheckoutOrder {
  userId: string;
  email: string;
  bundle: PaidBundleId;
  /** Two letters; used only to decide the currency. */
  country: string;
}

/** Path of a session's local checkout page. */
function localCheckoutPath(sessionId: string): string {
  return `/local-checkout/${sessionId}`;
}

/** Where the buyer returns to; the session's id is appended to the first. */
export function returnAddresses({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>) {
  return { success: `${PUBLIC_URL}/payment-success?session_id=`, cancel: `${PUBLIC_URL}/payment-cancelled` };
}

/**
 * @returns the address of the payment page
 * @throws ApiError PAYMENT_UNAVAILABLE if Stripe cannot be reached or refuses
 */
export async function beginCheckout(deps: CheckoutDeps, order: CheckoutOrder): Promise<string> {
  const { db, env, service } = deps;
  const bundle = getBundle(order.bundle);
  const currency = currencyOf(order.country);
  const sessionId = service.mode === 'local' ? `cs_local_${randomBytes(24).toString('hex')}` : null;
  const [purchase] = await db
    .insert(purchases)
    .values({
      userId: order.userId,
      mode: service.mode,
      bundle: order.bundle,
      ...bundle.credits,
      country: order.country,
      currency,
      price: bundle.price[currency],
      sessionId,
    })
    .returning();
  if (!purchase) throw new Error('a purchase that was inserted is not there');
  if (sessionId !== null) return `${env.API_URL}${localCheckoutPath(sessionId)}`;
  return openStripeSession(deps, purchase, order.email);
}

async function openStripeSession(deps: CheckoutDeps, purchase: Purchase, email: string): Promise<string> {
  const { db, service, logger, outages } = deps;
  const { stripe } = service;
  if (!stripe) throw new Error('a checkout at Stripe needs its key');
  try {
    await ensureStudentCodeOnce(stripe).catch((error: unknown) => {
      // a purchase without the code is better than none
      logger.warn({ err: describeStripeError(error) }, 'the student code could not be looked up at Stripe');
    });
    const session = await stripe.checkout.sessions.create(await describeSession(deps, purchase, email), {
      idempotencyKey: purchase.id,
    });
    outages.works('payments');
    await db.update(purchases).set({ sessionId: session.id }).where(eq(purchases.id, purchase.id));
    if (session.url === null) throw new Error('Stripe gave a checkout without a page');
    return session.url;
  } catch (error) {
    if (findAbsence(error) !== null) throw error;
    const reason = explainStripeFailure(error);
    if (reason !== null) outages.failed('payments', reason);
    logger.error({ err: describeStripeError(error), purchase: purchase.id }, 'Stripe gave no checkout page');
    throw new ApiError('PAYMENT_UNAVAILABLE', { cause: error, retryAfterSeconds: 30 });
  }
}

/** Read from the purchase's row, so that a repeated request is identical. */
async function describeSession(
  { db, env }: CheckoutDeps,
  purchase: Purchase,
  email: string,
): Promise<Stripe.Checkout.SessionCreateParams> {
  const { title, credits } = getBundle(purchase.bundle);
  const metadata = { purchase_id: purchase.id };
  const { success, cancel } = returnAddresses(env);
  const owed = purchase.userId === null ? null : await sumOwed(db, purchase.userId);
  const message = owed && describeOwed(owed);
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: purchase.currency,
          unit_amount: purchase.price,
          product_data: {
            name: `Inkproof ${title}`,
            description: `${credits.conversion} pages and ${credits.assistant} AI conversations. They do not expire.`,
          },
        },
      },
    ],
    allow_promotion_codes: true,
    client_reference_id: purchase.userId ?? undefined,
    customer_email: email,
    metadata,
    // a session's metadata is not copied to its payment
    payment_intent_data: { metadata },
    success_url: `${success}{CHECKOUT_SESSION_ID}`,
    cancel_url: cancel,
    ...(message ? { custom_text: { submit: { message } } } : {}),
  };
}

/** Describes used and refunded credits that a new bundle will pay off; null if nothing is owed. */
export function describeOwed(owed: { conversion: number; assistant: number }): string | null {
  const parts = [
    owed.conversion > 0 ? `${owed.conversion} ${owed.conversion === 1 ? 'page' : 'pages'}` : '',
    owed.assistant > 0
      ? `${owed.assistant} AI ${owed.assistant === 1 ? 'conversation' : 'conversations'}`
      : '',
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return `${parts.join(' and ')} of this bundle replace credits of an earlier purchase that were used and refunded.`;
}

/** Successful runs are remembered per process and key. */
const ensured = new WeakMap<Stripe, Promise<void>>();

function ensureStudentCodeOnce(stripe: Stripe): Promise<void> {
  const known = ensured.get(stripe);
  if (known) return known;
  const asking = ensureStudentCode(stripe);
  ensured.set(stripe, asking);
  asking.catch(() => ensured.delete(stripe));
  return asking;
}

/** What may be logged of a Stripe error: its message may quote what was sent. */
export function describeStripeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof loadStripe().errors.StripeError)) return { name: (error as Error).name };
  const { type, code, statusCode, requestId, param } = error;
  return { type, code, statusCode, requestId, param };
}
