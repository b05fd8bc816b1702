/** The login and sign-up dialog, used by hand. */
import type { Page } from '@playwright/test';
import { password } from '../product/accounts.ts';

export function authDialog(page: Page) {
  return page.getByRole('dialog');
}

/** Types into the open dialog and submits it. */
export async function fillDialog(
  page: Page,
  mode: 'Log In' | 'Sign Up',
  email: string,
  typed: string = password,
): Promise<void> {
  const dialog = authDialog(page);
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(typed);
  await submit(page, mode).click();
}

/** The form's own button; the toggle below it has the other mode's name. */
export function submit(page: Page, name: string) {
  return authDialog(page).getByRole('button', { name, exact: true });
}

export function userMenu(page: Page) {
  return page.getByRole('button', { name: 'Your account' });
}

export async function logOut(page: Page): Promise<void> {
  await userMenu(page).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}
