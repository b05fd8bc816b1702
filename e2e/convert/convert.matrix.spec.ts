import { openResult } from '../support/screens/result.ts';
import { editor, expect, listAxeViolations, pdfText, test } from '../support/test.ts';

test.describe('with a result', () => {
  test.use({ allowRefusals: true });

  test.beforeEach(async ({ page }) => {
    await openResult(page, 'pdf/probability-table.pdf');
  });

  test('a published example of a change can be picked, and does what it says', async ({ page }) => {
    await page.getByRole('button', { name: 'Examples' }).click();
    const list = page.getByRole('dialog', { name: 'Available changes' });
    await expect(list.getByRole('heading', { name: 'Margins' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await list.getByRole('button', { name: 'Use 12pt font' }).click();
    await expect(list).toHaveCount(0);
    const box = page.getByRole('textbox', { name: 'Ask for a change' });
    await expect(box).toHaveValue('Use 12pt font');
    await expect(box).toBeFocused();
    await box.press('Enter');
    await expect(box).toHaveValue('', { timeout: 120_000 });
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await expect(editor(page)).toContainText('a4paper,12pt]');
  });

  test('the toolbar of a result fits all its controls, on a laptop and on a phone', async ({ page }) => {
    await page.getByRole('button', { name: 'Watermark', exact: true }).click();
    await page.getByLabel('Watermark text').fill('DRAFT 8');
    await page.getByRole('button', { name: 'Add to every page' }).click();
    await expect(page.getByRole('button', { name: 'Undo watermark' })).toBeVisible();
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await editor(page).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('\\nosuchcommand\n');
    await page.getByRole('button', { name: 'Compile' }).click();
    await expect(page.getByRole('alert').first()).toBeVisible();
    await page.getByRole('tab', { name: 'PDF' }).click();
    for (const width of [1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of ['Undo watermark', 'Watermark', 'Download', 'Save to my documents', 'Compile'])
        await expect(page.getByRole('button', { name, exact: true }), `${name}, ${width} px`).toBeInViewport({
          ratio: 1,
        });
    }
  });

  test('the PDF can be searched, zoomed and paged through by keyboard', async ({ page }) => {
    await page.getByRole('group', { name: 'PDF pages' }).focus();
    await page.keyboard.press('Control+f');
    const search = page.getByRole('searchbox', { name: 'Search in the PDF' });
    await expect(search).toBeFocused();
    await search.fill('variance');
    await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
    await search.press('Escape');
    await expect(search).toHaveCount(0);
    const width = () =>
      page
        .locator('.pdfViewer .page')
        .first()
        .evaluate((sheet) => sheet.clientWidth);
    const before = await width();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(width).toBeGreaterThan(before);
  });
});

test.describe('an edited result', () => {
  test.use({ allowRefusals: true });

  test.beforeEach(async ({ page }) => {
    await openResult(page, 'pdf/probability-table.pdf');
  });

  test('an edit that does not compile is reported at its line, with the incomplete PDF; one that never ends is stopped; once fixed, it compiles [§4 Compile: the LaTeX goes, its PDF is shown; §8 COMPILATION_FAILED]', async ({
    page,
  }) => {
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).pressSequentially('\\begin{document}');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('\\nosuchcommand A new line of text.');
    await page.getByRole('button', { name: 'Compile' }).click();

    const alert = page.getByRole('alert');
    await expect(alert).toContainText('LaTeX compilation failed. Check the code or try the suggested fix.');
    await expect(alert).toContainText('Undefined control sequence');
    await page.keyboard.press('Control+Home');
    await alert
      .getByRole('button', { name: /^Line \d+$/ })
      .first()
      .click();
    await expect(page.locator('.cm-activeLine')).toContainText('\\nosuchcommand');

    await page.getByRole('tab', { name: 'PDF' }).click();
    await expect(pdfText(page)).toContainText('A new line of text.');
    await expect(page.getByRole('note')).toContainText('Incomplete.');
    await page.getByRole('tab', { name: 'LaTeX' }).click();

    await page.keyboard.press('Tab');
    await editor(page).focus();
    await page.keyboard.press('End');
    await page.keyboard.insertText('\\loop\\iftrue\\repeat');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Stop', exact: true }).first().click();
    await expect(page.getByText('Stopped.', { exact: false }).first()).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await editor(page).focus();
    await page.keyboard.press('Control+z');

    await page.keyboard.press('Home');
    for (const _ of '\\nosuchcommand ') await page.keyboard.press('Delete');
    const compiled = page.waitForResponse((response) => response.url().endsWith('/compile'));
    await page.keyboard.press('Control+Enter');
    expect((await compiled).status()).toBe(200);
    await expect(alert).toHaveCount(0);
    await page.getByRole('tab', { name: 'PDF' }).click();
    await expect(pdfText(page)).toContainText('A new line of text.');
  });
});
