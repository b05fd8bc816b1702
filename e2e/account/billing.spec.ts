/**
 * Money: prices, the checkout in test mode (whose page sends the same signed events as Stripe would), the
 * thank-you page, the history, credits in the converter, and the page total. Only the country is faked by the
 * tests.
 */
import { readFileSync } from 'node:fs';
import { makePdf } from '../support/make-pdf.ts';
import { createAccount, password, visitor } from '../support/product/accounts.ts';
import {
  answerCountry,
  beginCheckout,
  card,
  expectBalances,
  signInAsNewUser,
} from '../support/screens/billing.ts';
import { convertButton, expect, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

test.describe('buying', () => {
  test('a visitor logs in to purchase, goes on to the payment page, and gets the credits [§2 /payment-success: thanks, both new balances, Go to Converter; §4 Payment: the checkout is begun, the browser goes to its url; §6 Visitor: Login to purchase opens the login]', async ({
    page,
  }) => {
    const email = await createAccount();
    await page.goto('/pricing');
    await card(page, 'Starter').getByRole('button', { name: 'Login to purchase' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Log in or sign up to buy Starter.', { exact: false })).toBeVisible();
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Log In' }).click();

    await expect(page.getByRole('heading', { name: 'Pay €4.90' })).toBeVisible();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expect(page.getByText('60 pages and 30 AI conversations have been added.')).toBeVisible();
    await expectBalances(page, 70, 35);
    await page.getByRole('button', { name: 'Your account' }).click();
    await expect(page.getByRole('menu').getByText('70 pages, 35 AI conversations')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Go to Converter' }).click();
    await expect(page).toHaveURL(/\/convert$/);
  });

  test('cancelled: nothing is charged, and there is a way back [§2 /payment-cancelled: message, Back to Pricing, contact; §6 User: Get it! buys]', async ({
    page,
  }) => {
    await signInAsNewUser(page);
    await beginCheckout(page, 'Starter');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'The payment was cancelled' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Contact us' })).toHaveAttribute(
      'href',
      /^(mailto:.+@.+|\/contact)$/,
    );
    await page.getByRole('link', { name: 'Back to Pricing' }).click();
    await expect(card(page, 'Starter').getByRole('button', { name: 'Get it!' })).toBeEnabled();
    await page.goto('/billing_history');
    await expect(page.getByText('You have 10 pages and 5 AI conversations.')).toBeVisible();
    await expect(page.getByText('No purchases yet')).toBeVisible();
  });

  test('a student pays a fifth less; the history shows it, and exports it as CSV [§2 /billing_history; §5 STUDENT20: 20 % off any bundle; §7 Documents, folders, search, billing history: calls of our own; §9 Student code 20 % off]', async ({
    page,
  }) => {
    await signInAsNewUser(page);
    await answerCountry(page, 'GB');
    await beginCheckout(page, 'Starter');
    await page.getByLabel('Promotion code').fill('student20');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('heading', { name: 'Pay £3.92' })).toBeVisible();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Billing history' }).click();

    const purchases = page.getByRole('region', { name: 'Purchases' });
    const row = purchases.getByRole('listitem');
    await expect(row).toHaveCount(1);
    for (const text of [
      'Starter',
      'Paid',
      'Test mode',
      '60 pages and 30 AI conversations',
      '£3.92',
      '£0.98 off',
    ])
      await expect(row.getByText(text, { exact: true })).toBeVisible();
    const download = page.waitForEvent('download');
    await purchases.getByRole('button', { name: 'Download as CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^inkproof-billing-\d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('3.92');
  });
});

test.describe('credits in the converter', () => {
  test.describe('not enough', () => {
    test.use({ allowRefusals: true });

    test('too few page credits: how many are missing, the bundles, and the pages back in place after the purchase [§8 INSUFFICIENT_CREDITS]', async ({
      page,
    }) => {
      await signInAsNewUser(page);
      // an outdated balance: only the server knows that it is too low
      await page.route('**/rest/v1/user_credits*', (route) =>
        route.fulfill({ json: { conversion_credits: 100, assistant_credits: 5, document_limit: 200 } }),
      );
      await page.goto('/convert');
      await page.getByLabel('Choose files').setInputFiles(await makePdf(12));
      await expect(page.getByText('Uses 12 pages of your 100.')).toBeVisible();
      await page.unroute('**/rest/v1/user_credits*');
      const dialog = page.getByRole('dialog', { name: 'Not enough pages' });
      const missing = dialog.getByText('This takes 12 pages; you have 10. 2 more are needed.');
      await convertButton(page).click();
      await expect(missing).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
      await page.keyboard.press('Escape');
      // from now on this page knows it too
      await expect(page.getByText('Needs 12 pages; you have 10.')).toBeVisible();
      await convertButton(page).click();
      await expect(missing).toBeVisible();
      expect(await listAxeViolations(page)).toEqual([]);
      await dialog.getByRole('listitem').filter({ hasText: 'Starter' }).getByRole('button').click();
      await page.getByRole('button', { name: 'Pay', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
      await page.getByRole('link', { name: 'Go to Converter' }).click();
      await expect(page.getByText('Uses 12 pages of your 70.')).toBeVisible();
      // nothing has started by itself
      await expect(convertButton(page)).toHaveText('Convert 12 pages');
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
    });
  });
});
