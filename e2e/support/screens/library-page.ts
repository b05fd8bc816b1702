/** The library as a page, for its flows. */
import type { Page } from '@playwright/test';
import type { Documents } from '#shared/api/library.ts';
import { main, storageOf } from '../product/accounts.ts';
import { expect } from '../test.ts';
import type { OwnLibrary } from './library.ts';

/** Signs the browser in as the library's owner. */
export async function enter(page: Page, { email }: OwnLibrary): Promise<void> {
  const { localStorage } = await storageOf(main, email);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 900 });
  // once: a token that was renewed since must not be replaced
  await page.addInitScript((entries) => {
    for (const { name, value } of entries)
      if (window.localStorage.getItem(name) === null) window.localStorage.setItem(name, value);
  }, localStorage);
}

/** Opens the library as its owner. */
export async function show(page: Page, library: OwnLibrary, path = '/documents'): Promise<void> {
  await enter(page, library);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

export const names = (page: Page) => page.getByRole('list', { name: 'Documents' }).locator('[data-main]');

export const named = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true }).and(page.locator('[data-main]'));

export const places = (page: Page) => page.getByRole('navigation', { name: 'Places' });

export const toast = (page: Page) => page.getByRole('status').filter({ hasText: /\S/ });

export const listed = async (library: OwnLibrary, query = '') =>
  (await library.call<Documents>('GET', `/documents?limit=1000${query}`)).documents;

export const find = async (library: OwnLibrary, title: string) =>
  (await listed(library)).find((one) => one.title === title);
