/** Pages that cannot be accepted, and responses that fail on the way. */
import { readFile } from 'node:fs/promises';
import {
  convertButton,
  editor,
  expect,
  fixture,
  listAxeViolations,
  pdfText,
  putDown,
  test,
} from '../support/test.ts';

test.use({ allowRefusals: true });

test('a document that is too long shows the limit and its page count, and can be cut to a range [§8 PDF_TOO_LONG]', async ({
  page,
}) => {
  await putDown(page, 'bad/300-pages.pdf');
  await convertButton(page).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(
    'Your PDF is longer than the allowed limit. Try splitting it into smaller parts.',
  );
  await expect(alert).toContainText('One conversion can have 200 pages; 300 were sent.');
  expect(await listAxeViolations(page)).toEqual([]);
  await page.getByLabel('to', { exact: true }).fill('2');
  await page.getByLabel('to', { exact: true }).press('Enter');
  await expect(convertButton(page)).toHaveText('Convert 2 pages');
  await convertButton(page).click();
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
});

test('nothing is lost on an error: no connection, an unreadable response, then one with only what the contract promises [§3 Process response: latex, pdf_base64, warnings; §4 Conversion: afterwards nothing is under way; §4 Conversion: an empty answer is an unexpected format; §8 Network error on upload; §8 Unexpected response format.]', async ({
  page,
}) => {
  await putDown(page, 'pdf/probability-table.pdf');
  await test.step('no connection', async () => {
    await page.route('**/api/v1/process', (route) => route.abort('connectionreset'));
    await convertButton(page).click();
    await expect(page.getByRole('alert')).toHaveText('Network error. Check your connection and try again.');
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await page.unroute('**/api/v1/process');
  });
  await test.step('an answer that is none', async () => {
    await page.route('**/api/v1/process', (route) => route.fulfill({ status: 200, json: {} }));
    await convertButton(page).click();
    await expect(page.getByRole('alert')).toHaveText('Unexpected response format.');
    await page.unroute('**/api/v1/process');
  });
  await test.step('an answer with no more than the contract promises is a result', async () => {
    const pdf = (await readFile(fixture('pdf/probability-table.pdf'))).toString('base64');
    const latex = '\\documentclass{article}\\begin{document}As promised.\\end{document}';
    await page.route('**/api/v1/process', (route) =>
      route.fulfill({ json: { latex, pdf_base64: pdf, warnings: [] } }),
    );
    await convertButton(page).click();
    await expect(pdfText(page)).toContainText('summary of common distributions');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await expect(editor(page)).toContainText('As promised.');
  });
});
