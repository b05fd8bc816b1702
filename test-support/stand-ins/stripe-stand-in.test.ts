/** The stand-in's payments, used through Stripe's own SDK. */
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { openStripe, order, paid, received, refusal, standIn, stripe, typesOf } from './open-stripe.ts';

openStripe();

describe('checkout', () => {
  test('a session is created, found, listed and expired', async () => {
    const session = await stripe.checkout.sessions.create(order());
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_subtotal: 490,
      amount_total: 490,
      currency: 'eur',
      metadata: { purchase_id: 'p1' },
      payment_intent: null,
      customer_email: 'ada@example.com',
    });
    expect(await stripe.checkout.sessions.retrieve(session.id, { expand: ['line_items'] })).toMatchObject({
      id: session.id,
      line_items: { data: [{ description: 'Starter', quantity: 1, amount_total: 490 }] },
    });
    const [item] = (await stripe.checkout.sessions.listLineItems(session.id)).data;
    expect(item?.description).toBe('Starter');
    await stripe.checkout.sessions.create(order());
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(2);
    expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired');
    expect(await refusal(stripe.checkout.sessions.expire(session.id))).toMatchObject({ statusCode: 400 });
    await standIn.deliveries.settled();
    expect(received.map(({ type }) => type)).toEqual(['checkout.session.expired']);
    expect(() => standIn.pay(session.id)).toThrow(/expired/);
  });

  test.each([
    ['no address to return to', { success_url: '' }, 'success_url'],
    ['nothing to sell', { line_items: [] }, 'line_items'],
    ['an address that is none', { cancel_url: '/cancelled' }, 'cancel_url'],
    ['an unknown parameter', { colour: 'red' } as object, 'colour'],
    ['a mail address that is none', { customer_email: 'ada' }, 'customer_email'],
    ['an early end', { expires_at: Math.floor(Date.now() / 1000) + 60 }, 'expires_at'],
  ])('%s is refused', async (_, more, param) => {
    expect(await refusal(stripe.checkout.sessions.create(order(more)))).toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      param,
    });
    expect(standIn.account.all('checkout.session')).toEqual([]);
  });

  test('less than the least amount is refused', async () => {
    const [item] = order().line_items!;
    const cheap = { ...item, price_data: { ...item!.price_data!, unit_amount: 49 } };
    expect(await refusal(stripe.checkout.sessions.create(order({ line_items: [cheap] })))).toMatchObject({
      code: 'amount_too_small',
    });
  });

  test('paid: payment, charge and receipt can be found from the session', async () => {
    const { id } = await paid();
    const session = await stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent', 'payment_intent.latest_charge'],
    });
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      payment_intent: {
        status: 'succeeded',
        amount_received: 490,
        metadata: { purchase_id: 'p1' },
        latest_charge: { paid: true, amount: 490, metadata: { purchase_id: 'p1' } },
      },
    });
    const intent = session.payment_intent as Stripe.PaymentIntent;
    const [charge] = (await stripe.charges.list({ payment_intent: intent.id })).data;
    expect(charge!.receipt_url).toContain(charge!.id);
    expect((await stripe.checkout.sessions.list({ payment_intent: intent.id })).data[0]?.id).toBe(id);
  });

  test('a payment has its own metadata, not the session’s', async () => {
    const session = await stripe.checkout.sessions.create(order({ payment_intent_data: undefined }));
    standIn.pay(session.id);
    expect(standIn.account.chargeOf(session.id).metadata).toEqual({});
  });

  test('delayed payment: unpaid first, then it succeeds or fails', async () => {
    const [good, bad] = [
      await stripe.checkout.sessions.create(order()),
      await stripe.checkout.sessions.create(order()),
    ];
    for (const { id } of [good, bad]) {
      expect(typesOf(standIn.payLater(id))).toContain('checkout.session.completed');
      expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
        status: 'complete',
        payment_status: 'unpaid',
      });
    }
    expect(typesOf(standIn.finishPayment(good.id, 'succeeded')).at(-1)).toBe(
      'checkout.session.async_payment_succeeded',
    );
    expect(typesOf(standIn.finishPayment(bad.id, 'failed')).at(-1)).toBe(
      'checkout.session.async_payment_failed',
    );
    expect((await stripe.checkout.sessions.retrieve(good.id)).payment_status).toBe('paid');
    expect((await stripe.checkout.sessions.retrieve(bad.id)).payment_status).toBe('unpaid');
    expect(() => standIn.finishPayment(good.id, 'failed')).toThrow();
  });

  test('a declined card leaves the session open', async () => {
    const session = await stripe.checkout.sessions.create(order());
    expect(typesOf(standIn.decline(session.id))).toEqual(['charge.failed', 'payment_intent.payment_failed']);
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    standIn.pay(session.id);
    expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
    expect(standIn.account.all('payment_intent')).toHaveLength(1);
  });
});

