import { breakLine } from '../support/product/broken-line.ts';
import { convertButton, expect, pdfText, putDown, test } from '../support/test.ts';

test.describe('without a connection', () => {
  test.use({ allowRefusals: true });

  test('reloading half-way picks the conversion up again', async ({ page }) => {
    await putDown(page, 'pdf/grammaire-subjonctif.pdf');
    const reconnect = await breakLine(page);
    await convertButton(page).click();
    // whichever page is read first
    const first = page.getByRole('button', { name: /^Page \d, read/ }).first();
    await expect(first).toBeVisible();
    await expect(first.locator('img')).toBeVisible();
    await expect(page.getByText('The connection was lost.', { exact: false })).toBeVisible();
    await reconnect();
    await page.reload();
    // what was read before is there at once, with its picture
    await expect(first).toBeVisible();
    await expect(first.locator('img')).toBeVisible();
    await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
    await expect(pdfText(page)).toContainText('subjonctif');
    await expect(page.getByRole('button', { name: /^Page \d, read/ })).toHaveCount(2);

    // and reloading the result restores edits that were never compiled, and the ink
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await page.getByRole('textbox', { name: 'LaTeX source' }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('% my own note\n');
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem('inkproof.draft')))
      .toContain('% my own note');
    await page.reload();
    await expect(page.getByRole('region', { name: 'Ink' }).locator('img')).toBeVisible();
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await expect(page.getByRole('textbox', { name: 'LaTeX source' })).toContainText('% my own note');
  });
});
