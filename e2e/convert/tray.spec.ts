import { createAccount, visitor } from '../support/product/accounts.ts';
import { fillDialog } from '../support/screens/dialog.ts';
import { expectImported, latexFile } from '../support/screens/tray.ts';
import {
  convert,
  convertButton,
  editor,
  expect,
  listAxeViolations,
  pdfText,
  putDown,
  test,
} from '../support/test.ts';

test('pages are moved, turned and taken out by keyboard alone, and the document follows [§3 Converter: file, filteredFile, startPage, endPage]', async ({
  page,
}) => {
  await putDown(page, 'pdf/algorithms-and-kinetics.pdf');
  const tray = page.getByRole('region', { name: 'Pages' });
  await expect(tray.getByRole('listitem')).toHaveCount(2);
  expect(await listAxeViolations(page)).toEqual([]);

  // by the drag handle's keys
  await page.getByRole('button', { name: 'Move page 2', exact: true }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Picked up page 2 of 2.')).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('Over place 1 of 2.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(tray.getByRole('button', { name: /^Page 1 of 2: .*its page 2/ })).toBeVisible();

  // and by the shortcut on the page itself, there and back
  await tray.getByRole('button', { name: /^Page 1 of 2/ }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(tray.getByRole('button', { name: /^Page 2 of 2: .*its page 2/ })).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');

  await tray.getByRole('button', { name: 'Turn page 1 clockwise' }).focus();
  for (const turned of ['turned 90', 'turned 180', 'turned 270']) {
    await page.keyboard.press('Enter');
    await expect(tray.getByRole('button', { name: new RegExp(`^Page 1 of 2: .*${turned}`) })).toBeVisible();
  }
  await page.keyboard.press('Enter');
  await expect(tray.getByRole('button', { name: /turned/ })).toHaveCount(0);

  await tray.getByRole('button', { name: /^Page 2 of 2/ }).focus();
  await page.keyboard.press('Delete');
  await expect(tray.getByRole('listitem')).toHaveCount(1);
  await expect(tray.getByRole('button', { name: /^Page 1 of 1/ })).toBeFocused();
  await tray.getByRole('button', { name: 'Undo' }).click();
  await expect(tray.getByRole('listitem')).toHaveCount(2);

  // the second page now comes first, in what is sent and in what comes back
  await convert(page);
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  const source = await editor(page).textContent();
  expect(source).toBeTruthy();
  await page.getByRole('tab', { name: 'PDF' }).click();
  await expect(pdfText(page)).toContainText(/kinetic/i);
});

test('a file that is neither a PDF nor a picture is named as that before anything is sent; who has nothing at hand can try a sample', async ({
  page,
}) => {
  await page.goto('/convert');
  await page.getByRole('button', { name: 'Try a sample page' }).click();
  await expect(convertButton(page)).toHaveText('Convert 1 page');
  await page.getByRole('button', { name: 'Clear the desk' }).click();
  await page.getByLabel('Choose files').setInputFiles({
    name: 'notes.docx',
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    buffer: Buffer.from('PK\u0003\u0004'),
  });
  await expect(page.getByText('notes.docx is neither a PDF nor a picture.', { exact: false })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Ink' })).toContainText(
    'HEIC, WebP, TIFF and AVIF can be read',
  );
  await expect(page.getByText('How many pages there are', { exact: false })).toHaveCount(0);
});

test.describe('LaTeX on the desk', () => {
  test.use(visitor);
  test('leads to the import, through a sign-in where nobody is signed in', async ({ page }) => {
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
