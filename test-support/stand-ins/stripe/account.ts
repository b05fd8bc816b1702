/** One Stripe account in memory: what its API creates, and the actions of buyers, banks and the operator. */
import type { Emit } from './deliveries.ts';
import { StripeRefusal } from './form.ts';
import {
  apiVersion,
  type Charge,
  type CheckoutSession,
  type Coupon,
  type Dispute,
  type LineItem,
  newId,
  nowSeconds,
  type PaymentIntent,
  type PromotionCode,
  type Refund,
  type StripeEvent,
  type StripeObject,
} from './objects.ts';

export interface PayOptions {
  /** Entered on the page, e.g. STUDENT20. */
  promotionCode?: string;
  /** Used if the session has no e-mail address. */
  email?: string;
}

/** What the API stores of a session in addition to the object itself. */
export interface SessionDetails {
  items: LineItem[];
  paymentMetadata: Record<string, string>;
}

export type StripeAccount = ReturnType<typeof createStripeAccount>;

/** @param url the stand-in's own address, for receipts */
export function createStripeAccount(emit: Emit, url: () => string) {
  /** All objects by id, oldest first. */
  const objects = new Map<string, StripeObject>();
  const details = new Map<string, SessionDetails>();

  const add = <T extends StripeObject>(object: T): T => {
    objects.set(object.id, object);
    return object;
  };

  const get = <T extends StripeObject>(kind: T['object'], id: string): T => {
    const found = objects.get(id);
    if (found?.object !== kind)
      throw new StripeRefusal(
        404,
        `No such ${kind.replace('checkout.session', 'checkout.session').replace('_', ' ')}: '${id}'`,
        {
          code: 'resource_missing',
          param: 'id',
        },
      );
    return found as T;
  };

  const all = <T extends StripeObject>(kind: T['object']): T[] =>
    [...objects.values()].filter((object): object is T => object.object === kind);

  /** @returns the event, so that a test can send it again */
  const happen = (type: string, object: StripeObject): StripeEvent => {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      created: nowSeconds(),
      api_version: apiVersion,
      livemode: false,
      type,
      data: { object: structuredClone(object) as StripeEvent['data']['object'] },
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
    };
    add(event);
    emit(event);
    return event;
  };

  const openSession = (id: string): CheckoutSession => {
    const session = get<CheckoutSession>('checkout.session', id);
    if (session.status !== 'open')
      throw new StripeRefusal(400, `This Checkout Session is ${session.status} and can no longer be used.`);
    return session;
  };

  /** The percentage or amount that a code takes off. @throws StripeRefusal if it may not be used here */
  const findPromotion = (session: CheckoutSession, code: string) => {
    const promotion = all<PromotionCode>('promotion_code').find(
      (candidate) =>
        candidate.code.toLowerCase() === code.toLowerCase() &&
        candidate.active &&
        (candidate.expires_at === null || candidate.expires_at > nowSeconds()) &&
        (candidate.max_redemptions === null || candidate.times_redeemed < candidate.max_redemptions),
    );
    const coupon = promotion && get<Coupon>('coupon', promotion.promotion.coupon);
    if (!session.allow_promotion_codes || !promotion || !coupon?.valid)
      throw new StripeRefusal(400, 'This promotion code is invalid.', { code: 'promotion_code_invalid' });
    return { promotion, coupon };
  };

  const applyPromotion = (session: CheckoutSession, code: string) => {
    const { promotion, coupon } = findPromotion(session, code);
    const off = coupon.amount_off ?? Math.round((session.amount_subtotal * (coupon.percent_off ?? 0)) / 100);
    const discount = Math.min(off, session.amount_subtotal);
    session.discounts = [{ coupon: null, promotion_code: promotion.id }];
    session.total_details.amount_discount = discount;
    session.amount_total = session.amount_subtotal - discount;
    promotion.times_redeemed++;
  };

  /** The buyer has confirmed: the session gets a payment intent and is complete. */
  const complete = (id: string, options: PayOptions) => {
    const session = openSession(id);
    if (options.promotionCode !== undefined) applyPromotion(session, options.promotionCode);
    const email = session.customer_email ?? options.email ?? null;
    session.customer_details = { email, name: null };
    session.status = 'complete';
    session.url = null;
    return session;
  };

  const createIntent = (session: CheckoutSession): PaymentIntent => {
    const existing = session.payment_intent;
    if (existing !== null) return get<PaymentIntent>('payment_intent', existing);
    const intent = add<PaymentIntent>({
      id: newId('pi'),
      object: 'payment_intent',
      created: nowSeconds(),
      livemode: false,
      amount: session.amount_total,
      amount_received: 0,
      currency: session.currency,
      status: 'requires_payment_method',
      latest_charge: null,
      // the session's own metadata stay with the session
      metadata: { ...(details.get(session.id)?.paymentMetadata ?? {}) },
      customer: null,
      receipt_email: null,
      last_payment_error: null,
    });
    session.payment_intent = intent.id;
    return intent;
  };

  const createCharge = (intent: PaymentIntent, status: Charge['status'], email: string | null): Charge => {
    const id = newId('ch');
    const isFailed = status === 'failed';
    const charge = add<Charge>({
      id,
      object: 'charge',
      created: nowSeconds(),
      livemode: false,
      amount: intent.amount,
      amount_captured: isFailed ? 0 : intent.amount,
      amount_refunded: 0,
      captured: !isFailed,
      currency: intent.currency,
      disputed: false,
      failure_code: isFailed ? 'card_declined' : null,
      failure_message: isFailed ? 'Your card was declined.' : null,
      metadata: { ...intent.metadata },
      paid: status === 'succeeded',
      payment_intent: intent.id,
      receipt_email: null,
      receipt_url: status === 'succeeded' ? `${url()}/receipts/${id}` : null,
      refunded: false,
      status,
      billing_details: { email, name: null },
    });
    intent.latest_charge = id;
    return charge;
  };

  const failIntent = (intent: PaymentIntent) => {
    intent.status = 'requires_payment_method';
    intent.last_payment_error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
    };
  };

  const chargeOf = (id: string): Charge => {
    if (id.startsWith('ch_')) return get<Charge>('charge', id);
    const intentId = id.startsWith('cs_') ? get<CheckoutSession>('checkout.session', id).payment_intent : id;
    const charge = intentId && get<PaymentIntent>('payment_intent', intentId).latest_charge;
    if (!charge) throw new StripeRefusal(400, 'This payment has no charge.', { param: 'payment_intent' });
    return get<Charge>('charge', charge);
  };

  const refundable = (charge: Charge): number =>
    charge.amount_captured -
    all<Refund>('refund')
      .filter((refund) => refund.charge === charge.id && !['failed', 'canceled'].includes(refund.status))
      .reduce((sum, { amount }) => sum + amount, 0);

  return {
    objects,
    details,
    add,
    get,
    all,
    happen,
    chargeOf,

    /** Pays by card: the money arrives at once. */
    pay(sessionId: string, options: PayOptions = {}): StripeEvent[] {
      const session = complete(sessionId, options);
      if (session.amount_total === 0) {
        session.payment_status = 'no_payment_required';
        return [happen('checkout.session.completed', session)];
      }
      const intent = createIntent(session);
      const charge = createCharge(intent, 'succeeded', session.customer_details?.email ?? null);
      intent.status = 'succeeded';
      intent.amount_received = intent.amount;
      session.payment_status = 'paid';
      return [
        happen('payment_intent.created', intent),
        happen('charge.succeeded', charge),
        happen('payment_intent.succeeded', intent),
        happen('checkout.session.completed', session),
      ];
    },

    /** Pays by a method whose money arrives days later, if at all: complete and unpaid. */
    payLater(sessionId: string, options: PayOptions = {}): StripeEvent[] {
      const session = complete(sessionId, options);
      const intent = createIntent(session);
      const charge = createCharge(intent, 'pending', session.customer_details?.email ?? null);
      intent.status = 'processing';
      return [
        happen('payment_intent.processing', intent),
        happen('charge.pending', charge),
        happen('checkout.session.completed', session),
      ];
    },

    /** Ends a payment of `payLater`. */
    finishPayment(sessionId: string, outcome: 'succeeded' | 'failed'): StripeEvent[] {
      const session = get<CheckoutSession>('checkout.session', sessionId);
      const charge = chargeOf(sessionId);
      const intent = get<PaymentIntent>('payment_intent', charge.payment_intent);
      if (charge.status !== 'pending') throw new StripeRefusal(400, 'This payment is not pending.');
      charge.status = outcome;
      if (outcome === 'failed') {
        failIntent(intent);
        charge.captured = false;
        charge.amount_captured = 0;
        return [
          happen('charge.failed', charge),
          happen('payment_intent.payment_failed', intent),
          happen('checkout.session.async_payment_failed', session),
        ];
      }
      charge.paid = true;
      charge.receipt_url = `${url()}/receipts/${charge.id}`;
      intent.status = 'succeeded';
      intent.amount_received = intent.amount;
      session.payment_status = 'paid';
      return [
        happen('charge.succeeded', charge),
        happen('payment_intent.succeeded', intent),
        happen('checkout.session.async_payment_succeeded', session),
      ];
    },

    /** The card is declined; the session stays open for another try. */
    decline(sessionId: string): StripeEvent[] {
      const session = openSession(sessionId);
      const intent = createIntent(session);
      failIntent(intent);
      const charge = createCharge(intent, 'failed', session.customer_email);
      return [happen('charge.failed', charge), happen('payment_intent.payment_failed', intent)];
    },

    expire(sessionId: string): StripeEvent[] {
      const session = openSession(sessionId);
      session.status = 'expired';
      session.url = null;
      return [happen('checkout.session.expired', session)];
    },

    /** @param target id of a charge, a payment intent or a session; @param amount default: all that is left */
    refund(
      target: string,
      amount?: number,
      options: { status?: 'succeeded' | 'pending'; reason?: string; metadata?: Record<string, string> } = {},
    ): { refund: Refund; events: StripeEvent[] } {
      const charge = chargeOf(target);
      const left = refundable(charge);
      const wanted = amount ?? left;
      if (charge.status !== 'succeeded')
        throw new StripeRefusal(400, `Charge ${charge.id} has not been captured.`, {
          code: 'charge_not_refundable',
        });
      if (left <= 0)
        throw new StripeRefusal(400, `Charge ${charge.id} has already been refunded.`, {
          code: 'charge_already_refunded',
        });
      if (
        all<Dispute>('dispute').some(
          (d) => d.charge === charge.id && !d.is_charge_refundable && d.status !== 'won',
        )
      )
        throw new StripeRefusal(400, `Charge ${charge.id} has been charged back; cannot issue a refund.`, {
          code: 'charge_disputed',
        });
      if (wanted < 1)
        throw new StripeRefusal(400, 'Invalid positive integer', {
          code: 'parameter_invalid_integer',
          param: 'amount',
        });
      if (wanted > left)
        throw new StripeRefusal(
          400,
          `Refund amount (${wanted}) is greater than unrefunded amount on charge (${left})`,
          {
            param: 'amount',
          },
        );
      const refund = add<Refund>({
        id: newId('re'),
        object: 'refund',
        created: nowSeconds(),
        amount: wanted,
        charge: charge.id,
        currency: charge.currency,
        metadata: options.metadata ?? {},
        payment_intent: charge.payment_intent,
        reason: options.reason ?? null,
        status: options.status ?? 'succeeded',
      });
      charge.amount_refunded = charge.amount_captured - refundable(charge);
      charge.refunded = charge.amount_refunded === charge.amount;
      return { refund, events: [happen('refund.created', refund), happen('charge.refunded', charge)] };
    },

    /** Ends a pending refund, or turns a succeeded one into one returned by the bank as failed. */
    finishRefund(refundId: string, outcome: 'succeeded' | 'failed'): StripeEvent[] {
      const refund = get<Refund>('refund', refundId);
      refund.status = outcome;
      if (outcome === 'succeeded') return [happen('refund.updated', refund)];
      refund.failure_reason = 'lost_or_stolen_card';
      return [happen('refund.updated', refund), happen('refund.failed', refund)];
    },

    /** The buyer's bank takes the money back, or with `isInquiry` only asks. */
    dispute(
      target: string,
      options: { amount?: number; isInquiry?: boolean; reason?: string } = {},
    ): { dispute: Dispute; events: StripeEvent[] } {
      const charge = chargeOf(target);
      const { amount = charge.amount, isInquiry = false, reason = 'fraudulent' } = options;
      const dispute = add<Dispute>({
        id: newId('du'),
        object: 'dispute',
        created: nowSeconds(),
        livemode: false,
        amount,
        charge: charge.id,
        currency: charge.currency,
        is_charge_refundable: isInquiry,
        metadata: {},
        payment_intent: charge.payment_intent,
        reason,
        status: isInquiry ? 'warning_needs_response' : 'needs_response',
      });
      charge.disputed = true;
      const events = [happen('charge.dispute.created', dispute)];
      if (!isInquiry) events.push(happen('charge.dispute.funds_withdrawn', dispute));
      return { dispute, events };
    },

    closeDispute(disputeId: string, outcome: 'won' | 'lost'): StripeEvent[] {
      const dispute = get<Dispute>('dispute', disputeId);
      const isInquiry = dispute.status.startsWith('warning');
      dispute.status = isInquiry ? 'warning_closed' : outcome;
      const events = [happen('charge.dispute.closed', dispute)];
      if (dispute.status === 'won') events.unshift(happen('charge.dispute.funds_reinstated', dispute));
      return events;
    },
  };
}
