/** A browser with an empty library, for imports and exports. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { openBrowser } from '../product/accounts.ts';
import { expect } from '../test.ts';
import { type OwnLibrary, openLibrary } from './library.ts';

export interface Flow {
  library: OwnLibrary;
  page: Page;
}

/** A browser signed in to an empty library; closed after the flow. */
export async function open(browser: Browser, run: (flow: Flow) => Promise<void>): Promise<void> {
  const library = await openLibrary();
  const context = await openBrowser(browser, library.email);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  try {
    await run({ library, page });
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

export async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'New document' }).first().click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** The file downloaded by a press. */
export async function download(
  page: Page,
  press: () => Promise<void>,
): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await press();
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}
