/** Results of conversions for flows about what comes after: each worker has each file converted once. */
import type { Page } from '@playwright/test';
import { convert, expect, putDown } from '../test.ts';

/** What a browser stores of a result, as written by web/features/convert/run/session-record.ts and page-images.ts. */
interface StoredResult {
  record: string;
  /** By their keys, as data URLs. */
  pictures: [string, string][];
}

const results = new Map<string, StoredResult>();

/**
 * The result of a file, as it is restored after a reload. What a flow changes stays in its own tab, unless it
 * clears the desk. Signed in like every flow.
 */
export async function openResult(page: Page, name: string): Promise<void> {
  const known = results.get(name);
  if (known === undefined) {
    await putDown(page, name);
    await convert(page);
    const pageCount = await page.getByRole('button', { name: /^Page \d+, read/ }).count();
    await expect.poll(async () => (await page.evaluate(readStored)).pictures.length).toBe(pageCount);
    results.set(name, await page.evaluate(readStored));
    return;
  }
  // of the same origin, but not a page of the app
  await page.goto('/robots.txt');
  await page.evaluate(writeStored, known);
  await page.goto('/convert');
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible();
}

async function readStored(): Promise<StoredResult> {
  const record = sessionStorage.getItem('inkproof.conversion') ?? '{}';
  const { conversionId } = JSON.parse(record);
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('inkproof', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('page-images');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const store = database.transaction('page-images').objectStore('page-images');
  const all = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
  const [keys, blobs] = await Promise.all([all(store.getAllKeys()), all<Blob[]>(store.getAll())]);
  database.close();
  const pictures: [string, string][] = [];
  for (const [index, blob] of blobs.entries()) {
    const key = String(keys[index]);
    if (!key.startsWith(`${conversionId}/`)) continue;
    const reader = new FileReader();
    await new Promise((resolve) => {
      reader.onload = resolve;
      reader.readAsDataURL(blob);
    });
    pictures.push([key, reader.result as string]);
  }
  return { record, pictures };
}

async function writeStored({ record, pictures }: StoredResult): Promise<void> {
  sessionStorage.setItem('inkproof.conversion', record);
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('inkproof', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('page-images');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const transaction = database.transaction('page-images', 'readwrite');
  for (const [key, url] of pictures) {
    const [, type = '', base64 = ''] = /^data:([^;]*);base64,(.*)$/.exec(url) ?? [];
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    transaction.objectStore('page-images').put(new Blob([bytes], { type }), key);
  }
  await new Promise((resolve) => {
    transaction.oncomplete = resolve;
  });
  database.close();
}
