/** Signing up: the rules immediately in the form, the mail, its link; and resetting a forgotten password. */
import {
  createAccount,
  followMail,
  main,
  makeAddress,
  openBrowser,
  password,
  visitor,
} from '../support/product/accounts.ts';
import { authDialog, fillDialog, submit, userMenu } from '../support/screens/dialog.ts';
import { expect, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

test('sign up, follow the link in the mail, be signed in [§4 Sign-up: a confirmation, closed after 3 seconds; §7 Sign up with e-mail and password; §8 Signup success; §9 Signup dialog 3 s]', async ({
  page,
}) => {
  const email = makeAddress();
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(authDialog(page)).toContainText('By signing up you agree to');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await fillDialog(page, 'Sign Up', email);
  const confirmation = authDialog(page).getByText('Please check your email to confirm your account.');
  await expect(confirmation).toBeVisible();
  await page.clock.runFor(2900);
  await expect(confirmation).toBeVisible();
  await page.clock.runFor(200);
  await expect(authDialog(page)).toHaveCount(0);
  await expect(userMenu(page)).toHaveCount(0);
  await page.clock.resume();

  const link = await followMail(email, 'signup');
  expect(link.startsWith(`${main.url}/auth/confirm?token_hash=`)).toBe(true);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  await expect(userMenu(page)).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  expect(page.url()).not.toContain('token_hash');
  await page.getByRole('link', { name: 'Start converting' }).click();
  await expect(page).toHaveURL(`${main.url}/convert`);
});

test.describe('links', () => {
  test.use({ allowRefusals: true });

  test('a forgotten password: mail, another browser, the new one typed twice, signed in [§2 Auth dialog: Send Password Reset Email; §4 Events: PASSWORD_RECOVERY; §4 Reset mail: a success message; §7 A reset mail that leads to /reset-password; §8 Reset success]', async ({
    page,
    browser,
  }) => {
    const email = await createAccount();
    await page.goto('/');
    await page.getByRole('button', { name: 'Login' }).click();
    await authDialog(page).getByLabel('E-mail').fill(email);
    await submit(page, 'Forgot your password?').click();
    // what was typed is still there
    await submit(page, 'Send Password Reset Email').click();
    await expect(authDialog(page)).toContainText('Password reset email sent. Check your inbox.');
    expect(await listAxeViolations(page)).toEqual([]);

    const link = await followMail(email, 'recovery');
    expect(link.startsWith(`${main.url}/reset-password?`)).toBe(true);
    const context = await openBrowser(browser, null);
    const other = await context.newPage();
    await other.addInitScript(() => {
      const events: string[] = [];
      Object.assign(window, { events });
      addEventListener('inkproof:session', (event) => events.push((event as CustomEvent).detail.event));
    });
    await other.goto(link);
    await expect(other.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    expect(await other.evaluate(() => (window as unknown as { events: string[] }).events)).toContain(
      'PASSWORD_RECOVERY',
    );
    expect(await listAxeViolations(other)).toEqual([]);
    // the token is used up, but the form remains
    await other.reload();
    const first = other.getByLabel('New password', { exact: true });
    const again = other.getByLabel('New password again', { exact: true });
    await first.fill('ink on paper dries slowly');
    await again.fill('ink on paper dries slow');
    await other.getByRole('button', { name: 'Save the new password' }).click();
    await expect(again).toHaveAccessibleDescription('The passwords don’t match.');
    await again.fill('ink on paper dries slowly');
    await other.getByRole('button', { name: 'Save the new password' }).click();
    await expect(other.getByRole('heading', { name: 'Your new password is saved' })).toBeVisible();
    await expect(userMenu(other)).toBeVisible();
    await context.close();

    // the link works once, and only the new password is accepted
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'This link has been used or has expired' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Login' }).click();
    await fillDialog(page, 'Log In', email, password);
    await expect(authDialog(page).getByRole('alert')).toContainText('Invalid login credentials');
    await fillDialog(page, 'Log In', email, 'ink on paper dries slowly');
    await expect(userMenu(page)).toBeVisible();
  });
});
