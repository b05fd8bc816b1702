/** The line and its place on the page, in a result that is not kept. */
import type { Page } from '@playwright/test';
import { goToLineOf } from './support/document.ts';
import { openResult } from './support/result.ts';
import { editor, expect, pdfText, test } from './support/test.ts';

const mark = (page: Page) => page.locator('.pdf-mark').first();

test.describe('with a result', () => {
  test.beforeEach(async ({ page }) => {
    await openResult(page, 'pdf/probability-table.pdf');
    await expect(pdfText(page)).toContainText('summary of common distributions');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await expect(editor(page)).toContainText('\\documentclass');
  });

  test('the line is found in the PDF, and the place in the PDF is found in the source', async ({ page }) => {
    await expect(page.getByText('The page is up to date.')).toBeVisible();
    await goToLineOf(page, '\\begin{document}');
    await page.keyboard.press('Enter');
    await page.keyboard.type('First words.\n\n\\vspace{8cm}\n\nFar below.');
    await expect(pdfText(page)).toContainText('Far below.');
    await page.keyboard.press('Control+Shift+Enter');
    await expect(mark(page)).toBeVisible();
    const far = pdfText(page).getByText('Far below.').first();
    const words = (await far.boundingBox())!;
    const marked = (await mark(page).boundingBox())!;
    expect(Math.abs(words.y - marked.y)).toBeLessThan(20);

    await page.keyboard.press('Control+Home');
    await far.dblclick();
    await expect(page.locator('.cm-activeLine')).toContainText('Far below.');
  });
});
