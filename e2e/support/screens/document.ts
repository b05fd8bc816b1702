/** The editor of a saved document, for its flows. */
import type { Page } from '@playwright/test';
import { main, storageOf } from '../product/accounts.ts';
import { editor, expect } from '../test.ts';
import { latexOf, type OwnLibrary, openLibrary } from './library.ts';

/** Signed in as this account from the next page on. */
export async function become(page: Page, email: string): Promise<void> {
  const { localStorage: items } = await storageOf(main, email);
  await page.addInitScript((entries) => {
    for (const { name, value } of entries) if (!localStorage.getItem(name)) localStorage.setItem(name, value);
  }, items);
}

/** Opens a document of a new account and waits for its page. */
export async function openOwn(
  page: Page,
  { body = 'First words.', ...options }: { body?: string; latex?: string; query?: string } = {},
): Promise<{ library: OwnLibrary; id: string }> {
  const library = await openLibrary();
  const { id } = await library.createDocument('Heat equation', {
    latex: options.latex ?? latexOf(body),
  });
  await become(page, library.email);
  await page.goto(`/documents/${id}${options.query ?? ''}`);
  await expect(editor(page)).toBeVisible();
  return { library, id };
}

export const upToDate = (page: Page) => page.getByText('The page is up to date.');

export const saved = (page: Page) => page.getByText('Saved', { exact: true });

/** Puts the cursor at the end of the line that contains these words. */
export async function goToLineOf(page: Page, words: string) {
  await editor(page).focus();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find' }).fill(words);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('End');
}
