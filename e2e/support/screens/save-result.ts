/** A result of a new account, and saving it to the library. */
import type { Page } from '@playwright/test';
import { createAccount, main, signIn, storageOf } from '../product/accounts.ts';
import { convert, putDown } from '../test.ts';

export interface SavedDocument {
  id: string;
  title: string;
  latex: string;
  version: number;
  folder_id: string | null;
  figures: { name: string }[];
  pages: { number: number }[];
}

/** Converts in a new account. @returns its address and calls in its name */
export async function convertAs(page: Page, file: string) {
  const email = await createAccount();
  const { localStorage: items } = await storageOf(main, email);
  await page.goto('/convert');
  await page.evaluate((entries) => {
    for (const { name, value } of entries) localStorage.setItem(name, value);
  }, items);
  await putDown(page, file);
  await convert(page);
  const { access_token: token } = await signIn(main, email);
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${main.apiUrl}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return answer.json() as Promise<T>;
  };
  const list = async () => (await call<{ documents: SavedDocument[] }>('/documents')).documents;
  return { email, call, list };
}

export const saveButton = (page: Page) => page.getByRole('button', { name: 'Save to my documents' });

export const dialog = (page: Page) => page.getByRole('dialog');
