/** Logging in and out: the header's states, the dialog's modes and words, other tabs, events of the session. */
import {
  createAccount,
  main,
  openBrowser,
  runUserCommand,
  signIn,
  visitor,
} from '../support/product/accounts.ts';
import { callApi } from '../support/product/caller.ts';
import { authDialog, fillDialog, logOut, submit, userMenu } from '../support/screens/dialog.ts';
import { expect, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

test('log in, be greeted by the menu, log out again [§2 User menu: closes on a click outside; §4 Login: closed at once; §4 Logout: no tokens are left, / is shown; §7 Sign in with a password; §7 The session is there again after a reload]', async ({
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

test.describe('what is refused', () => {
  test.use({ allowRefusals: true });

  test('a wrong password, nothing typed, an address that is not confirmed, a banned account [§5 Sign-up alone is judged; §6 A banned user gets a support message; §8 Auth errors show the provider’s message; §8 User is banned]', async ({
    page,
  }) => {
    const email = await createAccount();
    await page.goto('/');
    await page.getByRole('button', { name: 'Login' }).click();
    const dialog = authDialog(page);

    await submit(page, 'Log In').click();
    const address = dialog.getByLabel('E-mail');
    await expect(address).toHaveAccessibleDescription(
      'You must provide either an email or phone number and a password',
    );
    await expect(address).toHaveAttribute('aria-invalid', 'true');
    await expect(address).toBeFocused();
    await address.fill(email);
    await submit(page, 'Log In').click();
    await expect(dialog.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      'You must provide either an email or phone number and a password',
    );

    // an address that could not sign up is asked about like any other
    await fillDialog(page, 'Log In', 'ada+notes@gmail.com');
    await expect(dialog.getByRole('alert')).toContainText('Invalid login credentials');
    await fillDialog(page, 'Log In', email, 'not the password');
    await expect(dialog.getByRole('alert')).toContainText('Invalid login credentials');
    expect(await listAxeViolations(page)).toEqual([]);

    const unconfirmed = await createAccount({ isConfirmed: false });
    await fillDialog(page, 'Log In', unconfirmed);
    await expect(dialog.getByRole('alert')).toContainText('Email not confirmed');
    await dialog.getByRole('button', { name: 'Send the confirmation mail again' }).click();
    await expect(dialog.getByRole('button', { name: 'Sent. Check your inbox.' })).toBeDisabled();

    const { access_token } = await signIn(main, email);
    await runUserCommand(main, 'ban', email);
    await fillDialog(page, 'Log In', email);
    const support =
      'There appears to be an issue with your account. Please reach out to our support team for help.';
    await expect(dialog.getByRole('alert')).toContainText(support);
    // a session from before says the same
    const refused = await callApi('GET', '/documents', undefined, { token: String(access_token) });
    expect(await refused.json()).toEqual({ code: 'USER_BANNED', error: support, source: 'user' });
  });
});

test('two tabs: signing in reaches the other, and so does signing out', async ({ browser }) => {
  const email = await createAccount();
  const context = await openBrowser(browser, null);
  const [first, second] = [await context.newPage(), await context.newPage()];
  await first.goto('/');
  await second.goto('/convert');
  await expect(second.getByRole('button', { name: 'Login' })).toBeVisible();
  await first.getByRole('button', { name: 'Login' }).click();
  await fillDialog(first, 'Log In', email);
  await expect(userMenu(second)).toBeVisible();
  await logOut(first);
  await expect(second.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(second).toHaveURL(`${main.url}/`);
  await context.close();
});

test('with Google: there, back to the same page, signed in [§7 Google, back to the same page]', async ({
  page,
}) => {
  await page.goto('/convert');
  await page.getByRole('button', { name: 'Login' }).click();
  await submit(page, 'Continue with Google').click();
  await expect(userMenu(page)).toBeVisible();
  await expect(page).toHaveURL(`${main.url}/convert`);
});
