/** A page that fails and is read again. */
import { convertWithFailedPage } from '../support/screens/failed-page.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

test('a failed page is read again and joins the document', async ({ page }) => {
  await convertWithFailedPage(page);
  expect(await listAxeViolations(page)).toEqual([]);
  await expect(page.getByRole('button', { name: 'Page 2, could not be read' })).toBeVisible();
  await page
    .getByRole('region', { name: 'Print' })
    .getByRole('button', { name: 'Read page 2 again' })
    .click();
  await expect(page.getByRole('button', { name: 'Page 2, read' })).toBeVisible();
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await expect(editor(page)).toContainText('Page one and page two.');
});
