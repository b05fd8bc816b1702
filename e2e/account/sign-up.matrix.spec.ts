/** Used links, and a new password without a valid link. */
import { followMail, makeAddress, openBrowser, visitor } from '../support/product/accounts.ts';
import { authDialog, fillDialog } from '../support/screens/dialog.ts';
import { expect, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

test.describe('links', () => {
  test.use({ allowRefusals: true });

  test('a used confirmation link explains itself and offers a new one', async ({ page, browser }) => {
    const email = makeAddress();
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await fillDialog(page, 'Sign Up', email);
    const link = await followMail(email, 'signup');
    const elsewhere = await (await openBrowser(browser, null)).newPage();
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();

    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'This link has been used or has expired' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await page.getByLabel('E-mail').fill(makeAddress());
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await expect(page.getByText('Please check your email to confirm your account.')).toBeVisible();
    await elsewhere.context().close();
  });

  test('/reset-password without a link offers to send a mail [§2 /reset-password]', async ({ page }) => {
    await page.goto('/reset-password');
    await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send Password Reset Email' }).click();
    await expect(page.getByText('Password reset email sent. Check your inbox.')).toBeVisible();
  });
});

test('the mail can be sent again, which keeps the dialog open; without a mail server a link leads to the inbox', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign up' }).click();
  const email = makeAddress();
  await fillDialog(page, 'Sign Up', email);
  await authDialog(page).getByRole('button', { name: 'Send it again' }).click();
  await expect(authDialog(page).getByRole('button', { name: 'Sent again' })).toBeDisabled();
  expect(await listAxeViolations(page)).toEqual([]);
  const inbox = page.waitForEvent('popup');
  await authDialog(page).getByRole('link', { name: 'Open the local inbox' }).click();
  await expect((await inbox).getByText(email).first()).toBeVisible();
  await expect(authDialog(page)).toBeVisible();
});

const alias =
  'Oops! Gmail aliases with "+" or dots aren\'t supported right now. Could you try signing up with your regular Gmail address?';

const suspicious =
  'Sorry, sign-ups from temporary, disposable, or suspicious email addresses are not allowed. Please use a valid personal or business email address.';

test('the rules are shown at once, in the form [§5 Suspicious addresses are refused]', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign up' }).click();
  const field = authDialog(page).getByLabel('E-mail');
  const says = async (email: string, sentence: string) => {
    await field.fill(email);
    await field.blur();
    await expect(field).toHaveAccessibleDescription(sentence);
  };
  await says('ada+notes@gmail.com', alias);
  await says('123456789012345@example.com', suspicious);
  // the server's list
  await says('ada@mailinator.com', suspicious);
  await field.fill('ada.lovelace@gmail.com');
  await field.blur();
  await expect(field).toHaveAccessibleDescription('');
  await fillDialog(page, 'Sign Up', 'ada@example.com', 'short');
  await expect(authDialog(page).getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    /Password should be at least 8 characters\./,
  );
});
