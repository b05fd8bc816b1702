/** Pages on one origin, the API on another: the most common actions, with a separate account or a Google account. */
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { createAccount, elsewhere, storageOf, visitor } from '../support/product/accounts.ts';
import { convert, convertButton, editor, expect, pdfText, putDown, test } from '../support/test.ts';

test.use({ baseURL: elsewhere.url });

test('the API on another origin: convert, compile, watermark, cancel, dismiss [§7 The API on a host of its own; §7 POST /api/v1/process: bearer token, credentials]', async ({
  page,
  context,
}) => {
  // cookies set by the API in this browser are sent along
  await context.addCookies([{ name: 'of-the-api', value: 'yes', url: elsewhere.apiUrl }]);
  const sent = page.waitForRequest((request) => request.url() === `${elsewhere.apiUrl}/api/v1/process`);
  const hosts = new Set<string>();
  page.on('request', (request) => {
    const { pathname, origin } = new URL(request.url());
    if (pathname.startsWith('/api/')) hosts.add(origin);
  });
  await putDown(page, 'pdf/probability-table.pdf');
  await convert(page);
  const headers = await (await sent).allHeaders();
  expect(headers.cookie).toContain('of-the-api=yes');
  expect(headers.authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
  await expect(pdfText(page)).toContainText('summary of common distributions');
  await expect(page.getByRole('region', { name: 'Ink' }).locator('img')).toBeVisible();

  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('% compiled from another origin\n');
  const compiled = page.waitForResponse(
    (response) => response.url() === `${elsewhere.apiUrl}/api/v1/compile`,
  );
  await page.getByRole('button', { name: 'Compile' }).click();
  expect((await compiled).status()).toBe(200);

  await page.getByRole('tab', { name: 'PDF' }).click();
  await page.getByRole('button', { name: 'Watermark', exact: true }).click();
  await page.getByLabel('Watermark text').fill('ELSEWHERE');
  await page.getByRole('button', { name: 'Add to every page' }).click();
  await expect(pdfText(page)).toContainText('ELSEWHERE');

  await page.reload();
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const dismissed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete this result' }).click();
  expect((await dismissed).status()).toBe(204);
  expect([...hosts]).toEqual([elsewhere.apiUrl]);

  await putDown(page, 'scans/probability-table+grammaire-subjonctif-image-only.pdf');
  await convertButton(page).click();
  await expect(page.getByRole('button', { name: /^Page 1, (being read|read)/ })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(convertButton(page)).toHaveText('Convert 3 pages');
});

test.describe('signed out', () => {
  test.use(visitor);

  test('the total is read, prices are shown, and the checkout goes out and back', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('[data-count="digits"]')).toHaveText(/^[\d,]+$/);
    const { localStorage: items } = await storageOf(elsewhere, await createAccount({ address: elsewhere }));
    await page.evaluate((all) => {
      for (const { name, value } of all) localStorage.setItem(name, value);
    }, items);
    await page.goto('/pricing');
    const starter = page.getByRole('region', { name: 'Starter', exact: true });
    await starter.getByRole('button', { name: 'Get it!' }).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`^${elsewhere.url}/payment-success`));
    await expect(page.getByRole('definition').nth(0)).toHaveText('70');
    await expect(page.getByRole('definition').nth(2)).toHaveText('35');
  });

  test('a password by mail, an export, and signing in with Google again before deleting', async ({
    page,
  }) => {
    const section = (name: string) => page.getByRole('region', { name, exact: true });
    await page.goto('/account');
    await page.getByRole('main').getByRole('button', { name: 'Log In' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue with Google' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
    const profile = section('Profile');
    await expect(profile.getByText('Google', { exact: true })).toBeVisible();
    const email = (await profile.getByRole('definition').first().textContent()) ?? '';
    await section('Password').getByRole('button', { name: 'Send the link' }).click();
    await expect(section('Password').getByText('The e-mail is on its way.')).toBeVisible();
    await expect(section('Devices').getByText('This device')).toBeVisible();
    const download = page.waitForEvent('download');
    await section('Your data').getByRole('button', { name: 'Download the zip' }).click();
    expect(Object.keys(unzipSync(readFileSync(await (await download).path())))).toContain('account.json');

    await section('Your data').getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Continue with Google' }).click();
    await dialog.getByLabel(/^To confirm, type/).fill(email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(page.getByText('Your account has been deleted.')).toBeVisible();
    await expect(page).toHaveURL(`${elsewhere.url}/`);
  });
});
