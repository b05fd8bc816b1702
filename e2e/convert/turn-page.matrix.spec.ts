/** A page of a result that is sideways or upside down is rotated and read again, free of charge. */
import { convertButton, expect, listAxeViolations, putDown, test } from '../support/test.ts';

test('a page of a result is rotated and the document read again, without charging its pages again', async ({
  page,
}) => {
  await putDown(page, 'pdf/grammaire-subjonctif.pdf');
  await convertButton(page).click();
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
  const conversion = () =>
    page.evaluate(() => JSON.parse(sessionStorage.getItem('inkproof.conversion') ?? '{}').conversionId);
  const first = await conversion();
  const ink = page.getByRole('region', { name: 'Ink' });
  await ink.getByRole('button', { name: 'Rotate right' }).click();
  await expect(ink.getByText('Page 1 is turned.')).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  await ink.getByRole('button', { name: 'Undo' }).click();
  await expect(ink.getByText('Page 1 is turned.')).toBeHidden();

  // a full rotation changes nothing
  for (let times = 0; times < 4; times++) await ink.getByRole('button', { name: 'Rotate left' }).click();
  await expect(ink.getByText('Page 1 is turned.')).toBeHidden();

  await ink.getByRole('button', { name: 'Rotate left' }).click();
  await ink.getByRole('button', { name: 'Read again' }).click();
  await expect.poll(conversion).not.toBe(first);
  // the earlier document is still there for whoever changes their mind
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible();
  expect(await conversion()).toBe(first);
});
