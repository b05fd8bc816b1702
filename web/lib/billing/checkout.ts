/** Buying a bundle: the browser goes to the payment page, and comes back to /payment-success or /payment-cancelled. */
import type { PaidBundleId } from '#shared/api/bundles.ts';
import { CheckoutResponse } from '#shared/api/checkout.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { callJson, unexpectedFormat } from '../api/api-client.ts';
import { describeError } from '../api/describe-error.ts';
import { findCountry } from './country.ts';

export type CheckoutStart =
  /** The browser is on its way to the payment page. */
  | { kind: 'leaving' }
  /** Why it could not begin; null where something else says it already. */
  | { kind: 'refused'; sentence: string | null };

/**
 * Starts the checkout of one bundle and leaves this page for it. Price, quantity and buyer are the server's to say.
 * @param beforeLeaving what is still to be kept; the page leaves once it is
 */
export async function startCheckout(
  bundle: PaidBundleId,
  beforeLeaving?: () => Promise<void>,
): Promise<CheckoutStart> {
  const country = await findCountry();
  const started = await callJson('/create-checkout-session', CheckoutResponse, {
    json: { bundle_type: bundle, country_code: country },
  });
  if (!started.ok) return refuse(started.error);
  // an address that is a script would run here
  if (!/^https?:$/.test(new URL(started.data.url, location.href).protocol)) return refuse(unexpectedFormat);
  await beforeLeaving?.();
  location.assign(started.data.url);
  return { kind: 'leaving' };
}

function refuse(error: ErrorObject): CheckoutStart {
  // a session that is over asks for a new sign-in by itself
  if (error.code === 'UNAUTHORIZED') return { kind: 'refused', sentence: null };
  return { kind: 'refused', sentence: describeError(error) || 'Unexpected error occurred.' };
}
