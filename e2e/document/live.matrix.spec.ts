/** Typing in an unsaved result: shown on the page, at its line, and linked in both directions. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { pdfText as readPdfText } from '#typesetting/testing/find-leak.ts';
import { goToLineOf } from '../support/screens/document.ts';
import { openResult } from '../support/screens/result.ts';
import { editor, expect, listAxeViolations, pdfText, test } from '../support/test.ts';

const place = (page: Page) => page.getByRole('group', { name: 'PDF pages' });

const mark = (page: Page) => page.locator('.pdf-mark').first();

test.describe('with a result', () => {
  test.beforeEach(async ({ page }) => {
    await openResult(page, 'pdf/probability-table.pdf');
    await expect(pdfText(page)).toContainText('summary of common distributions');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await expect(editor(page)).toContainText('\\documentclass');
  });

  test('from a line to its place in the PDF, and from the PDF to the source', async ({ page }) => {
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

  test('typed text appears on the page, which does not scroll', async ({ page }) => {
    const compiles: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/compile')) compiles.push(request.url());
    });
    await expect(page.getByText('The page is up to date.')).toBeVisible();
    // next to each other, zoomed and scrolled
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await place(page).evaluate((element) => element.scrollTo(30, 60));
    const width = () => pdfText(page).evaluate((layer) => layer.clientWidth);
    const before = await width();

    await goToLineOf(page, '\\begin{document}');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Typed and seen: 𝛼 is a letter.');
    await expect(pdfText(page)).toContainText('Typed and seen');
    await page.keyboard.type(' And so is this.');
    await expect(pdfText(page)).toContainText('And so is this.');
    await expect(page.getByText('The page is up to date.')).toBeVisible();
    expect(compiles).toEqual([]);
    expect(await width()).toBe(before);
    expect(await place(page).evaluate(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft])).toEqual([
      60, 30,
    ]);
    expect(await listAxeViolations(page)).toEqual([]);

    // the other tab shows the very same
    await page.getByRole('tab', { name: 'PDF' }).click();
    await expect(pdfText(page)).toContainText('And so is this.');
    await expect(page.getByText('This PDF does not include your last edit.')).toHaveCount(0);
  });

  test('an error is shown at its line and the page is marked as incomplete; once fixed, the page updates again', async ({
    page,
  }) => {
    await goToLineOf(page, '\\begin{document}');
    await page.keyboard.press('Enter');
    // in one step: letter by letter, an intermediate text might compile
    await page.keyboard.insertText('Before \\nosuchcommand after.');
    const line = page.getByRole('button', { name: /^Line \d+$/ }).first();
    await expect(line).toBeVisible();
    await expect(page.locator('.cm-lintRange-error, .cm-lint-marker-error').first()).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('note')).toContainText('Incomplete.');
    await expect(pdfText(page)).toContainText('Before');
    // downloads contain the last good one
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'PDF', exact: true }).click(),
    ]);
    expect(readPdfText(readFileSync(await download.path()))).not.toContain('Before');
    expect(await listAxeViolations(page)).toEqual([]);

    await page.keyboard.press('Control+Home');
    await line.click();
    await expect(page.locator('.cm-activeLine')).toContainText('\\nosuchcommand');
    await page.keyboard.press('Home');
    for (const _ of 'Before \\nosuchcommand ') await page.keyboard.press('Delete');
    await expect(pdfText(page)).toContainText('after.');
    await expect(line).toHaveCount(0);
  });
});

test.describe('where WebSockets are blocked', () => {
  // a text that does not compile is answered with 422
  test.use({ allowRefusals: true });

  test('the page still updates, and an error is shown at its line', async ({ page }) => {
    await page.routeWebSocket(/compile-session/, (socket) => socket.close());
    await openResult(page, 'pdf/probability-table.pdf');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await goToLineOf(page, '\\begin{document}');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Typed without a socket.');
    await expect(pdfText(page)).toContainText('Typed without a socket.');
    await expect(page.getByText('The page is up to date.')).toBeVisible();
    await page.keyboard.type(' \\nosuchword');
    await expect(page.locator('.cm-lint-marker-error')).toBeVisible();
  });
});
