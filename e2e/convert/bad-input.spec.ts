import { readFile } from 'node:fs/promises';
import { chooseFrom } from '../../test-support/matrix.ts';
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

const copyright = 'We detected copyrighted material. Ensure you have the rights or try a different file.';
/** The most telling first. Of those without a sentence here the server's own is shown. */
const refused: { name: string; says: RegExp | string }[] = [
  { name: 'bad/encrypted.pdf', says: /password/i },
  { name: 'bad/copyrighted.pdf', says: copyright },
  { name: 'bad/truncated.pdf', says: /damaged|export/i },
  { name: 'bad/html-named.pdf', says: /not a PDF|neither/i },
  { name: 'bad/empty.pdf', says: /empty/i },
  { name: 'bad/zero-pages.pdf', says: /no pages/i },
];

for (const { name, says } of chooseFrom(import.meta.filename, refused, 2))
  test(`${name} is refused in words that say what to do, and the desk stays as it was [§8 COPYRIGHTED_PDF; §8 INVALID_INPUT]`, async ({
    page,
  }) => {
    await putDown(page, name);
    const answered = page.waitForResponse('**/api/v1/process');
    await convertButton(page).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(says);
    if (says instanceof RegExp) {
      const { code, error } = await (await answered).json();
      expect(code).toBe('INVALID_INPUT');
      await expect(alert).toHaveText(error);
    }
    expect(await listAxeViolations(page)).toEqual([]);
    await expect(page.getByRole('region', { name: 'Pages' }).getByRole('listitem').first()).toBeVisible();
  });

test('a document that is too long is told the limit and its pages beside the sentence, and helped by a range [§8 PDF_TOO_LONG]', async ({
  page,
}) => {
  await putDown(page, 'bad/300-pages.pdf');
  await convertButton(page).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(
    'Your PDF is longer than the allowed limit. Try splitting it into smaller parts.',
  );
  await expect(alert).toContainText('One conversion takes 200 pages; there are 300 here.');
  expect(await listAxeViolations(page)).toEqual([]);
  await page.getByLabel('to', { exact: true }).fill('2');
  await page.getByLabel('to', { exact: true }).press('Enter');
  await expect(convertButton(page)).toHaveText('Convert 2 pages');
  await convertButton(page).click();
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
});

test('what fails on the way loses nothing: no connection, an answer that is none, then one with no more than the contract promises [§3 Process response: latex, pdf_base64, warnings; §4 Conversion: afterwards nothing is under way; §4 Conversion: an empty answer is an unexpected format; §8 Network error on upload; §8 Unexpected response format.]', async ({
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
