/** Deleting an account that has two-factor on. */
import type { Page } from '@playwright/test';
import { createAccount, password, visitor } from '../support/product/accounts.ts';
import { codeOf, openAccount, section } from '../support/screens/account-page.ts';
import { expect, test } from '../support/test.ts';

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

test.describe('what is refused', () => {
  test.use({ allowRefusals: true });

  test('with two-factor on, deleting asks for a code too', async ({ page }) => {
    const email = await createAccount();
    await openAccount(page, email);
    const secret = await turnOnTwoFactor(page);
    await section(page, 'Your data').getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^To confirm, type/).fill(email);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    const code = dialog.getByLabel('Code of your authenticator app');
    await code.fill(codeOf(secret, -120));
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(code).toHaveAccessibleDescription(/This code is not right/);
    await code.fill(codeOf(secret, 1));
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(page.getByText('Your account has been deleted.')).toBeVisible();
  });
});
