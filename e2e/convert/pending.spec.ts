/** A visitor drops a file and presses Convert: after any way of signing in, the conversion continues by itself. */
import { createAccount, main, visitor } from '../support/product/accounts.ts';
import { authDialog, fillDialog, logOut, submit } from '../support/screens/dialog.ts';
import { convertButton, expect, pdfText, putDown, test } from '../support/test.ts';

test.use(visitor);

test('after logging in, the same pages are converted, in their order', async ({ page }) => {
  const email = await createAccount();
  await putDown(page, 'scans/grammaire-subjonctif-scan-p1.jpg', 'pdf/probability-table.pdf');
  await page.getByRole('button', { name: /^Page 1 of 2/ }).click();
  await page.keyboard.press('Delete');
  await expect(convertButton(page)).toHaveText('Convert 1 page');
  await convertButton(page).click();
  await expect(authDialog(page)).toContainText('Your pages stay in the converter.');
  await submit(page, 'Log In').click();
  await fillDialog(page, 'Log In', email);
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
  await expect(pdfText(page)).toContainText('distributions');

  // signing out leaves nothing behind
  await logOut(page);
  await expect(page).toHaveURL(`${main.url}/`);
  await page.goto('/convert');
  await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
});
