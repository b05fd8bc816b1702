/**
 * Makes events in Stripe's format, for the local checkout page and for tests. Fields of Stripe's that nothing
 * here reads are left out.
 */
import { randomUUID } from 'node:crypto';
import { loadStripe } from '../load-stripe.ts';

/** An event as JSON. */
export interface WrittenEvent {
  id: string;
  object: 'event';
  type: string;
  created: number;
  livemode: boolean;
  data: { object: Record<string, unknown> };
}

/** The header Stripe-Signature for these bytes, signed now. */
export function signEvent(body: string, secret: string): string {
  return loadStripe().webhooks.generateTestHeaderString({ payload: body, secret });
}

/** The fields of a purchase's row that its events are made from. */
export interface PlayedRow {
  id: string;
  userId: string | null;
  currency: string;
  price: number;
  /** After a promotion code; null until known. */
  amount: number | null;
  sessionId: string | null;
}

export type PlayedPurchase = ReturnType<typeof playPurchase>;

/** The events that one purchase can have. Their ids derive from the purchase's, so that they fit each other. */
export function playPurchase(row: PlayedRow) {
  const { id, userId, currency, price } = row;
  const paymentIntent = `pi_local_${id}`;
  const charge = `ch_local_${id}`;
  const metadata = { purchase_id: id };

  const session = (total: number, status: Record<string, unknown>) => ({
    id: row.sessionId ?? `cs_local_${id}`,
    object: 'checkout.session',
    livemode: false,
    mode: 'payment',
    client_reference_id: userId,
    currency,
    amount_subtotal: price,
    amount_total: total,
    total_details: { amount_discount: price - total, amount_shipping: 0, amount_tax: 0 },
    metadata,
    payment_intent: paymentIntent,
    ...status,
  });
  const due = row.amount ?? price;

  return {
    id,
    price,
    paid: (total: number = due, change: Record<string, unknown> = {}) =>
      write(
        'checkout.session.completed',
        session(total, { status: 'complete', payment_status: 'paid', ...change }),
      ),
    completedUnpaid: (total: number = due) =>
      write('checkout.session.completed', session(total, { status: 'complete', payment_status: 'unpaid' })),
    giftCode: () =>
      write(
        'checkout.session.completed',
        session(0, { status: 'complete', payment_status: 'no_payment_required', payment_intent: null }),
      ),
    /** Reports the payment's charge. */
    charged: () =>
      write('charge.succeeded', {
        id: charge,
        object: 'charge',
        status: 'succeeded',
        amount_refunded: 0,
        currency,
        metadata,
        payment_intent: paymentIntent,
        receipt_url: null,
      }),
    asyncSucceeded: () =>
      write(
        'checkout.session.async_payment_succeeded',
        session(due, { status: 'complete', payment_status: 'paid' }),
      ),
    asyncFailed: () =>
      write(
        'checkout.session.async_payment_failed',
        session(due, { status: 'complete', payment_status: 'unpaid' }),
      ),
    expired: () =>
      write(
        'checkout.session.expired',
        session(price, { status: 'expired', payment_status: 'unpaid', payment_intent: null }),
      ),
    declined: () =>
      write('payment_intent.payment_failed', {
        id: paymentIntent,
        object: 'payment_intent',
        status: 'requires_payment_method',
        latest_charge: null,
        metadata,
      }),
    chargeRefunded: (refunded: number) =>
      write('charge.refunded', {
        id: charge,
        object: 'charge',
        status: 'succeeded',
        amount_refunded: refunded,
        currency,
        metadata,
        payment_intent: paymentIntent,
        receipt_url: null,
      }),
    /** @param change e.g. an id of its own; by default the amount identifies the refund */
    refund: (
      amount: number,
      status: 'pending' | 'succeeded' | 'failed',
      change: Record<string, unknown> = {},
    ) =>
      write(
        status === 'failed' ? 'refund.failed' : status === 'pending' ? 'refund.created' : 'refund.updated',
        {
          id: `re_local_${id}_${amount}`,
          object: 'refund',
          amount,
          currency,
          status,
          charge,
          payment_intent: paymentIntent,
          created: now(),
          ...change,
        },
      ),
    dispute: (amount: number, status: 'warning_needs_response' | 'needs_response' | 'won' | 'lost') =>
      write(status === 'won' || status === 'lost' ? 'charge.dispute.closed' : 'charge.dispute.created', {
        id: `du_local_${id}`,
        object: 'dispute',
        amount,
        currency,
        status,
        charge,
        payment_intent: paymentIntent,
        created: now(),
      }),
  };
}

function write(type: string, object: Record<string, unknown>): WrittenEvent {
  return {
    id: `evt_local_${randomUUID().replaceAll('-', '')}`,
    object: 'event',
    type,
    created: now(),
    livemode: false,
    data: { object },
  };
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
