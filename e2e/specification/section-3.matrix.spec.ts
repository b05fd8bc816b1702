/** Section 3: the fields of entities, as sent by the API. */
import { readFileSync } from 'node:fs';
import { expect, test as httpTest } from '@playwright/test';
import { createAccount, main, openBrowser, signIn, visitor } from '../support/product/accounts.ts';
import { type Caller, callApi, openCaller, readIdentity } from '../support/product/caller.ts';
import { expect as expectPage, fixture, test } from '../support/test.ts';

httpTest.describe('over HTTP', () => {
  let ada: Caller;
  httpTest.beforeAll(async () => {
    ada = await openCaller();
  });

  httpTest('§3 page_conversion_totals: id 1, net_pages', async () => {
    const { url, anonKey } = await readIdentity();
    const answer = await fetch(`${url}/rest/v1/page_conversion_totals?select=*`, {
      headers: { apikey: anonKey },
    });
    expect(await answer.json()).toEqual([expect.objectContaining({ id: 1, net_pages: expect.any(Number) })]);
  });

  httpTest('§3 user_credits: four fields, one row a user; §9 Document limit 200', async () => {
    await createAccount();
    const rows = await (await ada.read('user_credits?select=*')).json();
    expect(rows).toEqual([
      { user_id: ada.userId, conversion_credits: 10, assistant_credits: 5, document_limit: 200 },
    ]);
  });

  httpTest('§3 user_credits: a missing row is an error', async () => {
    const query = 'user_credits?select=conversion_credits&user_id=eq.00000000-0000-4000-8000-000000000000';
    const answer = await ada.read(query, { Accept: 'application/vnd.pgrst.object+json' });
    expect(answer.status).toBe(406);
    expect(await answer.json()).toMatchObject({ code: 'PGRST116' });
  });

  httpTest('§3 Session: user, access_token, refresh_token, expires_at', async () => {
    const before = Math.floor(Date.now() / 1000);
    const session = await signIn(main, ada.email);
    expect(session).toMatchObject({
      user: { id: ada.userId, email: ada.email },
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/./),
      token_type: 'bearer',
    });
    expect(session.expires_at).toBeGreaterThanOrEqual(before + 3600);
  });

  httpTest('§3 Error object: code, error, source, warnings', async () => {
    const refused = await callApi('POST', '/request-change', { latex: 'x', feedback: 'y' });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toEqual({
      code: 'UNAUTHORIZED',
      error: 'Your session expired. Please sign in again.',
      source: 'user',
    });
  });

  httpTest(
    '§3 Process response: latex, pdf_base64, warnings; §7 POST /api/v1/process: file, start_page, end_page',
    async () => {
      const form = new FormData();
      const pdf = readFileSync(fixture('pdf/calculus-limits-integrals.pdf'));
      form.set('file', new File([pdf], 'notes.pdf', { type: 'application/pdf' }));
      form.set('start_page', '3');
      form.set('end_page', '3');
      const answer = await ada.call('POST', '/process', form);
      const result = await answer.json();
      expect(result).toMatchObject({
        latex: expect.stringMatching(/\\documentclass[\s\S]*Partial fractions[\s\S]*\\end\{document\}/),
        warnings: expect.any(Array),
      });
      // nothing from the neighbouring pages
      expect(result.latex).not.toMatch(/Limits worth remembering|A function defined by cases|Homework/);
      expect(Buffer.from(result.pdf_base64, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    },
  );

  httpTest(
    '§3 Process response: error; §7 POST /api/v1/process: LaTeX, PDF and warnings, or an error',
    async () => {
      const form = new FormData();
      form.set('file', new File(['no PDF at all'], 'notes.pdf', { type: 'application/pdf' }));
      const answer = await ada.call('POST', '/process', form);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        code: 'INVALID_INPUT',
        error: expect.stringMatching(/notes\.pdf/),
        source: 'user',
      });
    },
  );

  httpTest(
    '§3 Checkout response: url; §5 STUDENT20: 20 % off any bundle; §7 POST /api/v1/create-checkout-session: a url',
    async () => {
      for (const [bundle_type, country_code, price, forStudents] of [
        ['starter_pack', 'GB', '£4.90', '£3.92'],
        ['starter_pack', 'FR', '€4.90', '€3.92'],
        ['power_bundle', 'GB', '£7.90', '£6.32'],
        ['power_bundle', 'FR', '€7.90', '€6.32'],
      ]) {
        const answer = await ada.call('POST', '/create-checkout-session', { bundle_type, country_code });
        expect(answer.status).toBe(200);
        const { url, ...rest } = await answer.json();
        expect(rest).toEqual({});
        expect(await (await fetch(url)).text()).toContain(`Pay ${price}`);
        const body = new URLSearchParams({ promotion_code: 'STUDENT20' });
        expect(await (await fetch(url, { method: 'POST', body })).text()).toContain(`Pay ${forStudents}`);
      }
      expect(
        (await callApi('POST', '/create-checkout-session', { bundle_type: 'power_bundle' })).status,
      ).toBe(401);
      expect((await ada.call('POST', '/create-checkout-session', { bundle_type: 'free' })).status).toBe(400);
    },
  );
});

test.describe('in the browser', () => {
  test.use({ ...visitor, allowRefusals: true });

  test('§3 document_limit: 200 where it is missing or cannot be read; §3 user_credits: a missing row is an error', async ({
    browser,
  }) => {
    const context = await openBrowser(browser, await createAccount());
    const page = await context.newPage();
    await page.route('**/rest/v1/user_credits*', (route) =>
      route.fulfill({ json: { conversion_credits: 1, assistant_credits: 1, document_limit: null } }),
    );
    await page.goto('/documents');
    await expectPage(page.getByText('0 of 200 documents').first()).toBeVisible();
    await page.route('**/rest/v1/user_credits*', (route) => route.abort());
    await page.reload();
    await expectPage(page.getByText('0 of 200 documents').first()).toBeVisible();
    // the row of an account that does not exist: the database's own refusal
    await page.route('**/rest/v1/user_credits*', (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/eq\.[\w-]+/, `eq.${crypto.randomUUID()}`),
      }),
    );
    await page.goto('/payment-success');
    await expectPage(page.getByRole('alert')).toContainText('Unable to fetch updated credit balance.');
    await expectPage(page.getByRole('definition')).toHaveCount(0);
    await context.close();
  });
});
