/** A document beside the ink that it was read from. */
import type { Page } from '@playwright/test';
import { openResult } from './result.ts';
import { editor, expect } from './test.ts';

/** Saves a result with the page images, and opens the document. */
export async function keep(page: Page, file: string, title: string): Promise<void> {
  await openResult(page, file);
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Keep the page images').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('is among your documents')).toBeVisible();
  await page.getByRole('dialog').getByRole('link', { name: 'Open' }).click();
  await expect(editor(page)).toBeVisible();
}

export const litInk = (page: Page) => page.locator('[data-mark="lit"]');
