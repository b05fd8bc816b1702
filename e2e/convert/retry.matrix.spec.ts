/** A page that is read again after the document was edited. */
import { convertWithFailedPage } from '../support/screens/failed-page.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

test('a document edited in the meantime is replaced only if its owner agrees', async ({ page }) => {
  await convertWithFailedPage(page);
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('% mine\n');
  await page
    .getByRole('region', { name: 'Pages' })
    .getByRole('button', { name: 'Read page 2 again' })
    .click();
  await expect(page.getByText('Using it replaces your edits.')).toBeVisible();
  await expect(editor(page)).toContainText('% mine');
  await page.getByRole('button', { name: 'Use it' }).click();
  await expect(editor(page)).toContainText('Page one and page two.');
  await expect(editor(page)).not.toContainText('% mine');
});

test('a failed page is read again and added to the document', async ({ page }) => {
  await convertWithFailedPage(page);
  expect(await listAxeViolations(page)).toEqual([]);
  await expect(page.getByRole('button', { name: 'Page 2, could not be read' })).toBeVisible();
  await page
    .getByRole('region', { name: 'LaTeX and PDF' })
    .getByRole('button', { name: 'Read page 2 again' })
    .click();
  await expect(page.getByRole('button', { name: 'Page 2, read' })).toBeVisible();
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await expect(editor(page)).toContainText('Page one and page two.');
});
