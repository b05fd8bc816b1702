/**
 * Section 8: how the browser reports errors, and their codes over HTTP. Errors that a flow can provoke are in
 * that flow.
 */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import {
  createAccount,
  followMail,
  main,
  makeAddress,
  openBrowser,
  signIn,
} from '../support/product/accounts.ts';
import { callIdentity, readIdentity } from '../support/product/caller.ts';
import { convertButton, fixture } from '../support/test.ts';

test.describe('refused by the server', () => {
  let context: BrowserContext;
  let page: Page;
  test.beforeAll(async ({ browser }) => {
    context = await openBrowser(browser, await createAccount());
    page = await context.newPage();
    await page.goto('/convert');
    await page.getByLabel('Choose files').setInputFiles(fixture('pdf/probability-table.pdf'));
  });
  test.afterAll(() => context.close());

  /** Converts with a fixed server response. @returns the message shown */
  async function convertInto(status: number, error: object) {
    await page.route('**/api/v1/process', (route) => route.fulfill({ status, json: error }), { times: 1 });
    await convertButton(page).click();
    return page.getByRole('alert');
  }

  test('§8 COPYRIGHT_DETECTED', async () => {
    const alert = await convertInto(451, { code: 'COPYRIGHT_DETECTED', error: 'x', source: 'user' });
    await expect(alert).toHaveText(
      'We detected copyrighted material. Ensure you have the rights or try a different file.',
    );
  });

  test('§8 COMPILATION_TIMEOUT, of the user', async () => {
    const alert = await convertInto(408, { code: 'COMPILATION_TIMEOUT', error: 'x', source: 'user' });
    await expect(alert).toHaveText(
      'Your LaTeX compilation is taking longer than expected. You can view and edit the code in the LaTeX tab to optimise it.',
    );
  });

  test('§8 COMPILATION_TIMEOUT, of the server', async () => {
    const alert = await convertInto(408, { code: 'COMPILATION_TIMEOUT', error: 'x', source: 'server' });
    await expect(alert).toHaveText(
      'Our servers are currently experiencing high volume. Compilation timed out – please try again shortly.',
    );
  });

  test('a sentence that names the address to write to has it [§8 DOCUMENT_LIMIT_EXCEEDED]', async () => {
    const alert = await convertInto(403, { code: 'DOCUMENT_LIMIT_EXCEEDED', error: 'x', source: 'user' });
    await expect(alert).toContainText('contact us at support@inkproof.example for more storage.');
  });

  test('§8 GENERATION_FAILED', async () => {
    const alert = await convertInto(502, { code: 'GENERATION_FAILED', error: 'x', source: 'server' });
    await expect(alert).toHaveText('We had trouble processing your document. Please retry.');
  });

  test('§8 Default: the server’s text', async () => {
    const error = { code: 'BUSY', error: 'Come back in a minute.', source: 'server' };
    await expect(await convertInto(503, error)).toHaveText('Come back in a minute.');
    // whatever the code is, and whatever else is missing
    const unknown = { code: 'FULL_MOON', error: 'Not before the new moon.' };
    await expect(await convertInto(409, unknown)).toHaveText('Not before the new moon.');
    await expect(await convertInto(200, { error: 'Said with a 200.' })).toHaveText('Said with a 200.');
  });

  test('§8 Default: Unexpected error occurred.', async () => {
    const error = { code: 'UNEXPECTED', error: '', source: 'server' };
    await expect(await convertInto(500, error)).toHaveText('Unexpected error occurred.');
  });

  test('§3 Converter: error, errorObj, warnings; §4 Conversion: failure brings an error with warnings', async () => {
    const alert = await convertInto(502, {
      code: 'GENERATION_FAILED',
      error: 'x',
      source: 'server',
      warnings: [{ code: 'PAGE_FAILED', message: 'Page 1 could not be read.', page: 1 }],
    });
    await expect(alert).toContainText('We had trouble processing your document. Please retry.');
    await expect(alert).toContainText('Page 1 could not be read.');
    await expect(convertButton(page)).toBeEnabled();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
  });
});

test('§8 Auth session missing!', async ({ browser }) => {
  const email = await createAccount();
  await callIdentity('/recover', { email });
  const context = await openBrowser(browser, null);
  const page = await context.newPage();
  await page.goto(await followMail(email, 'recovery'));
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('inkproof-auth'));
  for (const label of ['New password', 'New password again'])
    await page.getByLabel(label, { exact: true }).fill('ink on paper dries slowly');
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await expect(page.getByRole('alert')).toHaveText('Auth session missing!');
  await context.close();
});

test('§8 weak_password, session_not_found, invalid_jwt', async () => {
  const weak = await callIdentity('/signup', { email: makeAddress(), password: 'short' });
  expect([weak.status, (await weak.json()).code]).toEqual([422, 'weak_password']);

  const { url, anonKey } = await readIdentity();
  const { access_token: token } = await signIn(main, await createAccount());
  const headers = { apikey: anonKey, Authorization: `Bearer ${token}` };
  await fetch(`${url}/auth/v1/logout?scope=global`, { method: 'POST', headers });
  const ended = await fetch(`${url}/auth/v1/user`, { headers });
  expect([ended.status, (await ended.json()).code]).toEqual([403, 'session_not_found']);

  // produced by the client library, before any request
  const client = createClient(url, anonKey, { auth: { autoRefreshToken: false, persistSession: false } });
  const { error } = await client.auth.getClaims('no.token.atall');
  expect(error).toMatchObject({ code: 'invalid_jwt' });
});
