/** Logging in and out: the header's states, the dialog's modes and texts, other tabs, events of the session. */
import { createAccount, main, visitor } from '../support/product/accounts.ts';
import { authDialog, fillDialog, logOut, submit, userMenu } from '../support/screens/dialog.ts';
import { expect, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

test('log in, see the account in the menu, log out again [§2 User menu: closes on a click outside; §4 Login: closed at once; §4 Logout: no tokens are left, / is shown; §7 Sign in with a password; §7 The session is there again after a reload]', async ({
  page,
}) => {
  const email = await createAccount();
  await page.goto('/convert');
  await expect(userMenu(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(authDialog(page)).toHaveAccessibleName('Log In');
  expect(await listAxeViolations(page)).toEqual([]);
  // at once: no time passes on the page
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await fillDialog(page, 'Log In', email);
  await expect(authDialog(page)).toHaveCount(0);
  await page.clock.resume();
  await expect(page.getByRole('button', { name: 'Sign up' })).toHaveCount(0);

  await userMenu(page).click();
  const menu = page.getByRole('menu');
  await expect(menu).toContainText(email);
  await expect(menu.getByRole('menuitem', { name: 'Account' })).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  await page.mouse.click(400, 500);
  await expect(menu).toHaveCount(0);

  // still there after a reload
  await page.reload();
  await logOut(page);
  await expect(page).toHaveURL(`${main.url}/`);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('auth')))).toEqual(
    [],
  );
});

test('with Google: out and back to the same page, signed in [§7 Google, back to the same page]', async ({
  page,
}) => {
  await page.goto('/convert');
  await page.getByRole('button', { name: 'Login' }).click();
  await submit(page, 'Continue with Google').click();
  await expect(userMenu(page)).toBeVisible();
  await expect(page).toHaveURL(`${main.url}/convert`);
});