describe('codes', () => {
  test('a promotion code gives its discount, in any letter case', async () => {
    const coupon = await stripe.coupons.create({ id: 'student', percent_off: 20, duration: 'once' });
    const code = await stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
      code: 'STUDENT20',
    });
    expect((await stripe.promotionCodes.list({ code: 'STUDENT20', active: true })).data).toHaveLength(1);
    const session = await stripe.checkout.sessions.create(order());
    standIn.pay(session.id, { promotionCode: 'student20' });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      amount_subtotal: 490,
      amount_total: 392,
      total_details: { amount_discount: 98 },
      discounts: [{ promotion_code: code.id }],
    });
    expect(standIn.account.chargeOf(session.id).amount).toBe(392);
    await stripe.promotionCodes.update(code.id, { active: false });
    const next = await stripe.checkout.sessions.create(order());
    expect(() => standIn.pay(next.id, { promotionCode: 'STUDENT20' })).toThrow(/invalid/);
  });

  test('a coupon and an active code are there once', async () => {
    const coupon = { id: 'student', percent_off: 20, duration: 'once' } as const;
    const code = { promotion: { type: 'coupon', coupon: 'student' }, code: 'STUDENT20' } as const;
    await stripe.coupons.create(coupon);
    await stripe.promotionCodes.create(code);
    expect(await refusal(stripe.coupons.create(coupon))).toMatchObject({ code: 'resource_already_exists' });
    expect(await refusal(stripe.promotionCodes.create(code))).toMatchObject({ statusCode: 400 });
    expect((await stripe.coupons.retrieve('student')).percent_off).toBe(20);
    expect(await refusal(stripe.coupons.retrieve('teacher'))).toMatchObject({ code: 'resource_missing' });
  });

  test('what costs nothing needs no payment', async () => {
    await stripe.coupons.create({ id: 'gift', percent_off: 100, duration: 'once' });
    await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: 'gift' }, code: 'GIFT' });
    const session = await stripe.checkout.sessions.create(order());
    expect(typesOf(standIn.pay(session.id, { promotionCode: 'GIFT' }))).toEqual([
      'checkout.session.completed',
    ]);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      payment_status: 'no_payment_required',
      payment_intent: null,
    });
  });
});

describe('refunds and disputes', () => {
  test('a payment is refunded in parts, never more than was paid', async () => {
    const { id } = await paid();
    const charge = standIn.account.chargeOf(id);
    const first = await stripe.refunds.create({ charge: charge.id, amount: 100 });
    expect(first).toMatchObject({ status: 'succeeded', amount: 100, payment_intent: charge.payment_intent });
    expect(await refusal(stripe.refunds.create({ charge: charge.id, amount: 391 }))).toMatchObject({
      statusCode: 400,
      param: 'amount',
    });
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 100, refunded: false });
    await stripe.refunds.create({ payment_intent: charge.payment_intent });
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 490, refunded: true });
    expect(await refusal(stripe.refunds.create({ charge: charge.id }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    expect((await stripe.refunds.list({ charge: charge.id })).data.map(({ amount }) => amount)).toEqual([
      390, 100,
    ]);
  });

  test('a refund may be pending, and may fail afterwards', async () => {
    const { id } = await paid();
    const { refund, events } = standIn.refund(id, 490, { status: 'pending' });
    expect(typesOf(events)).toEqual(['refund.created', 'charge.refunded']);
    expect(typesOf(standIn.finishRefund(refund.id, 'failed'))).toEqual(['refund.updated', 'refund.failed']);
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe('failed');
    expect(standIn.refund(id).refund.amount).toBe(490);
  });

  test('a dispute withdraws the money until it is won', async () => {
    const { id } = await paid();
    const { dispute, events } = standIn.dispute(id);
    expect(typesOf(events)).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
    expect(() => standIn.refund(id)).toThrow(/charged back/);
    expect((await stripe.disputes.list({ charge: dispute.charge })).data[0]).toMatchObject({
      status: 'needs_response',
      amount: 490,
    });
    expect(typesOf(standIn.closeDispute(dispute.id, 'won'))).toEqual([
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    ]);
    expect((await stripe.disputes.retrieve(dispute.id)).status).toBe('won');
  });

  test('an inquiry is a dispute that has taken nothing', async () => {
    const { id } = await paid();
    const { dispute, events } = standIn.dispute(id, { isInquiry: true });
    expect(typesOf(events)).toEqual(['charge.dispute.created']);
    expect(standIn.refund(id, 100).refund.status).toBe('succeeded');
    standIn.closeDispute(dispute.id, 'won');
    expect((await stripe.disputes.retrieve(dispute.id)).status).toBe('warning_closed');
  });
});
