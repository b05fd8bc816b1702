import { visitor } from '../support/product/accounts.ts';
import { goToLineOf, openOwn, saved, upToDate } from '../support/screens/document.ts';
import { editor, expect, expectGoodLooks, listAxeViolations, pdfText, test } from '../support/test.ts';

test.use(visitor);

test('typed text is on the page and saved, and there again after a reload; at every size, in both colours: accessible, nothing overflows [§1 A LaTeX editor; §2 /documents/{documentId}: the editor]', async ({
  page,
}) => {
  const { library, id } = await openOwn(page);
  await expect(pdfText(page)).toContainText('First words.');
  await goToLineOf(page, 'First words.');
  await page.keyboard.type(' And more of them.');
  await expect(pdfText(page)).toContainText('And more of them.');
  await expect(saved(page)).toBeVisible();
  const savedLatex = async () => (await library.call<{ latex: string }>('GET', `/documents/${id}`)).latex;
  await expect.poll(savedLatex).toContain('First words. And more of them.');
  // at once, without waiting for a pause
  await page.keyboard.type(' Now.');
  await page.keyboard.press('Control+s');
  await expect.poll(savedLatex).toContain('Now.');
  await page.reload();
  await expect(editor(page)).toContainText('And more of them. Now.');
  await expect(pdfText(page)).toContainText('Now.');
  await expect(upToDate(page)).toBeVisible();
  await expectGoodLooks(page);
});

test('an error is shown at its line with its fix, and the page is marked as incomplete; a compile that never ends is stopped', async ({
  page,
}) => {
  await openOwn(page, { body: 'Good words.' });
  await expect(pdfText(page)).toContainText('Good words.');
  await goToLineOf(page, 'Good words.');
  // in one step: letter by letter, an intermediate text might compile
  await page.keyboard.insertText(' A letter: $\\alhpa$.');
  await expect(page.locator('.cm-lint-marker-error')).toBeVisible();
  const incomplete = page.getByRole('note').filter({ hasText: 'Incomplete.' });
  await expect(incomplete).toBeVisible();
  await expect(pdfText(page)).toContainText('Good words. A letter');
  await page.keyboard.press('Control+Home');
  await incomplete.getByRole('button', { name: 'Line 4' }).click();
  await expect(page.locator('.cm-activeLine')).toContainText('\\alhpa');
  // in the margin: the plain explanation and the fix
  await page.locator('.cm-lint-marker-error').hover();
  await expect(page.locator('.cm-tooltip-lint')).toContainText('\\alhpa');
  await page.mouse.move(0, 0);
  // all messages, in a list
  await page.getByRole('button', { name: '1 error' }).click();
  const list = page.getByRole('group', { name: 'Messages' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  expect(await listAxeViolations(page)).toEqual([]);
  await list.getByRole('button', { name: /^Apply fix/ }).click();
  await expect(editor(page)).toContainText('$\\alpha$');
  await expect(upToDate(page)).toBeVisible();
  await expect(pdfText(page)).toContainText('A letter');
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(0);
  await expect(incomplete).toHaveCount(0);

  await goToLineOf(page, 'Good words.');
  await page.keyboard.insertText(' \\loop\\iftrue\\repeat');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const stopped = page.getByText('Stopped. The page shows an earlier version.');
  await expect(stopped).toBeVisible();
  // the page stays, and so does the focus: the same button starts again
  await expect(pdfText(page)).toContainText('A letter');
  await expect(page.getByRole('button', { name: 'Compile', exact: true })).toBeFocused();
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(stopped).toHaveCount(0);
  await page.keyboard.press('Control+.');
  await expect(stopped).toBeVisible();
  // the next edit is compiled
  await goToLineOf(page, 'Good words.');
  await page.keyboard.press('Control+z');
  await expect(upToDate(page)).toBeVisible();

  // several at once: previewed before they are applied, and undone in one step
  await goToLineOf(page, 'Good words.');
  await page.keyboard.insertText('\n\nAnother: $\\bteta$.\n\n\\begin{itemize}\n\\item One.');
  await page.getByRole('button', { name: 'Fix all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Fix all' });
  await expect(dialog).toContainText('The text compiles with these changes.');
  await expect(dialog.getByRole('list').getByRole('listitem')).toHaveCount(2);
  await expect(page.locator('.cm-content').first()).toContainText('\\bteta');
  await expectGoodLooks(page, { widths: [390, 1366, 1920] });
  await dialog.getByRole('button', { name: 'Apply 2 fixes' }).click();
  await expect(upToDate(page)).toBeVisible();
  await expect(editor(page)).toContainText('\\end{itemize}');
  await page.keyboard.press('Control+z');
  await expect(editor(page)).toContainText('\\bteta');
  await expect(editor(page)).not.toContainText('\\end{itemize}');
});
