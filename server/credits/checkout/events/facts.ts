/** Translates Stripe's events and objects into our facts (docs/decisions/050-money.md). */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { DisputeRowState, PurchaseRowState, RefundRowState } from '../schema.ts';

/** State of a checkout session. */
export interface SessionFact {
  id: string;
  state: Exclude<PurchaseRowState, 'mismatched'> | 'without-money';
  mode: string;
  isLive: boolean;
  /** `client_reference_id`. */
  userId: string | null;
  /** In lower case, like ours. */
  currency: string | null;
  /** In hundredths: before and after a promotion code, the code's discount, and charges that must not occur. */
  subtotal: number | null;
  total: number | null;
  discount: number;
  taxAndShipping: number;
}

interface RefundFact {
  id: string;
  amount: number;
  currency: string;
  state: RefundRowState;
  createdAt: Date;
}

interface DisputeFact {
  id: string;
  charge: string | null;
  amount: number;
  currency: string;
  state: DisputeRowState;
  createdAt: Date;
}

/** Facts about one payment, or one checkout session. */
export interface Facts {
  /** `pi_…`; null while there is none. */
  paymentIntent: string | null;
  /** As named in the metadata of the session, payment or charge. */
  purchaseId: string | null;
  session?: SessionFact;
  charge?: { id: string; receiptUrl: string | null };
  /** `amount_refunded` of a charge. */
  refundedSeen?: { amount: number; currency: string };
  refunds?: readonly RefundFact[];
  disputes?: readonly DisputeFact[];
}

const Id = z.string().min(1);
const Moved = z.object({
  id: Id,
  amount: z.number().int(),
  currency: z.string(),
  createdAt: z.date(),
});
/** What the tables can store of an event; the rest is checked where it is applied. */
const SoundFacts = z.object({
  paymentIntent: Id.nullable(),
  session: z.object({ id: Id }).optional(),
  charge: z.object({ id: Id }).optional(),
  refundedSeen: Moved.pick({ amount: true, currency: true }).optional(),
  refunds: z.array(Moved).optional(),
  disputes: z.array(Moved).optional(),
});
const SoundEvent = z.object({
  id: Id,
  type: Id,
  created: z.number().int().nonnegative(),
  livemode: z.boolean(),
  data: z.object({ object: z.looseObject({}) }),
});

/** A correctly signed body that is not an event: a field that every event has is missing or has the wrong type. */
export class MalformedEvent extends Error {}

/**
 * Null for other types of event, which are accepted without effect.
 * @throws MalformedEvent
 */
export function readEvent(event: Stripe.Event): Facts | null {
  if (!SoundEvent.safeParse(event).success) throw new MalformedEvent('an event without its fields');
  const facts = factsOf(event);
  if (facts !== null && !SoundFacts.safeParse(facts).success)
    throw new MalformedEvent('an event whose object does not have its fields');
  return facts;
}

function factsOf(event: Stripe.Event): Facts | null {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return readSession(event.data.object);
    case 'checkout.session.async_payment_failed':
      return readSession(event.data.object, 'failed');
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
      return readPayment(event.data.object);
    case 'charge.succeeded':
    case 'charge.updated':
    case 'charge.refunded':
      return readCharge(event.data.object);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return readRefund(event.data.object);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return readDispute(event.data.object);
    default:
      return null;
  }
}

/** @param state given if the event's type says more than the session */
export function readSession(session: Stripe.Checkout.Session, state?: SessionFact['state']): Facts {
  const details = session.total_details;
  return {
    paymentIntent: idOf(session.payment_intent),
    purchaseId: toPurchaseId(session.metadata),
    session: {
      id: session.id,
      state: state ?? readSessionState(session),
      mode: session.mode,
      isLive: session.livemode,
      userId: session.client_reference_id,
      currency: session.currency,
      subtotal: session.amount_subtotal,
      total: session.amount_total,
      discount: details?.amount_discount ?? 0,
      taxAndShipping: (details?.amount_tax ?? 0) + (details?.amount_shipping ?? 0),
    },
  };
}

/** A payment that failed days later leaves its session complete and unpaid; the payment, if expanded, tells. */
function readSessionState(session: Stripe.Checkout.Session): SessionFact['state'] {
  if (session.payment_status === 'paid') return 'paid';
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'complete') return 'open';
  if (session.payment_status === 'no_payment_required') return 'without-money';
  const payment = session.payment_intent;
  const hasFailed =
    typeof payment === 'object' &&
    payment !== null &&
    ['requires_payment_method', 'canceled'].includes(payment.status);
  return hasFailed ? 'failed' : 'processing';
}

/** The charge and purchase that a payment belongs to; never that it is paid. */
function readPayment(payment: Stripe.PaymentIntent): Facts {
  const charge = payment.status === 'succeeded' ? idOf(payment.latest_charge) : null;
  return {
    paymentIntent: payment.id,
    purchaseId: toPurchaseId(payment.metadata),
    ...(charge === null ? {} : { charge: { id: charge, receiptUrl: null } }),
  };
}

export function readCharge(charge: Stripe.Charge): Facts {
  return {
    paymentIntent: idOf(charge.payment_intent),
    purchaseId: toPurchaseId(charge.metadata),
    ...(charge.status === 'succeeded' ? { charge: { id: charge.id, receiptUrl: charge.receipt_url } } : {}),
    ...(charge.amount_refunded > 0
      ? { refundedSeen: { amount: charge.amount_refunded, currency: charge.currency } }
      : {}),
  };
}

export function readRefund(refund: Stripe.Refund): Facts {
  return {
    paymentIntent: idOf(refund.payment_intent),
    purchaseId: null,
    refunds: [
      {
        id: refund.id,
        amount: refund.amount,
        currency: refund.currency,
        state: readRefundState(refund.status),
        createdAt: toDate(refund.created),
      },
    ],
  };
}

/** An unknown status holds the credits until a known one arrives. */
function readRefundState(status: string | null): RefundRowState {
  if (status === 'failed' || status === 'canceled') return 'failed';
  return status === 'succeeded' ? 'succeeded' : 'pending';
}

export function readDispute(dispute: Stripe.Dispute): Facts {
  return {
    paymentIntent: idOf(dispute.payment_intent),
    purchaseId: null,
    disputes: [
      {
        id: dispute.id,
        charge: idOf(dispute.charge),
        amount: dispute.amount,
        currency: dispute.currency,
        state: readDisputeState(dispute.status),
        createdAt: toDate(dispute.created),
      },
    ],
  };
}

/** An appeal after `lost` leaves the money with the buyer until it is won. */
function readDisputeState(status: string): DisputeRowState {
  if (status.startsWith('warning_') || status === 'prevented') return 'inquiry';
  if (status === 'won') return 'won';
  return status === 'lost' || status.startsWith('appeal_') ? 'lost' : 'open';
}

/** Metadata can be written by anybody with access to the Stripe account: whatever is not an id of ours is ignored. */
function toPurchaseId(metadata: Stripe.Metadata | null): string | null {
  const id = metadata?.purchase_id;
  return id !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : null;
}

/** Fields that refer to another object hold its id, or the object itself if the API was asked to expand it. */
function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
}

/** Stripe's seconds since 1970. */
function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}
