/** Other ways of logging in: early, refused, by keyboard, with Google cancelled. */

import {
  createAccount,
  main,
  openBrowser,
  password,
  runUserCommand,
  signIn,
  visitor,
} from '../support/product/accounts.ts';
import { callApi } from '../support/product/caller.ts';
import { authDialog, fillDialog, logOut, submit, userMenu } from '../support/screens/dialog.ts';
import {
  convertButton,
  expect,
  expectGoodLooks,
  holdApp,
  listAxeViolations,
  putDown,
  test,
} from '../support/test.ts';

test.use(visitor);

test('Login pressed before the app has loaded opens the dialog once it has', async ({ page }) => {
  const letThrough = await holdApp(page);
  await page.goto('/pricing', { waitUntil: 'commit' });
  const login = page.getByRole('button', { name: 'Login', exact: true });
  // the dialog's code is being loaded when the button says that it is busy
  await expect(async () => {
    await login.click();
    await expect(login).toHaveAttribute('aria-busy', 'true', { timeout: 500 });
  }).toPass();
  letThrough();
  await expect(authDialog(page)).toHaveAccessibleName('Log In');
});

test.describe('errors', () => {
  test.use({ allowRefusals: true });

  test('too many mails, and no connection [§8 E-mail rate limit]', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.route('**/auth/v1/signup*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'X-Supabase-Api-Version': '2024-01-01', 'Access-Control-Allow-Origin': '*' },
        json: { code: 'over_email_send_rate_limit', message: 'email rate limit exceeded' },
      }),
    );
    await fillDialog(page, 'Sign Up', 'ada@example.com');
    const alert = authDialog(page).getByRole('alert');
    await expect(alert).toContainText(
      'We are experiencing a lot of traffic at the moment. Please try again in a few minutes.',
    );
    await page.unroute('**/auth/v1/signup*');
    await page.route('**/auth/v1/signup*', (route) => route.abort('connectionreset'));
    await submit(page, 'Sign Up').click();
    await expect(alert).toContainText('Network error. Check your connection and try again.');
  });

  test('a wrong password, an empty form, an unconfirmed address, a banned account [§5 Sign-up alone is judged; §6 A banned user gets a support message; §8 Auth errors show the provider’s message; §8 User is banned]', async ({
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

    // an address that could not sign up is checked like any other
    await fillDialog(page, 'Log In', 'ada+notes@gmail.com');
    await expect(dialog.getByRole('alert')).toContainText('Invalid login credentials');
    await fillDialog(page, 'Log In', email, 'not the password');
    await expect(dialog.getByRole('alert')).toContainText('Invalid login credentials');
    expect(await listAxeViolations(page)).toEqual([]);

    const unconfirmed = await createAccount({ isConfirmed: false });
    await fillDialog(page, 'Log In', unconfirmed);
    await expect(dialog.getByRole('alert')).toContainText('Email not confirmed');
    await dialog.getByRole('button', { name: 'Resend the confirmation e-mail' }).click();
    await expect(dialog.getByRole('button', { name: 'Sent. Check your inbox.' })).toBeDisabled();

    const { access_token } = await signIn(main, email);
    await runUserCommand(main, 'ban', email);
    await fillDialog(page, 'Log In', email);
    const support =
      'There appears to be an issue with your account. Please reach out to our support team for help.';
    await expect(dialog.getByRole('alert')).toContainText(support);
    // an earlier session gets the same refusal
    const refused = await callApi('GET', '/documents', undefined, { token: String(access_token) });
    expect(await refused.json()).toEqual({ code: 'USER_BANNED', error: support, source: 'user' });
  });
});

test.describe('while a request runs', () => {
  test.use({ allowRefusals: true });

  test('the buttons are disabled while a request runs [§5 Buttons are off while a request runs]', async ({
    page,
  }) => {
    const email = await createAccount();
    await page.goto('/');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/auth/v1/token*', async (route) => {
      await released;
      await route.continue();
    });
    const { promise: refused, resolve: refuse } = Promise.withResolvers<void>();
    await page.route('**/auth/v1/signup*', async (route) => {
      await refused;
      await route.fulfill({ status: 400, json: { code: 'validation_failed', message: 'No.' } });
    });
    for (const [opener, mode, proceed] of [
      ['Sign up', 'Sign Up', refuse],
      ['Login', 'Log In', release],
    ] as const) {
      await page.getByRole('banner').getByRole('button', { name: opener }).click();
      await fillDialog(page, mode, email);
      for (const name of ['Log In', 'Sign Up', 'Continue with Google'])
        await expect(submit(page, name)).toBeDisabled();
      proceed();
      if (mode === 'Log In') break;
      await expect(authDialog(page).getByRole('alert')).toContainText('No.');
      await expect(submit(page, mode)).toBeEnabled();
      await page.keyboard.press('Escape');
    }
    await expect(userMenu(page)).toBeVisible();
  });
});

