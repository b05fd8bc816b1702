/** Links that are used, and a new password without one. */
import { followMail, makeAddress, openBrowser, visitor } from '../support/product/accounts.ts';
import { fillDialog } from '../support/screens/dialog.ts';
import { expect, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

test.describe('links', () => {
  test.use({ allowRefusals: true });

  test('a confirmation link that was used: a way out, and a new one', async ({ page, browser }) => {
    const email = makeAddress();
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await fillDialog(page, 'Sign Up', email);
    const link = await followMail(email, 'signup');
    const elsewhere = await (await openBrowser(browser, null)).newPage();
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();

    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'This link is used or too old' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await page.getByLabel('E-mail').fill(makeAddress());
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await expect(page.getByText('Please check your email to confirm your account.')).toBeVisible();
    await elsewhere.context().close();
  });

  test('/reset-password without a link asks for a mail [§2 /reset-password]', async ({ page }) => {
    await page.goto('/reset-password');
    await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send Password Reset Email' }).click();
    await expect(page.getByText('Password reset email sent. Check your inbox.')).toBeVisible();
  });
});
