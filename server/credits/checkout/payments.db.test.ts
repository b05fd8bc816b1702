/** Buying over HTTP: at a Stripe that its own SDK talks to, and at the local checkout page. */
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BillingHistory } from '#shared/api/billing.ts';
import {
  type IdentityServer,
  sessionOf,
  startIdentityServer,
  type TestAccount,
} from '../../../test-support/identity.ts';
import { type StripeStandIn, startStripeStandIn } from '../../../test-support/stripe-stand-in.ts';

let standIn: StripeStandIn;
let product: IdentityServer;
let ada: TestAccount;
let eve: TestAccount;

interface Answer {
  status: number;
  body: Record<string, unknown>;
  text: string;
}

async function ask(
  server: IdentityServer,
  account: TestAccount | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(new URL(path, server.address), {
    method,
    headers: {
      ...(account ? { Authorization: `Bearer ${sessionOf(account.client).access_token}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {}, text };
}

const begin = (server: IdentityServer, account: TestAccount | null, body: unknown) =>
  ask(server, account, 'POST', '/api/v1/create-checkout-session', body);

async function balanceOf(server: IdentityServer, { id }: TestAccount): Promise<[number, number]> {
  const [row] = await server.sql<{ pages: number; chats: number }>(
    'SELECT conversion_credits AS pages, assistant_credits AS chats FROM user_credits WHERE user_id = $1',
    [id],
  );
  return [row!.pages, row!.chats];
}

const historyOf = async (server: IdentityServer, account: TestAccount) =>
  (await ask(server, account, 'GET', '/api/v1/billing')).body as unknown as BillingHistory;

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
  test('asks for what the server sells, whatever else the browser sends', async () => {
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
  ])('is refused for %s', async (_, body) => {
    const answer = await begin(product, ada, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('is not for visitors', async () => {
    const answer = await begin(product, null, { bundle_type: 'starter_pack', country_code: 'FR' });
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('paid, brings its credits once, with receipt and history; another account sees nothing of it', async () => {
    const buyer = await product.createAccount();
    const session = await beginAtStripe(buyer);
    expect((await ask(product, buyer, 'GET', `/api/v1/checkout/${session}`)).body).toEqual({
      state: 'open',
      bundle: 'starter_pack',
      credits: null,
    });
    standIn.deliveries.plan = () => ({ copies: 3 });
    standIn.pay(session, { promotionCode: 'STUDENT20' });
    await standIn.deliveries.settled();
    standIn.deliveries.plan = null;
    expect(await balanceOf(product, buyer)).toEqual([70, 35]);
    expect((await ask(product, buyer, 'GET', `/api/v1/checkout/${session}`)).body).toEqual({
      state: 'paid',
      bundle: 'starter_pack',
      credits: { conversion: 60, assistant: 30 },
    });
    expect((await ask(product, eve, 'GET', `/api/v1/checkout/${session}`)).status).toBe(404);

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
    const csv = (await ask(product, buyer, 'GET', '/api/v1/billing.csv')).text;
    expect(csv.split('\r\n').map((line) => line.split(',').slice(1, 8).join(','))).toEqual([
      'kind,state,bundle,pages,ai_conversations,currency,amount',
      'purchase,partly_refunded,starter_pack,60,30,EUR,3.92',
      'refund,succeeded,starter_pack,,,EUR,-0.98',
      '',
    ]);
    expect((await historyOf(product, eve)).purchases).toEqual([]);
  });

  test('whose events are all lost is found by the thank-you page, and credited once when they come after all', async () => {
    const buyer = await product.createAccount();
    const session = await beginAtStripe(buyer);
    standIn.deliveries.plan = () => ({ copies: 0 });
    const events = standIn.pay(session);
    standIn.deliveries.plan = null;
    expect((await ask(product, buyer, 'GET', `/api/v1/checkout/${session}`)).body).toMatchObject({
      state: 'paid',
    });
    expect(await balanceOf(product, buyer)).toEqual([70, 35]);
    for (const event of events) await standIn.deliveries.send(event);
    expect(await balanceOf(product, buyer)).toEqual([70, 35]);
  });

  test('paid by a slow method waits for the money', async () => {
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

  test('while Stripe is down is told so, and nothing is sold', async () => {
    standIn.faults.push({ kind: 'refuse', path: '/v1/checkout', times: 10 });
    const answer = await begin(product, ada, { bundle_type: 'starter_pack', country_code: 'FR' });
    standIn.faults.length = 0;
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([
      503,
      'PAYMENT_UNAVAILABLE',
      'Payments are not available right now. Nothing was charged. Please try again in a few minutes.',
    ]);
  });

  test('whose first answer is lost is the same checkout when asked again', async () => {
    const buyer = await product.createAccount();
    standIn.faults.push({ kind: 'lose-answer', path: '/v1/checkout', times: 1 });
    const session = await beginAtStripe(buyer);
    const own = standIn.account
      .all('checkout.session')
      .filter((one) => (one as unknown as Record<string, unknown>).client_reference_id === buyer.id);
    expect(own.map(({ id }) => id)).toEqual([session]);
  });

  test('has no local page beside it', async () => {
    const answer = await fetch(`${product.address}/local-checkout/cs_local_${'0'.repeat(48)}`);
    expect(answer.status).not.toBe(200);
  });
});

describe('an event that Stripe has not signed for us, now', () => {
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
        ...(signature === null ? {} : { 'Stripe-Signature': signature }),
      },
      body: payload,
    });

  test.each(forgeries)('is refused: %s', async (_, forge) => {
    const payload = body();
    const forged = forge(payload);
    const before = await product.sql('SELECT count(*) FROM private.stripe_events');
    const answer = await post(forged.payload ?? payload, forged.signature);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'INVALID_INPUT']);
    expect(await product.sql('SELECT count(*) FROM private.stripe_events')).toEqual(before);
  });

  test('and the same bytes, signed, are taken: from a page of another site too, whatever its origin', async () => {
    const payload = body();
    expect((await post(payload, sign(payload))).status).toBe(200);
    expect((await post(payload, sign(payload, { timestamp: now() - 290 }))).status).toBe(200);
  });

  test('an event as long as none is refused while it arrives', async () => {
    const payload = JSON.stringify({ ...event(), padding: 'x'.repeat(1_100_000) });
    expect((await post(payload, sign(payload))).status).toBe(400);
  });

  test('types that are not known are taken without an effect', async () => {
    const payload = JSON.stringify({ ...event(), id: 'evt_unknown', type: 'customer.created' });
    expect((await post(payload, sign(payload))).status).toBe(200);
    expect(await product.sql("SELECT outcome FROM private.stripe_events WHERE id = 'evt_unknown'")).toEqual([
      { outcome: 'ignored' },
    ]);
  });
});

describe('the local checkout, without a key of Stripe', () => {
  let local: IdentityServer;

  beforeAll(async () => {
    local = await startIdentityServer();
  });
  afterAll(() => local?.close());

  /** As the browser does: a form, and the redirect followed by hand. */
  async function press(url: string, action: string, code = '', headers: Record<string, string> = {}) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ action, promotion_code: code }).toString(),
      redirect: 'manual',
    });
    return {
      status: response.status,
      location: response.headers.get('Location'),
      html: await response.text(),
    };
  }

  async function open(account: TestAccount): Promise<{ url: string; session: string }> {
    const { body } = await begin(local, account, { bundle_type: 'starter_pack', country_code: 'GB' });
    const url = String(body.url);
    return { url, session: url.split('/').at(-1)! };
  }

  test('says that it is test mode, runs no script and sends forms to itself alone', async () => {
    const { url } = await open(await local.createAccount());
    const page = await fetch(url);
    expect(page.status).toBe(200);
    const policy = page.headers.get('Content-Security-Policy');
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self' /,
    );
    const html = await page.text();
    expect(html).toContain('Test mode — no money moves');
    expect(html).toContain('£4.90');
    expect(html).not.toMatch(/<script/);
  });

  test('a code takes a fifth off, an invented one is refused, a declined card can be tried again, and paying credits', async () => {
    const buyer = await local.createAccount();
    const { url, session } = await open(buyer);
    expect((await press(url, 'apply', 'student20')).html).toContain('£3.92');
    expect(await press(url, 'pay', 'FREE100')).toMatchObject({
      status: 400,
      html: expect.stringContaining('This promotion code is invalid.'),
    });
    expect(await press(url, 'decline')).toMatchObject({
      status: 402,
      html: expect.stringContaining('Your card was declined.'),
    });
    expect(await balanceOf(local, buyer)).toEqual([10, 5]);
    const paid = await press(url, 'pay', 'STUDENT20');
    expect([paid.status, paid.location]).toEqual([
      303,
      expect.stringMatching(new RegExp(`/payment-success\\?session_id=${session}$`)),
    ]);
    expect(await balanceOf(local, buyer)).toEqual([70, 35]);
    // the button again, and the page again
    expect((await press(url, 'pay')).status).toBe(200);
    expect(await (await fetch(url)).text()).toContain('This is paid');
    expect(await balanceOf(local, buyer)).toEqual([70, 35]);
    expect((await historyOf(local, buyer)).purchases).toMatchObject([
      { state: 'paid', currency: 'gbp', amount: 392, is_test: true, receipt_url: null },
    ]);
  });

  test('a slow payment ends as the page says', async () => {
    for (const [action, end, state] of [
      ['money-came', [70, 35], 'paid'],
      ['money-failed', [10, 5], 'failed'],
    ] as const) {
      const buyer = await local.createAccount();
      const { url, session } = await open(buyer);
      expect((await press(url, 'pay-later', 'STUDENT20')).status).toBe(303);
      expect((await ask(local, buyer, 'GET', `/api/v1/checkout/${session}`)).body).toMatchObject({
        state: 'processing',
      });
      expect((await press(url, action)).status).toBe(303);
      expect((await ask(local, buyer, 'GET', `/api/v1/checkout/${session}`)).body).toMatchObject({ state });
      expect(await balanceOf(local, buyer)).toEqual(end);
    }
  });

  test('is nobody’s who does not know its id, and takes no form from another site', async () => {
    const { url } = await open(await local.createAccount());
    const guessed = url.replace(/[0-9a-f]{8}$/, '00000000');
    expect((await press(guessed, 'pay')).status).toBe(404);
    expect((await press(url, 'pay', '', { Origin: 'https://elsewhere.example' })).status).toBe(400);
    expect(await (await fetch(url)).text()).toContain('Pay £4.90');
  });

  test('what owes is said before a new bundle is bought', async () => {
    const buyer = await local.createAccount();
    const { url } = await open(buyer);
    await press(url, 'pay');
    await local.sql(
      "SELECT private.post_credit_entry($1, 'adjustment', -70, 0, '{}', gen_random_uuid()::text)",
      [buyer.id],
    );
    await local.sql(
      `INSERT INTO private.payment_refunds (id, payment_intent, amount, currency, state, created_at)
       SELECT 're_x', payment_intent, 490, 'gbp', 'succeeded', now() FROM private.purchases WHERE user_id = $1 AND state = 'paid'`,
      [buyer.id],
    );
    const next = await open(buyer);
    expect(await (await fetch(next.url)).text()).toContain(
      '60 pages and 30 AI conversations of this bundle replace credits of an earlier purchase',
    );
  });
});
