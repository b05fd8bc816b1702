/** What the sign-up dialog leads to. */
import { visitor } from '../support/product/accounts.ts';
import { expect, test } from '../support/test.ts';

test.use(visitor);

test('the note on signing up leads to terms and privacy [§2 Auth dialog: terms and privacy, on sign-up]', async ({
  page,
  context,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign up' }).click();
  const dialog = page.getByRole('dialog');
  for (const [label, heading] of [
    ['Terms of Service', 'Terms of Service'],
    ['Privacy Policy', 'Privacy Policy'],
  ] as const) {
    const opened = context.waitForEvent('page');
    await dialog.getByRole('link', { name: label }).click();
    const other = await opened;
    await expect(other.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await other.close();
  }
});
