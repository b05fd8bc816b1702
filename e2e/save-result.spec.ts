/** A result of the converter is kept among the documents: as it is, as it was changed, and after a sign-in. */
import { visitor } from './support/accounts.ts';
import { convertAs, dialog, type Kept, saveButton } from './support/save-result.ts';
import { editor, expect, listAxeViolations, pdfText, test } from './support/test.ts';

test.use(visitor);

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
