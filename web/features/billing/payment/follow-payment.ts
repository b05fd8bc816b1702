/**
 * Waits for the credits of one checkout. The payment service may notify our server before or after the browser
 * returns: so the checkout is polled, less often as time goes by, and at once when realtime reports a changed
 * balance.
 */
import type { CheckoutStatus } from '#shared/api/billing.ts';
import type { PaidBundleId } from '#shared/api/bundles.ts';
import { refreshCredits } from '#web/lib/billing/credits.ts';
import { getCheckout } from '../billing-api.ts';

export type Payment =
  | { kind: 'waiting' }
  /** Paid by a method that takes days: the credits arrive with the money. */
  | { kind: 'processing'; bundle: PaidBundleId }
  /** The credits are in the balance, which has been read again. `credits`: what this purchase added. */
  | { kind: 'paid'; bundle: PaidBundleId; credits: CheckoutStatus['credits'] }
  /** The payment failed, or was not made in time. */
  | { kind: 'failed' | 'expired' }
  /** The payment does not match what was sold: it needs a manual check, and nothing was added. */
  | { kind: 'checked' }
  /** The balance could not be read, or the payment service has not notified us in time. */
  | { kind: 'unknown' };

/** After this long, in ms, a payment that is neither complete nor processing counts as unknown. */
const undecidedAfterMs = 45_000;

/** @param ageMs since the page began to wait @returns the delay before the next request, in ms */
function delayUntilNext(kind: Payment['kind'], ageMs: number): number {
  if (kind === 'processing') return 15_000;
  return ageMs < 10_000 ? 1000 : 2500;
}

export interface FollowedPayment {
  /** Something has happened: requests the state now. */
  nudge: () => void;
  stop: () => void;
}

/** Reports each state once, and stops at the final ones. */
export function followPayment(sessionId: string, onPayment: (payment: Payment) => void): FollowedPayment {
  const controller = new AbortController();
  const startedAt = Date.now();
  let shown: Payment['kind'] = 'waiting';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;

  const ask = async () => {
    if (isAsking || controller.signal.aborted) return;
    clearTimeout(timer);
    isAsking = true;
    const payment = await readPayment(sessionId, controller.signal).catch(() => null);
    isAsking = false;
    if (controller.signal.aborted) return;
    const ageMs = Date.now() - startedAt;
    const isUndecided = payment === null ? shown === 'waiting' : payment.kind === 'waiting';
    const next: Payment | null = isUndecided && ageMs > undecidedAfterMs ? { kind: 'unknown' } : payment;
    if (next !== null) {
      shown = next.kind;
      onPayment(next);
    }
    const isFinal = shown !== 'waiting' && shown !== 'processing';
    if (!isFinal) timer = setTimeout(ask, delayUntilNext(shown, ageMs));
  };
  void ask();
  return {
    nudge: () => void ask(),
    stop: () => {
      controller.abort();
      clearTimeout(timer);
    },
  };
}

/** Null if the server was not reached. */
async function readPayment(sessionId: string, signal: AbortSignal): Promise<Payment | null> {
  const answer = await getCheckout(sessionId, signal);
  if (!answer.ok) {
    const isFinal = answer.error.code === 'NOT_FOUND' || answer.error.code === 'INVALID_INPUT';
    return isFinal ? { kind: 'unknown' } : null;
  }
  const { state, bundle, credits } = answer.data;
  switch (state) {
    case 'open':
      return { kind: 'waiting' };
    case 'processing':
      return { kind: 'processing', bundle };
    case 'paid':
      return (await refreshCredits()) ? { kind: 'paid', bundle, credits } : { kind: 'unknown' };
    case 'failed':
    case 'expired':
      return { kind: state };
    case 'mismatched':
      return { kind: 'checked' };
  }
}
