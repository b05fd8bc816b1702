/** The editor and the assistant, for its flows. */
import type { Browser, Page } from '@playwright/test';
import { type main, storageOf } from '../product/accounts.ts';
import { createWriter } from '../product/with-model.ts';
import { editor, expect } from '../test.ts';

export const latex = [
  '\\documentclass{article}',
  '\\begin{document}',
  'The first sum is $1+1=3$.',
  '',
  'In between stands a line.',
  '',
  'The second sum is $2+2=5$.',
  '',
  'Here it ends.',
  '\\end{document}',
  '',
].join('\n');

export const block = (find: string, to: string) =>
  `<change-find>\n${find}\n</change-find>\n<change-to>\n${to}\n</change-to>\n`;

export const bothSums = `I correct both sums, so that $1+1=2$.\n\n${block('1+1=3', '1+1=2')}${block('2+2=5', '2+2=4')}`;

/** Opens a document of a new account, with the assistant open. */
export async function openDocument(browser: Browser, address: typeof main, text = latex) {
  const writer = await createWriter(address, text);
  const context = await browser.newContext({
    baseURL: address.url,
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins: [await storageOf(address, writer.email)] },
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`/documents/${writer.documentId}`);
  await expect(editor(page)).toContainText('documentclass');
  await page.getByRole('button', { name: 'Assistant', exact: true }).click();
  await expect(question(page)).toBeVisible();
  return {
    page,
    ...writer,
    /** The saved text. */
    saved: async () => {
      const answer = await fetch(`${address.apiUrl}/api/v1/documents/${writer.documentId}`, {
        headers: { Authorization: `Bearer ${writer.token}` },
      });
      return ((await answer.json()) as { latex: string }).latex;
    },
    end: async () => {
      await context.close();
      expect(faults, 'errors on the console').toEqual([]);
    },
  };
}

export const question = (page: Page) => page.getByRole('textbox', { name: 'Ask the assistant' });

export const card = (page: Page) => page.getByRole('region', { name: 'Proposed change' });

export const inSource = (page: Page) => page.getByRole('group', { name: /^Proposed change/ });

export async function ask(page: Page, words: string) {
  await question(page).fill(words);
  // the previous answer has ended
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await page.keyboard.press('Enter');
}
