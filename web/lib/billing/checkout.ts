/** Buying a bundle: the browser goes to the payment page, and returns to /payment-success or /payment-cancelled. */
import type { PaidBundleId } from '#shared/api/bundles.ts';
import { CheckoutResponse } from '#shared/api/checkout.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { callJson, unexpectedFormat } from '../api/api-client.ts';
import { describeError } from '../api/describe-error.ts';
import { findCountry } from './country.ts';

export type CheckoutStart =
  /** The browser is on its way to the payment page. */
  | { kind: 'leaving' }
  /** Why it could not start; null if the user has already been told. */
  | { kind: 'refused'; sentence: string | null };

/**
 * Starts the checkout of one bundle and leaves this page for it. The server decides price, quantity and buyer.
 * @param beforeLeaving saves what must not be lost; awaited before the page is left
 */
export async function startCheckout(
  bundle: PaidBundleId,
  beforeLeaving?: () => Promise<void>,
): Promise<CheckoutStart> {
  const country = await findCountry();
  const started = await callJson('POST /create-checkout-session', CheckoutResponse, {
    json: { bundle_type: bundle, country_code: country },
  });
  if (!started.ok) return refuse(started.error);
  // a `javascript:` address would run as a script here
  if (!/^https?:$/.test(new URL(started.data.url, location.href).protocol)) return refuse(unexpectedFormat);
  await beforeLeaving?.();
  location.assign(started.data.url);
  return { kind: 'leaving' };
}

function refuse(error: ErrorObject): CheckoutStart {
  // an expired session already asks for a new sign-in
  if (error.code === 'UNAUTHORIZED') return { kind: 'refused', sentence: null };
  return { kind: 'refused', sentence: describeError(error) || 'Unexpected error occurred.' };
}
