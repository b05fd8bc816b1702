import { convert, editor, expect, listAxeViolations, pdfText, putDown, test } from '../support/test.ts';

test('pages are moved, rotated and removed by keyboard alone, and the document follows [§3 Converter: file, filteredFile, startPage, endPage]', async ({
  page,
}) => {
  await putDown(page, 'pdf/algorithms-and-kinetics.pdf');
  const tray = page.getByRole('region', { name: 'Pages' });
  await expect(tray.getByRole('listitem')).toHaveCount(2);
  expect(await listAxeViolations(page)).toEqual([]);

  // with the drag handle's keys
  await page.getByRole('button', { name: 'Move page 2', exact: true }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Picked up page 2 of 2.')).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('Over position 1 of 2.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(tray.getByRole('button', { name: /^Page 1 of 2: .*page 2 of the file/ })).toBeVisible();

  // and with the shortcut on the page itself, there and back
  await tray.getByRole('button', { name: /^Page 1 of 2/ }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(tray.getByRole('button', { name: /^Page 2 of 2: .*page 2 of the file/ })).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');

  await tray.getByRole('button', { name: 'Rotate page 1 clockwise' }).focus();
  for (const turned of ['rotated 90', 'rotated 180', 'rotated 270']) {
    await page.keyboard.press('Enter');
    await expect(tray.getByRole('button', { name: new RegExp(`^Page 1 of 2: .*${turned}`) })).toBeVisible();
  }
  await page.keyboard.press('Enter');
  await expect(tray.getByRole('button', { name: /rotated/ })).toHaveCount(0);

  await tray.getByRole('button', { name: /^Page 2 of 2/ }).focus();
  await page.keyboard.press('Delete');
  await expect(tray.getByRole('listitem')).toHaveCount(1);
  await expect(tray.getByRole('button', { name: /^Page 1 of 1/ })).toBeFocused();
  await tray.getByRole('button', { name: 'Undo' }).click();
  await expect(tray.getByRole('listitem')).toHaveCount(2);

  // the second page now comes first, both in the request and in the result
  await convert(page);
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  const source = await editor(page).textContent();
  expect(source).toBeTruthy();
  await page.getByRole('tab', { name: 'PDF' }).click();
  await expect(pdfText(page)).toContainText(/kinetic/i);
});
