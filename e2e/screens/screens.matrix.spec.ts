/** Pages without scripts. */
import { expect, test } from '../support/test.ts';

test.describe('the 404 page', () => {
  test.use({ allowRefusals: true });

  test('shows without scripts too', async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    expect((await page.goto('/no-such-page'))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'This page is like dividing by zero... Undefined!',
    );
    await expect(page.getByRole('status', { name: 'Loading' })).toBeHidden();
    await page.getByRole('link', { name: 'Go Home' }).click();
    await expect(page).toHaveURL(/\/$/);
    // a page of the app that needs scripts says so
    expect((await page.goto('/account'))?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page needs JavaScript.');
    await context.close();
  });

  test('leads home and to the converter [§2 Any other path: 404, Go Home, Start Converting; §8 404 page]', async ({
    page,
  }) => {
    expect((await page.goto('/no-such-page'))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'This page is like dividing by zero... Undefined!',
    );
    await page.getByRole('link', { name: 'Start Converting' }).click();
    await expect(page).toHaveURL(/\/convert$/);
    await page.goto('/no-such-page');
    await page.getByRole('link', { name: 'Go Home' }).click();
    await expect(page.getByRole('link', { name: 'Start converting', exact: true }).first()).toBeVisible();
  });
});
