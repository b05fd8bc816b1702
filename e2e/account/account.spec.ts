/**
 * The account page: address, password, two-factor, devices, export, deletion. Every flow has its own account,
 * because most of them change or end it.
 */
import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { createAccount, main, password, signIn, visitor } from '../support/product/accounts.ts';
import { codeOf, logIn, logOut, openAccount, section } from '../support/screens/account-page.ts';
import { expect, test } from '../support/test.ts';

test.use(visitor);

test.describe('errors', () => {
  test.use({ allowRefusals: true });

  test('two-factor: set up, required at the next login, removed', async ({ page }) => {
    const email = await createAccount();
    await openAccount(page, email);
    const part = section(page, 'Two-factor');
    await part.getByRole('button', { name: 'Set up two-factor' }).click();
    await expect(part.getByRole('img', { name: /QR code/ })).toBeVisible();
    const secret = ((await part.getByRole('code').textContent()) ?? '').replaceAll(' ', '');
    const field = part.getByLabel('Code', { exact: true });
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    await field.fill('12');
    await field.press('Enter');
    await expect(field).toHaveAccessibleDescription(/six digits/);
    // from an hour ago: no clock is that wrong
    await field.fill(codeOf(secret, -120));
    await field.press('Enter');
    await expect(field).toHaveAccessibleDescription(/This code is incorrect/);
    await field.fill(codeOf(secret));
    await field.press('Enter');
    const list = part.getByRole('region', { name: 'Your recovery codes' });
    await expect(list.getByRole('listitem')).toHaveCount(10);
    const [recovery = ''] = await list.getByRole('listitem').allTextContents();
    const download = page.waitForEvent('download');
    await list.getByRole('button', { name: 'Download' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toContain(recovery);
    await list.getByRole('button', { name: 'I have saved them' }).click();
    await expect(part.getByText('10 of 10 left')).toBeVisible();
    await expect(part.getByText('Two-factor is on.')).toBeVisible();
    await expect(part.getByText(/If you lose your phone/)).toBeVisible();
    await expect(part.getByRole('button', { name: 'Set up two-factor' })).toBeHidden();

    // the phone is lost
    await logOut(page);
    await logIn(page, email, password);
    await page.getByRole('dialog').getByRole('button', { name: 'Use a recovery code' }).click();
    const lost = page.getByRole('dialog').getByLabel('Recovery code');
    await lost.fill('0000-0000-0000-0000');
    await lost.press('Enter');
    await expect(lost).toHaveAccessibleDescription(/incorrect or has already been used/);
    await lost.fill(recovery.toUpperCase());
    await lost.press('Enter');
    await expect(part.getByText('9 of 10 left')).toBeVisible();

    await logOut(page);
    await logIn(page, email, password);
    const dialog = page.getByRole('dialog');
    // the next code, because each can be used only once
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
    await dialog.getByRole('button', { name: 'Log In' }).click();
    await expect(part.getByText('Authenticator app')).toBeVisible();

    await part.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click();
    await part.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove two-factor' }).click();
    await expect(part.getByText('Two-factor is off.')).toBeVisible();
    await logOut(page);
    await openAccount(page, email);
    await expect(part.getByRole('button', { name: 'Set up two-factor' })).toBeVisible();
  });

  test('deleting the account needs its address and password, and leaves nothing to log in to', async ({
    page,
  }) => {
    const email = await createAccount();
    await openAccount(page, email);
    await section(page, 'Your data').getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading', { name: 'What is kept, and why' })).toBeVisible();
    const confirm = dialog.getByLabel(/^To confirm, type/);
    const secret = dialog.getByLabel('Password', { exact: true });
    const go = dialog.getByRole('button', { name: 'Delete account' });
    await confirm.fill('somebody@example.com');
    await go.click();
    await expect(confirm).toHaveAccessibleDescription(/not the address of this account/);
    await confirm.fill(email.toUpperCase());
    await secret.fill('not this one');
    await go.click();
    await expect(secret).toHaveAccessibleDescription(/This password is incorrect/);
    await secret.fill(password);
    await go.click();
    await expect(page.getByText('Your account has been deleted.')).toBeVisible();
    await expect(page).toHaveURL(`${main.url}/`);
    expect(await page.evaluate(() => localStorage.getItem('inkproof-auth'))).toBeNull();

    await page.goto('/account');
    await logIn(page, email, password);
    await expect(page.getByRole('dialog').getByText('Invalid login credentials')).toBeVisible();
  });
});

test('a visitor logs in from the account page: devices, export, the keyboard', async ({ page }) => {
  const email = await createAccount();
  for (let count = 0; count < 3; count++) await signIn(main, email);
  await test.step('a visitor is asked to log in', async () => {
    await page.goto('/account');
    await expect(page.getByRole('heading', { name: 'Log in to see your account' })).toBeVisible();
    await logIn(page, email, password);
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
    await expect(section(page, 'Profile').getByText(email)).toBeVisible();
    await expect(section(page, 'Profile').getByText('Password')).toBeVisible();
  });
  await test.step('devices are named; one is signed out, then all others', async () => {
    const devices = section(page, 'Devices');
    const rows = devices.getByRole('listitem');
    await expect(rows).toHaveCount(4);
    const own = rows.filter({ hasText: 'This device' });
    await expect(own).toContainText('Chrome on Linux');
    await expect(own).toContainText('Last used just now');
    await expect(own.getByRole('button')).toHaveCount(0);

    await rows
      .filter({ hasNotText: 'This device' })
      .first()
      .getByRole('button', { name: /^Sign out/ })
      .click();
    await expect(rows).toHaveCount(3);
    await expect(devices.getByRole('status').filter({ hasText: 'has been signed out' })).toBeVisible();
    await devices.getByRole('button', { name: 'Sign out all other devices' }).click();
    await expect(rows).toHaveCount(1);
    await expect(own).toBeVisible();
    await expect(devices.getByRole('button', { name: 'Sign out all other devices' })).toBeHidden();
  });
  await test.step('the export is a zip with what is kept of the person', async () => {
    const download = page.waitForEvent('download');
    await section(page, 'Your data').getByRole('button', { name: 'Download the zip' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^inkproof-export-\d{4}-\d\d-\d\d\.zip$/);
    const files = unzipSync(readFileSync(await file.path()));
    const account = files['account.json'];
    expect(account && JSON.parse(strFromU8(account))).toMatchObject({ email });
    await expect(section(page, 'Your data').getByText(/^Downloaded: /)).toBeVisible();
  });
  await test.step('by keyboard a form opens, takes the focus, and gives it back', async () => {
    const opener = section(page, 'Profile').getByRole('button', { name: 'Change address' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('New e-mail address')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
    await expect(page.getByLabel('New e-mail address')).toBeHidden();
  });
});
