/** A result that is saved after a sign-out. */
import { visitor } from './support/accounts.ts';
import { fillDialog } from './support/dialog.ts';
import { convertAs, dialog, type Kept, saveButton } from './support/save-result.ts';
import { editor, expect, test } from './support/test.ts';

test.use(visitor);

test.describe('refused', () => {
  test.use({ allowRefusals: true });

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
