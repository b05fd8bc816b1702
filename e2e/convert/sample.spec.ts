/** A visitor tries a result before having an account. */
import { readFile } from 'node:fs/promises';
import { createAccount, visitor } from '../support/product/accounts.ts';
import { authDialog, fillDialog } from '../support/screens/dialog.ts';
import { dialog, saveButton } from '../support/screens/save-result.ts';
import { editor, expect, expectGoodLooks, pdfText, test } from '../support/test.ts';

test.use(visitor);

test('the sample page opens its full result without an account: ink, PDF, source and doubts; it can be edited, reloaded and saved', async ({
  page,
}) => {
  await page.goto('/convert');
  await page.getByRole('button', { name: 'Try a sample page' }).click();
  await expect(pdfText(page)).toContainText('Exponential decay');
  await expect(page.getByRole('img', { name: 'Page 1' })).toBeVisible();
  await expect(page.getByText('A sample page', { exact: false })).toBeVisible();
  await expectGoodLooks(page);

  // a doubtful spot is next to its ink; its text is typed, accepted and undone
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  const spots = page.getByRole('region', { name: 'Doubtful spots' });
  await spots.getByRole('button', { name: 'Check' }).click();
  await expect(spots.getByRole('group', { name: 'Doubtful spot' })).toBeFocused();
  await expect(page.getByRole('img', { name: /^Original ink/ })).toBeVisible();
  // only the editor scrolls to the spot: the page stays where it is
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(spots.getByRole('button', { name: /^1, as it reads: / })).toBeVisible();
  await page.keyboard.type('z=1');
  await page.keyboard.press('Enter');
  await expect(editor(page)).toContainText('\\[ z=1 \\]');
  await page.waitForFunction(() => sessionStorage.getItem('inkproof.draft')?.includes('"checked":1'));
  await spots.getByRole('button', { name: 'Undo' }).click();
  await expect(editor(page)).toContainText('\\[ \\frac{dy}{dt}=-ky \\]');
  await expect(spots).toContainText('0 of');

  // what is downloaded has the doubts in it
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('menuitem', { name: 'LaTeX source' }).click();
  const source = await readFile(await (await saved).path(), 'utf8');
  expect(source).toMatch(/\\\[ .*\\unsure\{.+\} .*\\\]/);

  // what a visitor types is compiled, and is there after a reload
  await editor(page).getByText('the solution is').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' simply');
  await expect(pdfText(page)).toContainText('the solution is simply');
  await page.waitForFunction(() => sessionStorage.getItem('inkproof.draft')?.includes('simply'));
  await page.reload();
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await expect(editor(page)).toContainText('the solution is simply');

  // saving it needs an account
  await saveButton(page).click();
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(authDialog(page)).toContainText('Log in or sign up to save.');
  await fillDialog(page, 'Log In', await createAccount());
  await expect(dialog(page)).toContainText('is in your documents.');
  await dialog(page).getByRole('button', { name: 'Stay here' }).click();

  await page.getByRole('button', { name: 'Convert your notes' }).click();
  await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
  await page.getByRole('button', { name: 'or a printed one' }).click();
  await expect(pdfText(page)).toContainText('summary of common distributions');
});
