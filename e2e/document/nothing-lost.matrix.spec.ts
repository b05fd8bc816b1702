/** Nothing that was written is lost: a connection that recovers by itself, and an account that signs out. */

import type { Page } from '@playwright/test';
import { createAccount, password } from '../support/product/accounts.ts';
import { fillDialog, logOut } from '../support/screens/dialog.ts';
import {
  goToLine,
  open,
  type SavedDocument,
  saveLine,
  start,
  startWriter,
} from '../support/screens/writer.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

// requests are failed on purpose
test.use({ allowRefusals: true });

test('a returning connection is enough: nobody has to do anything', async ({ browser }) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const page = await open(writer.context, id);
  await writer.context.setOffline(true);
  await goToLine(page, 'Right part.');
  await page.keyboard.type(' More.');
  await expect(saveLine(page, 'Offline: kept on this device')).toBeVisible();
  // a part of the screen that was never loaded is waited for, without losing anything on the page
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await expect(editor(page)).toContainText('Right part. More.');
  await writer.context.setOffline(false);
  await expect(saveLine(page, 'Saved')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'History' })).toContainText('Now');
  expect((await writer.read(id)).latex).toContain('Right part. More.');
  await writer.context.close();
});

test('unsent text of one account is not shown to another, and waits for its owner; logging out warns about it', async ({
  browser,
}) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const page = await open(writer.context, id);
  // only this address fails, so that signing out works
  await writer.context.route('**/api/v1/documents/*/latex', (route) => route.abort());
  await goToLine(page, 'Left part.');
  await page.keyboard.type(' A secret of Ada.');
  await expect(saveLine(page, 'Offline: kept on this device')).toBeVisible();
  await logOut(page);
  const warning = page.getByRole('dialog', { name: 'You have unsaved changes' });
  await expect(warning.getByText('Lecture notes')).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  await warning.getByRole('button', { name: 'Log out and keep the changes here' }).click();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await writer.context.unroute('**/api/v1/documents/*/latex');

  const other = await createAccount();
  await logIn(page, other);
  await page.goto(`/documents/${id}`);
  await expect(page.getByRole('heading', { name: 'There is no such document' })).toBeVisible();
  await expect(page.getByText('A secret of Ada')).toHaveCount(0);
  expect((await writer.read(id)).latex).toBe(start);
  await logOut(page);
  await expect(warning).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();

  await logIn(page, writer.email);
  await page.goto(`/documents/${id}`);
  await expect(editor(page)).toContainText('Left part. A secret of Ada.');
  await expect(saveLine(page, 'Saved')).toBeVisible();
  expect((await writer.read(id)).latex).toContain('A secret of Ada.');
  await writer.context.close();
});

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login' }).click();
  await fillDialog(page, 'Log In', email, password);
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
}

test('the history: a version is named, compared with the current text, and restored; unsaved text is in it too', async ({
  browser,
}) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const second = start.replace('Left part.', 'Left part, second version.');
  await writer.call('PUT', `/documents/${id}/latex`, { base_version: 1, latex: second });
  const page = await open(writer.context, id);
  await page.getByRole('button', { name: 'History', exact: true }).click();
  const history = page.getByRole('complementary', { name: 'History' });
  await history.getByRole('button', { name: /^Name the version of .*created/ }).click();
  await history.getByLabel(/^Name of the version/).fill('As it was read');
  await history.getByRole('button', { name: 'Save name' }).click();

  await history.getByRole('button', { name: /As it was read: compare with now/ }).click();
  const comparison = page.getByRole('dialog', { name: 'What changed' });
  await expect(comparison.getByRole('textbox', { name: 'The earlier version' })).toContainText('Left part.');
  await expect(comparison.getByRole('textbox', { name: 'The later version' })).toContainText(
    'second version',
  );
  await comparison.getByRole('button', { name: 'Unified' }).click();
  await expect(comparison.locator('.cm-deletedChunk')).toHaveText('Left part.');
  await comparison.getByRole('button', { name: 'Close' }).first().click();

  // typed, then restored before the pause after which it would be saved
  await goToLine(page, 'Right part.');
  await page.keyboard.type(' Not saved yet.');
  await history.getByRole('button', { name: /^Restore the version of .*As it was read/ }).click();
  await expect(history.getByText(/is restored/)).toBeVisible();
  await expect(editor(page)).not.toContainText('second version');
  expect(await writer.read(id)).toMatchObject({ latex: start, version: 4 });
  const { versions } = await writer.call<{ versions: { cause: string; version: number }[] }>(
    'GET',
    `/documents/${id}/versions`,
  );
  expect(versions.map(({ cause }) => cause)).toEqual(['restore', 'edit', 'edit', 'create']);
  expect((await writer.call<SavedDocument>('GET', `/documents/${id}/versions/3`)).latex).toContain(
    'Not saved yet.',
  );
  // one step, which Undo reverts
  await editor(page).click();
  await page.keyboard.press('Control+z');
  await expect(editor(page)).toContainText('second version');
  await expect(editor(page)).toContainText('Not saved yet.');
  await writer.context.close();
});
