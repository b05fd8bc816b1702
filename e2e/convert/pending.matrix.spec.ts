/** A requested conversion that survives other ways of signing in. */
import type { Browser } from '@playwright/test';
import { createAccount, followMail, makeAddress, openBrowser, visitor } from '../support/product/accounts.ts';
import { authDialog, fillDialog, submit, userMenu } from '../support/screens/dialog.ts';
import { convertButton, expect, putDown, test } from '../support/test.ts';

const document = 'pdf/probability-table.pdf';

test.use(visitor);

/** A visitor who wants to convert and signs up for it; the mail's link is not opened yet. */
async function signUpToConvert(browser: Browser) {
  const email = makeAddress();
  const context = await openBrowser(browser, null);
  const page = await context.newPage();
  await putDown(page, document);
  await convertButton(page).click();
  await fillDialog(page, 'Sign Up', email);
  return { context, page, email };
}

test('after signing in with Google, which leaves the page and comes back', async ({ page }) => {
  await putDown(page, 'scans/probability-table+grammaire-subjonctif-image-only.pdf');
  await page.getByLabel('to', { exact: true }).fill('1');
  await page.getByLabel('to', { exact: true }).press('Enter');
  await expect(convertButton(page)).toHaveText('Convert 1 page');
  await convertButton(page).click();
  await submit(page, 'Continue with Google').click();
  await expect(userMenu(page)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
  await expect(page.getByRole('button', { name: /^Page \d/ })).toHaveCount(1);
});

test('after signing up with a link that opens in another tab', async ({ browser }) => {
  const { context, page, email } = await signUpToConvert(browser);
  await expect(authDialog(page)).toHaveCount(0);
  const mail = await context.newPage();
  await mail.goto(await followMail(email, 'signup'));
  await expect(mail.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
  // one conversion, not one in each tab
  await mail.getByRole('link', { name: 'Start converting' }).click();
  await expect(mail.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
  await context.close();
});

test('with the first tab closed, the confirming tab continues', async ({ browser }) => {
  const { context, page, email } = await signUpToConvert(browser);
  await expect(authDialog(page)).toContainText('Please check your email to confirm your account.');
  await page.close();
  const mail = await context.newPage();
  await mail.goto(await followMail(email, 'signup'));
  await mail.getByRole('link', { name: 'Start converting' }).click();
  await expect(mail.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
  await context.close();
});

test('closing the dialog drops the pending conversion, not the pages', async ({ page }) => {
  const email = await createAccount();
  await putDown(page, document);
  await convertButton(page).click();
  await expect(authDialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(authDialog(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Login' }).click();
  await fillDialog(page, 'Log In', email);
  await expect(userMenu(page)).toBeVisible();
  await expect(convertButton(page)).toHaveText('Convert 1 page');
});
