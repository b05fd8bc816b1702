/** A document shown with the ink that it was read from. */
import type { Locator, Page } from '@playwright/test';
import { editor, expect } from '../test.ts';
import { openResult } from './result.ts';

/** Saves a result with the page images, and opens the document. */
export async function keep(page: Page, file: string, title: string): Promise<void> {
  await openResult(page, file);
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Keep the page images').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('is in your documents')).toBeVisible();
  await page.getByRole('dialog').getByRole('link', { name: 'Open' }).click();
  await expect(editor(page)).toBeVisible();
}

/** The bar of doubtful spots, and how many there are; goes to the first of them by its shortcut. */
export async function walkToDoubt(page: Page): Promise<{ bar: Locator; total: number }> {
  const bar = page.getByRole('region', { name: 'Doubtful spots' });
  await expect(bar).toContainText(/\d+ spots to check/);
  const total = Number(/(\d+) spots/.exec((await bar.textContent()) ?? '')?.[1]);
  expect(total).toBeGreaterThan(2);
  await expect(page.locator('[data-mark="doubt"]').first()).toBeAttached();
  await editor(page).focus();
  await page.keyboard.press('F8');
  return { bar, total };
}

export const litInk = (page: Page) => page.locator('[data-mark="lit"]');
