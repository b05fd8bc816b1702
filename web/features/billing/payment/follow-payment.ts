/**
 * Waits for the credits of one checkout. The payment service tells our server, which may be before or after the browser
 * is back: so the checkout is asked for again and again, more seldom as time goes by, and at once when realtime tells
 * that the balance has changed.
 */
import type { CheckoutStatus } from '#shared/api/billing.ts';
import type { PaidBundleId } from '#shared/api/bundles.ts';
import { refreshCredits } from '#web/lib/billing/credits.ts';
import { getCheckout } from '../billing-api.ts';

export type Payment =
  | { kind: 'waiting' }
  /** Paid by a method whose money takes days: the credits come with it. */
  | { kind: 'processing'; bundle: PaidBundleId }
  /** The credits are in the balance, which has been read anew. `credits` is what this purchase has brought. */
  | { kind: 'paid'; bundle: PaidBundleId; credits: CheckoutStatus['credits'] }
  /** The money did not come, or nobody paid in time. */
  | { kind: 'failed' | 'expired' }
  /** What was paid is not what was sold: somebody has to look, and nothing was added. */
  | { kind: 'checked' }
  /** The balance could not be read, or the payment service has not told in time. */
  | { kind: 'unknown' };

/** A payment that is neither here nor on its way after this long is said to be unknown, in ms. */
const patienceMs = 45_000;

/** @param ageMs since the page began to wait @returns when to ask again, in ms */
export function delayUntilNext(kind: Payment['kind'], ageMs: number): number {
  if (kind === 'processing') return 15_000;
  return ageMs < 10_000 ? 1000 : 2500;
}

export interface FollowedPayment {
  /** Something has happened: ask now. */
  nudge: () => void;
  stop: () => void;
}

/** Tells each state once, and stops by itself at the ones that are final. */
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
    const next: Payment | null = isUndecided && ageMs > patienceMs ? { kind: 'unknown' } : payment;
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

/** Null when the server was not reached. */
async function readPayment(sessionId: string, signal: AbortSignal): Promise<Payment | null> {
  const asked = await getCheckout(sessionId, signal);
  if (!asked.ok) {
    const isFinal = asked.error.code === 'NOT_FOUND' || asked.error.code === 'INVALID_INPUT';
    return isFinal ? { kind: 'unknown' } : null;
  }
  const { state, bundle, credits } = asked.data;
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
