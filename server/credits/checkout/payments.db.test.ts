/** Buying over HTTP from a Stripe stand-in that the real SDK talks to. */
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type IdentityServer,
  startIdentityServer,
  type TestAccount,
} from '../../../test-support/product/identity.ts';
import { type StripeStandIn, startStripeStandIn } from '../../../test-support/stand-ins/stripe-stand-in.ts';
import { ask, balanceOf, begin, historyOf } from './testing/buy.ts';

let standIn: StripeStandIn;
let product: IdentityServer;
let ada: TestAccount;
let eve: TestAccount;

beforeAll(async () => {
  standIn = await startStripeStandIn();
  product = await startIdentityServer({
    STRIPE_SECRET_KEY: standIn.secretKey,
    STRIPE_WEBHOOK_SECRET: standIn.webhookSecret,
    STRIPE_API_BASE: standIn.url,
  });
  standIn.deliveries.to(`${product.address}/api/v1/stripe/webhook`);
  [ada, eve] = await Promise.all([product.createAccount(), product.createAccount()]);
});
afterAll(async () => {
  await product?.close();
  await standIn?.close();
});

async function beginAtStripe(account: TestAccount, bundle = 'starter_pack', country = 'FR'): Promise<string> {
  const { status, body } = await begin(product, account, { bundle_type: bundle, country_code: country });
  expect([status, body.url]).toEqual([200, expect.stringMatching(/^http:/)]);
  return String(body.url).split('/').at(-1)!;
}

