/**
 * The payment service: Stripe or, without its key, the local checkout page in test mode. Both report through
 * the same signed events.
 */
import { hkdfSync } from 'node:crypto';
import type Stripe from 'stripe';
import type { Env } from '#platform/env.ts';
import { studentCode } from '#shared/api/bundles.ts';
import { loadStripe } from './load-stripe.ts';
import type { PurchaseMode } from './schema.ts';

export interface PaymentService {
  mode: PurchaseMode;
  /** Events are signed with this. */
  webhookSecret: string;
  /** Null in local mode. */
  stripe: Stripe | null;
}

/** Time limit for one response from Stripe, in ms; there are up to three tries. */
const stripeTimeoutMs = 15_000;

export type PaymentSettings = Pick<Env, 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_BASE'>;

/** Contacts nobody. @param secretKey the installation's own, from which the local mode's secret is derived */
export function openPaymentService(env: PaymentSettings, secretKey: string): PaymentService {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  if (!key)
    return { mode: 'local', stripe: null, webhookSecret: webhookSecret ?? makeLocalSecret(secretKey) };
  // the settings' parser ensures that a key comes with a secret
  if (!webhookSecret) throw new Error('STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET.');
  return {
    mode: /^[rs]k_live_/.test(key) ? 'live' : 'test',
    webhookSecret,
    stripe: new (loadStripe())(key, {
      ...readApiBase(env.STRIPE_API_BASE),
      timeout: stripeTimeoutMs,
      maxNetworkRetries: 2,
      telemetry: false,
      appInfo: { name: 'Inkproof' },
    }),
  };
}

/** Explains to the operator a failure that means Stripe cannot be used at all; null for other failures. */
export function explainStripeFailure(error: unknown): string | null {
  const { errors } = loadStripe();
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return `Stripe refuses the key (${error.statusCode})`;
  if (error instanceof errors.StripeConnectionError) return 'Stripe cannot be reached';
  if (error instanceof errors.StripeAPIError)
    return `Stripe answered ${error.statusCode ?? 'nothing usable'}`;
  return null;
}

function makeLocalSecret(secretKey: string): string {
  const bytes = Buffer.from(hkdfSync('sha256', secretKey, '', 'inkproof local checkout', 32));
  return `whsec_${bytes.toString('hex')}`;
}

function readApiBase(base: string | undefined): {
  host?: string;
  port?: string;
  protocol?: 'http' | 'https';
} {
  if (base === undefined) return {};
  const { protocol, hostname, port } = new URL(base);
  const isPlain = protocol === 'http:';
  return { host: hostname, port: port || (isPlain ? '80' : '443'), protocol: isPlain ? 'http' : 'https' };
}

/** Id of the students' coupon at Stripe: chosen by us, so that two processes create only one. */
const studentCouponId = `inkproof-${studentCode.code.toLowerCase()}`;

/**
 * Ensures that the students' code can be entered at Stripe's checkout. May be called any number of times, by
 * any number of processes; a code that the operator has switched off stays off.
 * @throws Stripe's errors
 */
export async function ensureStudentCode(stripe: Stripe): Promise<void> {
  const { code, percentOff } = studentCode;
  const known = await stripe.promotionCodes.list({ code, limit: 1 });
  if (known.data.length > 0) return;
  await stripe.coupons
    .create({ id: studentCouponId, percent_off: percentOff, duration: 'once', name: 'Student discount' })
    .catch(unlessExists);
  await stripe.promotionCodes
    .create({ code, promotion: { type: 'coupon', coupon: studentCouponId } })
    .catch(unlessExists);
}

function unlessExists(error: unknown): void {
  if (error instanceof loadStripe().errors.StripeError && error.code === 'resource_already_exists') return;
  throw error;
}
