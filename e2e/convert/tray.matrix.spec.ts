/** Other ways of adding files: pasted, early, as HEIC, without a connection. */

import { readFile } from 'node:fs/promises';
import { createAccount, openBrowser, visitor } from '../support/product/accounts.ts';
import { fillDialog } from '../support/screens/dialog.ts';
import { expectImported, latexFile } from '../support/screens/tray.ts';
import {
  convert,
  convertButton,
  expect,
  fixture,
  holdApp,
  listAxeViolations,
  pdfText,
  putDown,
  test,
} from '../support/test.ts';

test('a range of a PDF is chosen, and only its pages are converted [§3 Converter: file, filteredFile, startPage, endPage]', async ({
  page,
}) => {
  await putDown(page, 'pdf/calculus-limits-integrals.pdf');
  await expect(page.getByText('4 pages', { exact: true })).toBeVisible();
  await page.getByLabel('From').fill('4');
  await page.getByLabel('From').press('Enter');
  await expect(convertButton(page)).toHaveText('Convert 1 page');
  await convert(page);
  await expect(pdfText(page)).toContainText('Homework');
  await expect(pdfText(page)).not.toContainText('Limits worth remembering');
});

test('several images become one document, in the order of the tray; more can be added', async ({ page }) => {
  await putDown(page, 'scans/grammaire-subjonctif-scan-p2.jpg');
  await page
    .getByLabel('Add', { exact: true })
    .setInputFiles([fixture('scans/grammaire-subjonctif-scan-p1.jpg')]);
  const tray = page.getByRole('region', { name: 'Pages' });
  await expect(tray.getByRole('listitem')).toHaveCount(2);
  await tray.getByRole('button', { name: /^Page 2 of 2/ }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(
    tray.getByRole('button', { name: /^Page 1 of 2: grammaire-subjonctif-scan-p1/ }),
  ).toBeVisible();
  await convert(page);
  await expect(pdfText(page)).toContainText('subjonctif');
});

test.describe('LaTeX on the desk', () => {
  test.use(visitor);
  test('leaves the pages on the desk alone', async ({ browser }) => {
    const context = await openBrowser(browser, await createAccount());
    const page = await context.newPage();
    await putDown(page, 'images/grammaire-subjonctif-p1-crop.webp');
    await page.getByLabel('Add', { exact: true }).setInputFiles(latexFile);
    await expect(page.getByText('limits.tex is already LaTeX.', { exact: false })).toBeVisible();
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Import' }).click();
    await expectImported(await opened);
    await expect(convertButton(page)).toHaveText('Convert 1 page');
    await expect(page.getByText('already LaTeX', { exact: false })).toHaveCount(0);
    await context.close();
  });
});

test.describe('without a connection', () => {
  test.use({ allowRefusals: true, ...visitor });

  test('a PDF is added, the desk says what it is waiting for, and opens it when the connection is back', async ({
    page,
    context,
  }) => {
    await page.goto('/convert');
    // the desk is loaded at the first movement once the page responds
    let x = 200;
    await expect
      .poll(async () => {
        await page.mouse.move(x++, 300);
        return await page.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => /\/desk-[^/]+\.js$/.test(name)),
        );
      })
      .toBe(true);
    await context.setOffline(true);
    await page.getByLabel('Choose files').setInputFiles(fixture('pdf/probability-table.pdf'));
    await expect(page.getByText('You are offline. Your pages stay here', { exact: false })).toBeVisible();
    await context.setOffline(false);
    await expect(convertButton(page)).toHaveText('Convert 1 page');
    await expect(page.getByText('You are offline.', { exact: false })).toHaveCount(0);
  });
});

test('a HEIC photo, which this browser cannot show, has a named tile until it is read', async ({ page }) => {
  await putDown(page, 'images/problem-sheet-number-theory-p1-photo.heic');
  await expect(
    page.getByText('Your browser cannot show this picture. It appears once the page has been read.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rotate page 1 clockwise' })).toBeDisabled();
  await convert(page);
  await expect(page.getByRole('region', { name: 'Ink' }).locator('img')).toBeVisible();
});

test('a pasted image is added to the desk', async ({ page }) => {
  await page.goto('/convert');
  const bytes = (await readFile(fixture('images/grammaire-subjonctif-p1-crop.webp'))).toString('base64');
  await page.evaluate((base64) => {
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([data], 'pasted.webp', { type: 'image/webp' }));
    dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
  }, bytes);
  await expect(page.getByRole('button', { name: 'Page 1 of 1: pasted.webp' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
});

test('files dropped before the app has loaded are on the desk once it has', async ({ page }) => {
  const letThrough = await holdApp(page);
  await page.goto('/convert', { waitUntil: 'commit' });
  const picking = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await picking).setFiles(fixture('pdf/probability-table.pdf'));
  const bytes = (await readFile(fixture('images/grammaire-subjonctif-p1-crop.webp'))).toString('base64');
  const isHandled = await page.evaluate((base64) => {
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([data], 'dropped.webp', { type: 'image/webp' }));
    // false: the browser is prevented from opening the file itself
    return !document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
    );
  }, bytes);
  expect(isHandled).toBe(true);
  await expect(page.getByText('Your files have been added.', { exact: false })).toBeVisible();
  letThrough();
  await expect(page.getByRole('button', { name: /^Page 1 of 2: probability-table/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Page 2 of 2: dropped.webp' })).toBeVisible();
});

test('a file that is neither a PDF nor an image is rejected as such before anything is sent', async ({
  page,
}) => {
  await page.goto('/convert');
  await page.getByLabel('Choose files').setInputFiles({
    name: 'notes.docx',
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    buffer: Buffer.from('PK\u0003\u0004'),
  });
  await expect(page.getByText('notes.docx is neither a PDF nor a picture.', { exact: false })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Ink' })).toContainText(
    'Supported files: PDF, JPEG, PNG, HEIC, WebP, TIFF and AVIF',
  );
  await expect(page.getByText('The pages are counted', { exact: false })).toHaveCount(0);
});

test.describe('LaTeX on the desk of a visitor', () => {
  test.use(visitor);
  test('leads to the import, after logging in', async ({ page }) => {
    await page.goto('/convert');
    await page.getByLabel('Choose files').setInputFiles(latexFile);
    await expect(page.getByText('limits.tex is already LaTeX.', { exact: false })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Log In' }).click();
    await fillDialog(page, 'Log In', await createAccount());
    await expectImported(page);
  });
});
