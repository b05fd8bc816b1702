/** A result that is saved after a sign-out, at the document limit, and over a change made elsewhere. */
import { main, runUserCommand, signIn, visitor } from '../support/product/accounts.ts';
import { fillDialog } from '../support/screens/dialog.ts';
import { latexOf } from '../support/screens/library.ts';
import { convertAs, dialog, type SavedDocument, saveButton } from '../support/screens/save-result.ts';
import { editor, expect, test } from '../support/test.ts';

test.use(visitor);

test.describe('errors', () => {
  test.use({ allowRefusals: true });

  test('edited, then signed out: asked to log in, and the edited text is what is saved', async ({ page }) => {
    const { call, email, list } = await convertAs(page, 'pdf/probability-table.pdf');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('% edited first');
    // the session is over, as after a password change elsewhere
    await page.evaluate(() => {
      localStorage.removeItem('inkproof-auth');
      dispatchEvent(new StorageEvent('storage', { key: 'inkproof-auth' }));
    });
    await saveButton(page).click();
    await dialog(page).getByLabel('Title').fill('Kept after a login');
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog(page)).toContainText('Log in or sign up to save. The result stays here.');
    await fillDialog(page, 'Log In', email);
    await expect(dialog(page)).toContainText('“Kept after a login” is in your documents.');
    const documents = await list();
    expect(documents).toMatchObject([{ title: 'Kept after a login' }]);
    const stored = await call<SavedDocument>(`/documents/${documents[0]!.id}`);
    expect(stored.latex).toContain('% edited first');
    expect(stored.pages).toEqual([]);
  });

  test('the document limit has its own message; if the document changed in the editor meanwhile, nothing is overwritten and a second document is offered [§8 DOCUMENT_LIMIT_EXCEEDED]', async ({
    page,
  }) => {
    const { call, list, email } = await convertAs(page, 'pdf/probability-table.pdf');
    const other = await call<SavedDocument>('/documents', {
      title: 'Before',
      latex: latexOf('Kept before.'),
    });
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
    const stored = await call<SavedDocument>(`/documents/${id}`);
    const { access_token: token } = await signIn(main, email);
    await fetch(`${main.apiUrl}/api/v1/documents/${stored.id}/latex`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ base_version: stored.version, latex: `${stored.latex}% elsewhere` }),
    });
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('% here');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog(page)).toContainText('has since been changed in its editor');
    expect((await call<SavedDocument>(`/documents/${stored.id}`)).latex).toContain('% elsewhere');
    await dialog(page).getByRole('button', { name: 'Save as a new document' }).click();
    await expect(dialog(page).getByRole('link', { name: 'Open' })).toBeVisible();
    expect(await list()).toHaveLength(3);
  });
});
