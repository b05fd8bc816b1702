import type { Page } from '@playwright/test';
import {
  createAccount,
  followMail,
  makeAddress,
  openBrowser,
  password,
  visitor,
} from '../support/product/accounts.ts';
import { codeOf, logIn, logOut, openAccount, section } from '../support/screens/account-page.ts';
import { expect, expectGoodLooks, test } from '../support/test.ts';

/** Adds an authenticator app. @returns its secret */
async function turnOnTwoFactor(page: Page): Promise<string> {
  const part = section(page, 'Two-factor');
  await part.getByRole('button', { name: 'Set up two-factor' }).click();
  const secret = ((await part.getByRole('code').textContent()) ?? '').replaceAll(' ', '');
  await part.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await part.getByRole('button', { name: 'Turn on two-factor' }).click();
  await part.getByRole('button', { name: 'I have saved them' }).click();
  await expect(part.getByText('Two-factor is on.')).toBeVisible();
  return secret;
}

test.use(visitor);

test.describe('errors', () => {
  test.use({ allowRefusals: true });

  test('with two-factor on, deleting the account also needs a code', async ({ page }) => {
    const email = await createAccount();
    await openAccount(page, email);
    const secret = await turnOnTwoFactor(page);
    await section(page, 'Your data').getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^To confirm, type/).fill(email);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    const code = dialog.getByLabel('Code from your authenticator app');
    await code.fill(codeOf(secret, -120));
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(code).toHaveAccessibleDescription(/This code is incorrect/);
    await code.fill(codeOf(secret, 1));
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(page.getByText('Your account has been deleted.')).toBeVisible();
  });

  test('changing the address: both addresses are asked to confirm, and only the latest request counts', async ({
    page,
  }) => {
    const email = await createAccount();
    await openAccount(page, email);
    const profile = section(page, 'Profile');
    await profile.getByRole('button', { name: 'Change address' }).click();
    const field = profile.getByLabel('New e-mail address');
    await expect(field).toBeFocused();
    await field.fill('ada');
    await field.press('Enter');
    await expect(field).toHaveAccessibleDescription(/Enter the whole address, like name@example.com/);

    const mistyped = makeAddress();
    await field.fill(mistyped);
    await field.press('Enter');
    await expect(profile.getByText(`Waiting for ${mistyped} to be confirmed`)).toBeVisible();
    await expect(profile.getByText(email, { exact: true })).toBeVisible();
    const outdated = await followMail(mistyped, 'email_change');

    const next = makeAddress();
    const opener = profile.getByRole('button', { name: 'Change address' });
    await expect(opener).toBeFocused();
    await opener.click();
    await field.fill(next);
    await field.press('Enter');
    await expect(profile.getByText(`Waiting for ${next} to be confirmed`)).toBeVisible();
    await expect(profile.getByText(mistyped)).toBeHidden();

    // the earlier link no longer works
    await page.goto(outdated);
    await expect(page.getByRole('heading', { name: 'This link has been used or has expired' })).toBeVisible();
    await page.goto(await followMail(next, 'email_change'));
    await expect(page.getByRole('heading', { name: 'One more click' })).toBeVisible();
    await page.goto(await followMail(email, 'email_change'));
    await expect(page.getByRole('heading', { name: 'Your address has been changed' })).toBeVisible();
    await page.goto('/account');
    await expect(profile.getByText(next, { exact: true })).toBeVisible();
    await expect(profile.getByText(/Waiting for/)).toBeHidden();
    await page.getByRole('button', { name: 'Your account' }).click();
    await expect(page.getByRole('menu').getByText(next)).toBeVisible();
  });

  test('changing the password: the current one is required, and other devices are signed out', async ({
    page,
    browser,
  }) => {
    const email = await createAccount();
    const otherBrowser = await openBrowser(browser, email);
    const other = await otherBrowser.newPage();
    await other.goto('/account');
    await expect(section(other, 'Profile').getByText(email)).toBeVisible();

    await openAccount(page, email);
    const part = section(page, 'Password');
    await part.getByRole('button', { name: 'Change password' }).click();
    const current = part.getByLabel('Current password', { exact: true });
    const next = part.getByLabel('New password', { exact: true });
    const again = part.getByLabel('New password again', { exact: true });
    const change = part.getByRole('button', { name: 'Change password' });
    await expect(current).toBeFocused();
    await current.fill('not this one');
    await next.fill('short');
    await change.click();
    await expect(next).toHaveAttribute('aria-invalid', 'true');
    await next.fill('print stays when ink dries');
    await expect(part.getByText('Strong')).toBeVisible();
    await again.fill('print stays when ink dried');
    await change.click();
    await expect(again).toHaveAccessibleDescription(/The new passwords don’t match/);
    await again.fill('print stays when ink dries');
    await change.click();
    await expect(current).toHaveAccessibleDescription(/Your current password is incorrect/);
    await current.fill(password);
    await change.click();
    await expect(part.getByText('Your password has been changed.')).toBeVisible();
    await expect(part.getByRole('button', { name: 'Change password' })).toBeFocused();

    // still signed in here, but nowhere else
    const devices = section(page, 'Devices');
    await expect(devices.getByText('This device')).toBeVisible();
    await expect(devices.getByRole('listitem')).toHaveCount(1);
    await other.reload();
    await expect(other.getByRole('heading', { name: 'Log in to see your account' })).toBeVisible();
    await otherBrowser.close();

    await logOut(page);
    await logIn(page, email, password);
    await expect(page.getByRole('dialog').getByText('Invalid login credentials')).toBeVisible();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('print stays when ink dries');
    await page.getByRole('dialog').getByRole('button', { name: 'Log In' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  });
});

test('with its forms open: accessible, nothing overflows', async ({ page }) => {
  await openAccount(page, await createAccount());
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('New e-mail address').press('Enter');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('button', { name: 'Set up two-factor' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectGoodLooks(page);
});
