/** The local checkout page over HTTP, used as by a browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type IdentityServer,
  startIdentityServer,
  type TestAccount,
} from '../../../../test-support/product/identity.ts';
import { ask, balanceOf, begin, historyOf } from '../testing/buy.ts';

let local: IdentityServer;

beforeAll(async () => {
  local = await startIdentityServer();
});
afterAll(() => local?.close());

/** Submits the form and follows the redirect by hand. */
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

test('shows test mode, runs no script and sends forms only to itself', async () => {
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

test('a code takes a fifth off, an invalid one is rejected, a declined card can be retried, and paying credits', async () => {
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
  // pressing the button again, and loading the page again
  expect((await press(url, 'pay')).status).toBe(200);
  expect(await (await fetch(url)).text()).toContain('This has been paid');
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
    expect((await ask(local, buyer, 'GET', `/checkout/${session}`)).body).toMatchObject({
      state: 'processing',
    });
    expect((await press(url, action)).status).toBe(303);
    expect((await ask(local, buyer, 'GET', `/checkout/${session}`)).body).toMatchObject({ state });
    expect(await balanceOf(local, buyer)).toEqual(end);
  }
});

test('cannot be opened without its id, and accepts no form from another site', async () => {
  const { url } = await open(await local.createAccount());
  const guessed = url.replace(/[0-9a-f]{8}$/, '00000000');
  expect((await press(guessed, 'pay')).status).toBe(404);
  expect((await press(url, 'pay', '', { Origin: 'https://elsewhere.example' })).status).toBe(400);
  expect(await (await fetch(url)).text()).toContain('Pay £4.90');
});

test('credits owed are mentioned before a new bundle is bought', async () => {
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
