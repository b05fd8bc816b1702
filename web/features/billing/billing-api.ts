/** The calls of the thank-you page and the billing history (shared/api/billing.ts). */
import { BillingHistory, CheckoutStatus } from '#shared/api/billing.ts';
import { type ApiResult, callBlob, callJson } from '#web/lib/api/api-client.ts';

/** The state of the caller's own checkout; NOT_FOUND for any other. */
export function getCheckout(sessionId: string, signal?: AbortSignal): Promise<ApiResult<CheckoutStatus>> {
  return callJson('GET /checkout/{session_id}', CheckoutStatus, { path: { session_id: sessionId }, signal });
}

export function getBillingHistory(): Promise<ApiResult<BillingHistory>> {
  return callJson('GET /billing', BillingHistory);
}

/** The same purchases and refunds as CSV, one per line. */
export function getBillingCsv(): Promise<ApiResult<Blob>> {
  return callBlob('GET /billing.csv', 'text/csv');
}
