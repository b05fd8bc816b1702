import type { Page } from '@playwright/test';
import { openResult } from '../support/screens/result.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

/** The whole document: CodeMirror renders only the visible part, but the draft contains all of it. */
const source = (page: Page) =>
  page.evaluate(() => {
    const draft = sessionStorage.getItem('inkproof.draft') ?? '\n{}';
    return (JSON.parse(draft.slice(draft.indexOf('\n') + 1)).latex ?? '') as string;
  });

async function runCommand(page: Page, words: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a command' }).fill(words);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toHaveCount(0);
  await expect(editor(page)).toBeFocused();
}

test('the source editor helps: completion, pairs, formulas, symbols, outline, spelling, keys', async ({
  page,
}) => {
  const dictionaries: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/dictionaries/')) dictionaries.push(request.url());
  });
  await openResult(page, 'pdf/probability-table.pdf');
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('\\section{First part}\n');

  // an environment by completion; its two names are changed together
  await page.keyboard.type('\\begin{ite');
  await expect(page.getByRole('option', { name: /^itemize/ })).toBeVisible();
  // a completion that has just appeared is not accepted by a key meant for something else
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  await page.keyboard.type('one recieved word');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('*');
  await expect(editor(page)).toContainText('\\end{itemize*}');
  await page.keyboard.press('Backspace');
  await expect(editor(page)).toContainText('\\end{itemize}');

  // closing a brace closes the environment; the formula at the cursor is shown
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n\\begin{equation}');
  await expect(editor(page)).toContainText('\\end{equation}');
  await page.keyboard.press('Enter');
  await page.keyboard.type('\\frac{a}{b}');
  await expect(page.locator('.cm-maths-preview .katex')).toBeVisible();

  // a symbol by its meaning
  await page.getByRole('button', { name: 'Symbols' }).click();
  await page.getByRole('searchbox', { name: 'Find a symbol' }).fill('real numbers');
  await expect(page.getByRole('button', { name: '\\mathbb{R}' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect.poll(() => source(page)).toContain('\\frac{a}{b}\\mathbb{R}\n\\end{equation}');

  // bold by shortcut, a heading by the palette, both shown in the outline
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nlast part');
  await runCommand(page, 'subsection');
  await expect.poll(() => source(page)).toContain('\\subsection{last part}');
  await page.getByRole('button', { name: 'Outline' }).click();
  const outline = page.getByRole('list', { name: 'Outline' });
  await expect(outline.getByRole('button', { name: 'last part' })).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page.locator('.cm-activeLine')).toContainText('First part');
  expect(await listAxeViolations(page)).toEqual([]);

  // spell checking in a chosen language; no dictionary was loaded before
  expect(dictionaries).toEqual([]);
  await runCommand(page, 'spelling us');
  await expect(page.locator('.cm-misspelled')).toHaveText('recieved');
  await page.locator('.cm-misspelled').hover();
  await page.getByRole('button', { name: 'received', exact: true }).click();
  await expect.poll(() => source(page)).toContain('one received word');

  // find and replace
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find' }).fill('part');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('2 found');
  await page.getByRole('textbox', { name: 'Replace' }).fill('half');
  await page.getByRole('button', { name: 'Replace all of them' }).click();
  await expect.poll(() => source(page)).toContain('\\subsection{last half}');
  await page.getByRole('button', { name: 'Close' }).last().click();

  // word count, after typing stops
  await page.getByRole('button', { name: /^\d+ words$/ }).click();
  await expect(page.getByRole('row', { name: /^First half/ })).toBeVisible();
  await page.keyboard.press('Escape');

  // Vim: a letter is a command; and back
  await editor(page).focus();
  await runCommand(page, 'vim');
  await page.waitForSelector('.cm-vimMode');
  await page.keyboard.type('ggdd');
  await expect.poll(() => source(page)).not.toContain('First half');
  await runCommand(page, 'keys standard');
  await expect(page.locator('.cm-vimMode')).toHaveCount(0);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('gg');
  await expect.poll(() => source(page)).toMatch(/^gg/);
});