describe('a checkout at Stripe', () => {
  test('requests what the server sells, whatever else the browser sends', async () => {
    const { body } = await begin(product, ada, {
      bundle_type: 'power_bundle',
      country_code: 'gb',
      price: 1,
      quantity: 100,
      user_id: eve.id,
      currency: 'usd',
    });
    const session = standIn.account.get(
      'checkout.session',
      String(body.url).split('/').at(-1)!,
    ) as unknown as Record<string, unknown>;
    expect(session).toMatchObject({
      amount_total: 790,
      currency: 'gbp',
      client_reference_id: ada.id,
      customer_email: ada.email,
      allow_promotion_codes: true,
      success_url: expect.stringMatching(/\/payment-success\?session_id=\{CHECKOUT_SESSION_ID\}$/),
      cancel_url: expect.stringMatching(/\/payment-cancelled$/),
    });
  });

  test.each([
    ['the free bundle', { bundle_type: 'free', country_code: 'FR' }],
    ['one that there is not', { bundle_type: 'mega_bundle', country_code: 'FR' }],
    ['none', { country_code: 'FR' }],
    ['a country that is none', { bundle_type: 'starter_pack', country_code: 'France' }],
  ])('is rejected for %s', async (_, body) => {
    const answer = await begin(product, ada, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('is not for visitors', async () => {
    const answer = await begin(product, null, { bundle_type: 'starter_pack', country_code: 'FR' });
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('when paid, gives its credits once, with receipt and history; another account sees nothing of it', async () => {
    const buyer = await product.createAccount();
    const session = await beginAtStripe(buyer);
    expect((await ask(product, buyer, 'GET', `/checkout/${session}`)).body).toEqual({
      state: 'open',
      bundle: 'starter_pack',
      credits: null,
    });
    standIn.deliveries.plan = () => ({ copies: 3 });
    standIn.pay(session, { promotionCode: 'STUDENT20' });
    await standIn.deliveries.settled();
    standIn.deliveries.plan = null;
    expect(await balanceOf(product, buyer)).toEqual([70, 35]);
    expect((await ask(product, buyer, 'GET', `/checkout/${session}`)).body).toEqual({
      state: 'paid',
      bundle: 'starter_pack',
      credits: { conversion: 60, assistant: 30 },
    });
    expect((await ask(product, eve, 'GET', `/checkout/${session}`)).status).toBe(404);

    standIn.refund(session, 98);
    await standIn.deliveries.settled();
    expect(await balanceOf(product, buyer)).toEqual([55, 28]);
    const history = await historyOf(product, buyer);
    expect(history.purchases).toMatchObject([
      {
        state: 'partly_refunded',
        amount: 392,
        discount: 98,
        refunded: 98,
        refunds: [{ amount: 98, state: 'succeeded' }],
        credits_taken_back: { conversion: 15, assistant: 7 },
        credits_owed: { conversion: 0, assistant: 0 },
        receipt_url: expect.stringMatching(/\/receipts\/ch_/),
        is_test: true,
      },
    ]);
    const csv = (await ask(product, buyer, 'GET', '/billing.csv')).text;
    expect(csv.split('\r\n').map((line) => line.split(',').slice(1, 8).join(','))).toEqual([
      'kind,state,bundle,pages,ai_conversations,currency,amount',
      'purchase,partly_refunded,starter_pack,60,30,EUR,3.92',
      'refund,succeeded,starter_pack,,,EUR,-0.98',
      '',
    ]);
    expect((await historyOf(product, eve)).purchases).toEqual([]);
  });

  test('whose events are lost is found by the thank-you page, and credited once if they arrive after all', async () => {
    const buyer = await product.createAccount();
    const session = await beginAtStripe(buyer);
    standIn.deliveries.plan = () => ({ copies: 0 });
    const events = standIn.pay(session);
    standIn.deliveries.plan = null;
    expect((await ask(product, buyer, 'GET', `/checkout/${session}`)).body).toMatchObject({
      state: 'paid',
    });
    expect(await balanceOf(product, buyer)).toEqual([70, 35]);
    for (const event of events) await standIn.deliveries.send(event);
    expect(await balanceOf(product, buyer)).toEqual([70, 35]);
  });

  test('paid by a delayed method waits for the money', async () => {
    const [came, failed] = [await product.createAccount(), await product.createAccount()];
    for (const [buyer, outcome, end] of [
      [came, 'succeeded', [70, 35]],
      [failed, 'failed', [10, 5]],
    ] as const) {
      const session = await beginAtStripe(buyer);
      standIn.payLater(session);
      await standIn.deliveries.settled();
      expect(await balanceOf(product, buyer)).toEqual([10, 5]);
      expect((await historyOf(product, buyer)).purchases).toMatchObject([{ state: 'processing' }]);
      standIn.finishPayment(session, outcome);
      await standIn.deliveries.settled();
      expect(await balanceOf(product, buyer)).toEqual(end);
    }
  });

  test('while Stripe is down reports that, and nothing is sold', async () => {
    standIn.faults.push({ kind: 'refuse', path: '/v1/checkout', times: 10 });
    const answer = await begin(product, ada, { bundle_type: 'starter_pack', country_code: 'FR' });
    standIn.faults.length = 0;
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([
      503,
      'PAYMENT_UNAVAILABLE',
      'Payments are not available right now. Nothing was charged. Please try again in a few minutes.',
    ]);
    // the operator is told, until a checkout succeeds again
    const readOutage = async () =>
      /inkproof_part_away\{part="payments"\} (\d)/.exec(
        await (await fetch(new URL('/metrics', product.address))).text(),
      )?.[1];
    expect(await readOutage()).toBe('1');
    await beginAtStripe(ada);
    expect(await readOutage()).toBe('0');
  });

  test('whose first answer is lost is the same checkout when repeated', async () => {
    const buyer = await product.createAccount();
    standIn.faults.push({ kind: 'lose-answer', path: '/v1/checkout', times: 1 });
    const session = await beginAtStripe(buyer);
    const own = standIn.account
      .all('checkout.session')
      .filter((one) => (one as unknown as Record<string, unknown>).client_reference_id === buyer.id);
    expect(own.map(({ id }) => id)).toEqual([session]);
  });

  test('has no local page as well', async () => {
    const answer = await fetch(`${product.address}/local-checkout/cs_local_${'0'.repeat(48)}`);
    expect(answer.status).not.toBe(200);
  });
});

describe('an event without a current signature by Stripe for us', () => {
  const body = () => JSON.stringify({ ...event(), id: `evt_forged_${Math.random()}` });
  const event = () => ({
    object: 'event',
    type: 'checkout.session.completed',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: { object: { object: 'checkout.session', id: 'cs_forged' } },
  });
  const sign = (payload: string, change: { secret?: string; timestamp?: number; scheme?: string } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret: standIn.webhookSecret, ...change });
  const now = () => Math.floor(Date.now() / 1000);

  const forgeries: [string, (payload: string) => { payload?: string; signature: string | null }][] = [
    ['no signature', () => ({ signature: null })],
    ['garbage', () => ({ signature: 't=now,v1=yes' })],
    ['another secret', (payload) => ({ signature: sign(payload, { secret: 'whsec_of_somebody_else' }) })],
    ['too long ago', (payload) => ({ signature: sign(payload, { timestamp: now() - 302 }) })],
    ['from the future', (payload) => ({ signature: sign(payload, { timestamp: now() + 330 }) })],
    [
      'changed after signing',
      (payload) => ({ payload: payload.replace('cs_forged', 'cs_other'), signature: sign(payload) }),
    ],
    ['of the scheme for tests alone', (payload) => ({ signature: sign(payload, { scheme: 'v0' }) })],
    ['the signature of another event', () => ({ signature: sign(body()) })],
    ['an empty signature', () => ({ signature: '' })],
    ['signed without a time', (payload) => ({ signature: sign(payload).replace(/t=\d+,/, '') })],
  ];

  const post = (payload: string, signature: string | null) =>
    fetch(`${product.address}/api/v1/stripe/webhook`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        // an event refused before it is read ends its connection: the next one uses another
        Connection: 'close',
        ...(signature === null ? {} : { 'Stripe-Signature': signature }),
      },
      body: payload,
    });

  test.each(forgeries)('is rejected: %s', async (_, forge) => {
    const payload = body();
    const forged = forge(payload);
    const before = await product.sql('SELECT count(*) FROM private.stripe_events');
    const answer = await post(forged.payload ?? payload, forged.signature);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'INVALID_INPUT']);
    expect(await product.sql('SELECT count(*) FROM private.stripe_events')).toEqual(before);
  });

  test('and the same bytes, signed, are accepted, whatever their origin', async () => {
    const payload = body();
    expect((await post(payload, sign(payload))).status).toBe(200);
    expect((await post(payload, sign(payload, { timestamp: now() - 290 }))).status).toBe(200);
  });

  test('an oversized event is rejected while it arrives', async () => {
    const payload = JSON.stringify({ ...event(), padding: 'x'.repeat(1_100_000) });
    expect((await post(payload, sign(payload))).status).toBe(400);
  });

  const refund = {
    object: 'refund',
    id: 're_1',
    amount: 100,
    currency: 'eur',
    status: 'succeeded',
    created: 1,
  };
  test.each<[string, Record<string, unknown>]>([
    ['no object', { data: { object: null } }],
    ['no data', { data: null }],
    ['no data of a type that has no effect', { type: 'customer.created', data: {} }],
    ['an object without an id', { data: { object: { object: 'checkout.session' } } }],
    ['no time', { created: null }],
    ['a type that is none', { type: 7 }],
    ['a refund of no amount', { type: 'refund.created', data: { object: { ...refund, amount: null } } }],
    ['a refund of no currency', { type: 'refund.created', data: { object: { ...refund, currency: null } } }],
    ['a refund of no time', { type: 'refund.created', data: { object: { ...refund, created: 'now' } } }],
    [
      'a payment that is no reference',
      { type: 'refund.created', data: { object: { ...refund, payment_intent: 7 } } },
    ],
  ])('signed, but with %s: rejected, and nothing is stored', async (_, change) => {
    const id = `evt_odd_${Math.random()}`;
    const payload = JSON.stringify({ ...event(), id, ...change });
    const answer = await post(payload, sign(payload));
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'INVALID_INPUT']);
    expect(await product.sql('SELECT 1 FROM private.stripe_events WHERE id = $1', [id])).toEqual([]);
  });

  test('unknown types are accepted without an effect', async () => {
    const payload = JSON.stringify({ ...event(), id: 'evt_unknown', type: 'customer.created' });
    expect((await post(payload, sign(payload))).status).toBe(200);
    expect(await product.sql("SELECT outcome FROM private.stripe_events WHERE id = 'evt_unknown'")).toEqual([
      { outcome: 'ignored' },
    ]);
  });
});
