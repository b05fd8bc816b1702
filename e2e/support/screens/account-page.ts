/** The account page for the flows: opening it, its parts, and codes of an authenticator app. */
import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { main, password } from '../product/accounts.ts';
import { expect } from '../test.ts';

/** Opens the account page as this person, who logs in there in the dialog. */
export async function openAccount(page: Page, email: string): Promise<void> {
  await page.goto('/account');
  await logIn(page, email, password);
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
}

export async function logIn(page: Page, email: string, withPassword: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Log In' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(withPassword);
  await dialog.getByRole('button', { name: 'Log In' }).click();
}

export function section(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

/** The authenticator app's code `steps` periods from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Logs out, and returns to the account page, which asks for a login. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(`${main.url}/`);
  await page.goto('/account');
}
