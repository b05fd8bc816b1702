/** Buying, for the flows about money. */
import type { Page } from '@playwright/test';
import { createAccount, main, storageOf } from '../product/accounts.ts';
import { expect } from '../test.ts';

/** Signs in with a new account in this browser: ten pages and five AI conversations. */
export async function signInAsNewUser(page: Page): Promise<void> {
  const { localStorage: items } = await storageOf(main, await createAccount());
  await page.goto('/payment-cancelled');
  await page.evaluate((all) => {
    for (const { name, value } of all) localStorage.setItem(name, value);
  }, items);
}

export function card(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}

/** On the pricing page: goes to the payment page of a bundle. */
export async function beginCheckout(page: Page, title: string): Promise<void> {
  await page.goto('/pricing');
  await card(page, title).getByRole('button', { name: 'Get it!' }).click();
  await expect(page.getByText('Test mode')).toBeVisible();
}

export async function expectBalances(page: Page, pages: number, conversations: number): Promise<void> {
  const balances = page.getByRole('definition');
  await expect(balances.nth(0)).toHaveText(String(pages));
  await expect(balances.nth(2)).toHaveText(String(conversations));
}

/** Replaces the services that determine a visitor's country. */
export async function answerCountry(page: Page, country: string | null): Promise<void> {
  await page.route('**/api/v1/country', (route) => route.fulfill({ json: { country } }));
}