test('by keyboard alone: log in, move through the dialog, close it with Escape; the focus returns', async ({
  page,
}) => {
  const email = await createAccount();
  await page.goto('/');
  const opener = page.getByRole('button', { name: 'Login' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = authDialog(page);
  await expect(dialog.getByLabel('E-mail')).toBeFocused();
  // all the way round, and never out
  for (let presses = 0; presses < 14; presses++) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('E-mail')).toBeFocused();
  await page.keyboard.type(email);
  const field = dialog.getByLabel('Password', { exact: true });
  while (!(await field.evaluate((input) => input === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(field).toHaveAttribute('type', 'text');
  await field.focus();
  await page.keyboard.press('Enter');
  await expect(userMenu(page)).toBeVisible();
});

test('password managers can tell the fields apart', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login' }).click();
  const dialog = authDialog(page);
  await expect(dialog.getByLabel('E-mail')).toHaveAttribute('autocomplete', 'username');
  const field = dialog.getByLabel('Password', { exact: true });
  await expect(field).toHaveAttribute('autocomplete', 'current-password');
  await submit(page, 'Sign Up').click();
  await expect(field).toHaveAttribute('autocomplete', 'new-password');
  await expect(dialog.getByRole('button', { name: 'Forgot your password?' })).toHaveCount(0);
});

test('the session’s events are reported [§4 Events: INITIAL_SESSION, SIGNED_IN, SIGNED_OUT]', async ({
  page,
}) => {
  const email = await createAccount();
  await page.addInitScript(() => {
    const events: string[] = [];
    Object.assign(window, { events });
    addEventListener('inkproof:session', (event) => events.push((event as CustomEvent).detail.event));
  });
  const events = () => page.evaluate(() => (window as unknown as { events: string[] }).events);
  await page.goto('/');
  await page.getByRole('button', { name: 'Login' }).click();
  await fillDialog(page, 'Log In', email);
  await expect.poll(events).toContain('SIGNED_IN');
  await page.reload();
  await expect.poll(events).toContain('INITIAL_SESSION');
  await logOut(page);
  await expect.poll(events).toContain('SIGNED_OUT');
});

test('every mode of the dialog at every size, in both colours: accessible, nothing overflows', async ({
  page,
}) => {
  test.slow();
  await page.setViewportSize({ width: 390, height: 720 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(authDialog(page)).toHaveAccessibleName('Log In');
  await expectGoodLooks(page);
  await submit(page, 'Sign Up').click();
  await expect(authDialog(page)).toHaveAccessibleName('Sign Up');
  await expectGoodLooks(page);
  await submit(page, 'Log In').click();
  await submit(page, 'Forgot your password?').click();
  await expect(authDialog(page)).toHaveAccessibleName('Reset your password');
  await expectGoodLooks(page);
});

test('with Google, cancelled there: the page says so on return', async ({ page }) => {
  await page.goto('/convert');
  // instead of consenting there, the person returns as Google sends those who cancel
  await page.route('**/auth/v1/authorize?*', async (route) => {
    const sent = await route.fetch({ maxRedirects: 0 });
    const query = new URL(sent.headers().location ?? '').searchParams;
    const back = `${query.get('redirect_uri')}?error=access_denied&state=${query.get('state')}`;
    await route.fulfill({
      headers: { 'Set-Cookie': sent.headers()['set-cookie'] ?? '' },
      contentType: 'text/html',
      body: `<meta http-equiv="refresh" content="0;url=${back.replaceAll('&', '&amp;')}">`,
    });
  });
  await page.getByRole('button', { name: 'Login' }).click();
  await submit(page, 'Continue with Google').click();
  await expect(authDialog(page).getByRole('alert')).toBeVisible();
  await expect(page).toHaveURL(`${main.url}/convert`);
  await expect(userMenu(page)).toHaveCount(0);
});

test('signing out ends the sessions of other browsers too [§8 UNAUTHORIZED]', async ({ browser }) => {
  const email = await createAccount();
  const [here, there] = [await openBrowser(browser, email), await openBrowser(browser, email)];
  const page = await here.newPage();
  await page.goto('/');
  await logOut(page);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  // there, the next call finds out, asks for a new login, and says why; the files on the desk stay
  const other = await there.newPage();
  await putDown(other, 'pdf/probability-table.pdf');
  await expect(userMenu(other)).toBeVisible();
  await convertButton(other).click();
  await expect(authDialog(other)).toContainText('Your session expired. Please sign in again.');
  await expect(userMenu(other)).toHaveCount(0);
  await fillDialog(other, 'Log In', email);
  await expect(userMenu(other)).toBeVisible();
  // and the requested action continues by itself
  await expect(other.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
  await here.close();
  await there.close();
});

test('in two tabs, signing in and signing out reach the other tab', async ({ browser }) => {
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
