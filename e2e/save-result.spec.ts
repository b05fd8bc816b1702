/** A result of the converter is kept among the documents: as it is, as it was changed, and after a sign-in. */
import type { Page } from '@playwright/test';
import { createAccount, main, runUserCommand, signIn, storageOf, visitor } from './support/accounts.ts';
import { fillDialog } from './support/dialog.ts';
import { latexOf } from './support/library.ts';
import { convert, editor, expect, listAxeViolations, pdfText, putDown, test } from './support/test.ts';

test.use(visitor);

interface Kept {
  id: string;
  title: string;
  latex: string;
  version: number;
  folder_id: string | null;
  figures: { name: string }[];
  pages: { number: number }[];
}

/** Converts in a new account. @returns its address and calls in its name */
async function convertAs(page: Page, file: string) {
  const email = await createAccount();
  const { localStorage: items } = await storageOf(main, email);
  await page.goto('/convert');
  await page.evaluate((kept) => {
    for (const { name, value } of kept) localStorage.setItem(name, value);
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
  const list = async () => (await call<{ documents: Kept[] }>('/documents')).documents;
  return { email, call, list };
}

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save to my documents' });
const dialog = (page: Page) => page.getByRole('dialog');

test('saved with its pages into a folder, opened, and saved again as it is changed', async ({ page }) => {
  const { call, list } = await convertAs(page, 'pdf/probability-table.pdf');
  const folder = await call<{ id: string }>('/folders', { name: 'Statistics' });
  await saveButton(page).click();
  const title = dialog(page).getByLabel('Title');
  await expect(title).not.toHaveValue('');
  await title.fill('Distributions');
  await dialog(page).getByLabel('Folder').selectOption({ label: 'Statistics' });
  const images = dialog(page).getByRole('checkbox', { name: 'Keep the page images' });
  await expect(images).not.toBeChecked();
  await images.check();
  expect(await listAxeViolations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog(page)).toContainText('“Distributions” is among your documents.');
  const [kept] = await list();
  expect(kept).toMatchObject({ title: 'Distributions', folder_id: folder.id });
  const first = await call<Kept>(`/documents/${kept!.id}`);
  expect(first.pages).toHaveLength(1);
  await page.keyboard.press('Escape');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  // the button that opened the dialog is gone: the keyboard goes on where it stood
  await expect(page.getByRole('link', { name: 'Open', exact: true })).toBeFocused();

  // changed here: the same document again
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('% changed in the converter');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const second = await call<Kept>(`/documents/${kept!.id}`);
  expect(second.latex).toContain('% changed in the converter');
  expect(second.version).toBe(first.version + 1);
  expect(await list()).toHaveLength(1);

  // it is still known after a reload; saving once more makes no second one
  await page.reload();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(await list()).toHaveLength(1);
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/documents/${kept!.id}$`));
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Distributions');
  await expect(pdfText(page)).toContainText('distributions');
});

test.describe('refused', () => {
  test.use({ allowRefusals: true });

  test('the document limit in its own words; then, changed in the editor meanwhile, nothing is overwritten and a second document is offered [§8 DOCUMENT_LIMIT_EXCEEDED]', async ({
    page,
  }) => {
    const { call, list, email } = await convertAs(page, 'pdf/probability-table.pdf');
    const other = await call<Kept>('/documents', { title: 'Before', latex: latexOf('Kept before.') });
    await runUserCommand(main, 'limit', email, '1');
    await saveButton(page).click();
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog(page).getByRole('alert')).toHaveText(
      'You have reached your document limit. Please delete some documents to save new ones, or contact us at support@inkproof.example for more storage.',
    );
    await runUserCommand(main, 'limit', email, '200');

    // with room again, the same dialog saves
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Stay here' }).click();
    const { id } = (await list()).find((document) => document.id !== other.id)!;
    const kept = await call<Kept>(`/documents/${id}`);
    const { access_token: token } = await signIn(main, email);
    await fetch(`${main.apiUrl}/api/v1/documents/${kept.id}/latex`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ base_version: kept.version, latex: `${kept.latex}% elsewhere` }),
    });
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('% here');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog(page)).toContainText('changed in its editor since');
    expect((await call<Kept>(`/documents/${kept.id}`)).latex).toContain('% elsewhere');
    await dialog(page).getByRole('button', { name: 'Save as a new document' }).click();
    await expect(dialog(page).getByRole('link', { name: 'Open' })).toBeVisible();
    expect(await list()).toHaveLength(3);
  });

  test('edited, then signed out: asked to log in, and what was edited is what is kept', async ({ page }) => {
    const { call, email, list } = await convertAs(page, 'pdf/probability-table.pdf');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('% edited first');
    // the session is over, as after a password was changed elsewhere
    await page.evaluate(() => {
      localStorage.removeItem('inkproof-auth');
      dispatchEvent(new StorageEvent('storage', { key: 'inkproof-auth' }));
    });
    await saveButton(page).click();
    await dialog(page).getByLabel('Title').fill('Kept after a login');
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog(page)).toContainText('Log in or sign up to save. The result stays here.');
    await fillDialog(page, 'Log In', email);
    await expect(dialog(page)).toContainText('“Kept after a login” is among your documents.');
    const documents = await list();
    expect(documents).toMatchObject([{ title: 'Kept after a login' }]);
    const kept = await call<Kept>(`/documents/${documents[0]!.id}`);
    expect(kept.latex).toContain('% edited first');
    expect(kept.pages).toEqual([]);
  });
});
