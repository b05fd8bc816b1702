/** The calls behind the thank-you page and the billing history (shared/api/billing.ts). */
import { BillingHistory, CheckoutStatus } from '#shared/api/billing.ts';
import { type ApiResult, callBlob, callJson } from '#web/lib/api/api-client.ts';

/** How the caller's own checkout stands; NOT_FOUND for every other. */
export function getCheckout(sessionId: string, signal?: AbortSignal): Promise<ApiResult<CheckoutStatus>> {
  return callJson(`/checkout/${encodeURIComponent(sessionId)}`, CheckoutStatus, { signal });
}

export function getBillingHistory(): Promise<ApiResult<BillingHistory>> {
  return callJson('/billing', BillingHistory);
}

/** The same purchases and refunds, one a line. */
export function getBillingCsv(): Promise<ApiResult<Blob>> {
  return callBlob('/billing.csv', 'text/csv');
}
