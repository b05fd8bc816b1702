/** A result of the converter is kept among the documents: as it is, as it was changed, and after a sign-in. */
import { main, runUserCommand, signIn, visitor } from './support/accounts.ts';
import { latexOf } from './support/library.ts';
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
});
