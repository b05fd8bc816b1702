/** A page that is read again after the document was edited. */
import { convertWithFailedPage } from '../support/screens/failed-page.ts';
import { editor, expect, test } from '../support/test.ts';

test('a document that was edited meanwhile is replaced only if its owner wants that', async ({ page }) => {
  await convertWithFailedPage(page);
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('% mine\n');
  await page
    .getByRole('region', { name: 'Pages' })
    .getByRole('button', { name: 'Read page 2 again' })
    .click();
  await expect(page.getByText('Using it replaces what you edited here.')).toBeVisible();
  await expect(editor(page)).toContainText('% mine');
  await page.getByRole('button', { name: 'Use it' }).click();
  await expect(editor(page)).toContainText('Page one and page two.');
  await expect(editor(page)).not.toContainText('% mine');
});
