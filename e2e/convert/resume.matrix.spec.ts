/** A conversion whose connection is lost, and recovers by itself. */
import { breakLine } from '../support/product/broken-line.ts';
import { convertButton, expect, pdfText, putDown, test } from '../support/test.ts';

test.describe('without a connection', () => {
  test.use({ allowRefusals: true });

  test('a lost connection is reported, the work goes on, and the page catches up', async ({ page }) => {
    await putDown(page, 'pdf/algorithms-and-kinetics.pdf');
    const reconnect = await breakLine(page);
    await convertButton(page).click();
    await expect(page.getByText('The connection was lost.', { exact: false })).toBeVisible();
    // whichever page is read first
    await expect(page.getByRole('button', { name: /^Page \d, read/ }).first()).toBeVisible();
    await reconnect();
    await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
    await expect(pdfText(page)).toContainText('Binary search');
    await expect(page.getByRole('button', { name: /^Page \d, read/ })).toHaveCount(2);
  });
});

test('cancelling a conversion puts the pages back on the desk', async ({ page }) => {
  await putDown(page, 'scans/probability-table+grammaire-subjonctif-image-only.pdf');
  await convertButton(page).click();
  await expect(page.getByRole('button', { name: /^Page 1, (being read|read)/ })).toBeVisible({
    timeout: 120_000,
  });
  const cancelled = page.waitForResponse((response) => response.url().endsWith('/cancel'));
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect((await cancelled).status()).toBe(200);
  await expect(convertButton(page)).toHaveText('Convert 3 pages');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
});
