/** The stand-in's keys and events, used through Stripe's own SDK and a webhook. */
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  answers,
  openStripe,
  order,
  paid,
  received,
  refusal,
  standIn,
  stripe,
  webhookUrl,
} from './open-stripe.ts';

openStripe();

describe('keys', () => {
  test('of the API: another one is refused', async () => {
    const stranger = new Stripe('sk_test_stranger', { ...standIn.clientOptions, maxNetworkRetries: 0 });
    expect(await refusal(stranger.checkout.sessions.list())).toMatchObject({
      statusCode: 401,
      type: 'StripeAuthenticationError',
    });
  });

  test('an idempotency key: the same call gets the same answer, a different call is rejected', async () => {
    const once = { idempotencyKey: 'checkout-1' };
    const first = await stripe.checkout.sessions.create(order(), once);
    const again = await stripe.checkout.sessions.create(order(), once);
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(
      await refusal(stripe.checkout.sessions.create(order({ customer_email: 'eve@example.com' }), once)),
    ).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
    expect(standIn.account.all('checkout.session')).toHaveLength(1);
    // a session that has since been paid is still returned as first answered
    standIn.pay(first.id);
    expect((await stripe.checkout.sessions.create(order(), once)).status).toBe('open');
  });

  test('of a call that was refused: it stays free', async () => {
    const once = { idempotencyKey: 'checkout-2' };
    await refusal(stripe.checkout.sessions.create(order({ success_url: 'nowhere' }), once));
    expect((await stripe.checkout.sessions.create(order(), once)).status).toBe('open');
  });

  test('a lost answer: the SDK’s retry finds what the first call did', async () => {
    standIn.faults.push({ kind: 'lose-answer', path: '/v1/checkout', times: 1 });
    const patient = new Stripe(standIn.secretKey, { ...standIn.clientOptions, maxNetworkRetries: 2 });
    const session = await patient.checkout.sessions.create(order());
    expect(standIn.account.all('checkout.session').map(({ id }) => id)).toEqual([session.id]);
    expect(standIn.calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array.from({ length: 2 }, () => standIn.calls[0]?.idempotencyKey),
    );
  });

  test.each([
    ['refuse', 503, 'StripeAPIError'],
    ['rate-limit', 429, 'StripeRateLimitError'],
  ] as const)('a fault of the service: %s', async (kind, statusCode, type) => {
    standIn.faults.push({ kind, times: 1 });
    expect(await refusal(stripe.checkout.sessions.create(order()))).toMatchObject({ statusCode, type });
    expect(standIn.account.all('checkout.session')).toEqual([]);
    await stripe.checkout.sessions.create(order());
  });
});

describe('events', () => {
  test('are signed, arrive in order, and can be read later', async () => {
    const { id } = await paid();
    await standIn.deliveries.settled();
    expect(received.every(({ isGenuine }) => isGenuine)).toBe(true);
    expect(received.map(({ type }) => type)).toEqual([
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'checkout.session.completed',
    ]);
    const completed = await stripe.events.list({ types: ['checkout.session.completed'] });
    expect(completed.data.map((event) => (event.data.object as Stripe.Checkout.Session).id)).toEqual([id]);
    expect((await stripe.events.retrieve(received[0]!.id)).type).toBe('payment_intent.created');
    const all: string[] = [];
    for await (const event of stripe.events.list({ limit: 3 })) all.push(event.type);
    expect(all).toEqual(received.map(({ type }) => type).reverse());
  });

  test('hold what was so when they happened', async () => {
    const session = await stripe.checkout.sessions.create(order());
    const completed = standIn.payLater(session.id).at(-1)!;
    standIn.finishPayment(session.id, 'succeeded');
    expect(completed.data.object.payment_status).toBe('unpaid');
  });

  test('can be lost, doubled, late, and sent again', async () => {
    standIn.deliveries.plan = ({ type }) => {
      if (type === 'charge.succeeded') return { copies: 0 };
      if (type === 'payment_intent.succeeded') return { copies: 2 };
      return type === 'payment_intent.created' ? { isLate: true } : {};
    };
    const session = await stripe.checkout.sessions.create(order());
    const [, lost] = standIn.pay(session.id);
    await standIn.deliveries.settled();
    expect(received.map(({ type }) => type)).toEqual([
      'payment_intent.succeeded',
      'payment_intent.succeeded',
      'checkout.session.completed',
      'payment_intent.created',
    ]);
    await standIn.deliveries.send(lost!);
    expect(received.at(-1)).toMatchObject({ type: 'charge.succeeded', id: lost!.id, isGenuine: true });
  });

  test('can be kept back and sent in another order', async () => {
    standIn.deliveries.hold();
    const { id } = await paid();
    standIn.refund(id);
    await standIn.deliveries.settled();
    expect(received).toEqual([]);
    const sent = await standIn.deliveries.release((held) => held.toReversed());
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
    expect(received.map(({ type }) => type)).toEqual([
      'charge.refunded',
      'refund.created',
      'checkout.session.completed',
      'payment_intent.succeeded',
      'charge.succeeded',
      'payment_intent.created',
    ]);
  });

  test('are tried again while the answer is not 2xx', async () => {
    standIn.deliveries.retries = 2;
    standIn.deliveries.retryDelayMs = 5;
    answers.push(500, 400);
    const session = await stripe.checkout.sessions.create(order());
    standIn.expire(session.id);
    await standIn.deliveries.settled();
    expect(standIn.deliveries.log.map(({ status }) => status)).toEqual([500, 400, 200]);
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
  });

  test('can be forged in every way that a signature should detect', async () => {
    const session = await stripe.checkout.sessions.create(order());
    standIn.deliveries.to(null);
    const [event] = standIn.expire(session.id);
    standIn.deliveries.to(webhookUrl);
    const now = Math.floor(Date.now() / 1000);
    const forgeries = [
      { secret: 'whsec_other' },
      { timestamp: now - 301 },
      { body: JSON.stringify({ ...event, type: 'checkout.session.completed' }) },
      { signature: null },
      { signature: '' },
      { signature: `t=${now},v1=${'0'.repeat(64)}` },
      { signature: `t=${now}` },
    ];
    for (const forgery of forgeries) await standIn.deliveries.send(event!, forgery);
    expect(received.map(({ isGenuine }) => isGenuine)).toEqual(forgeries.map(() => false));
    await standIn.deliveries.send(event!, { timestamp: now - 290 });
    expect(received.at(-1)?.isGenuine).toBe(true);
  });
});
