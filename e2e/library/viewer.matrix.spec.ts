/** The PDF viewer in other situations: zoomed, rotated, printed, long, new, on a phone. */

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { SavedDocument } from '#shared/api/library.ts';
import {
  call,
  create,
  pageCount,
  pageField,
  prepareLongDocument,
  sheets,
  threePages,
  thumbnails,
  title,
  waitForPdf,
} from '../support/screens/viewer.ts';
import { expect, expectGoodLooks, listAxeViolations, test } from '../support/test.ts';

const long = prepareLongDocument();

let short: SavedDocument;

const zoomMenu = (page: Page) => page.getByRole('button', { name: /^Zoom, / });

test.beforeAll(async () => {
  short = await create('Three pages', threePages('Two'));
  await waitForPdf(short);
});

test('distant pages of a long PDF are released', async ({ page }) => {
  await long.open(page);
  for (const number of [6, 11, 16, 21, 26, 31, 36, 40]) {
    await pageField(page).fill(`${number}`);
    await pageField(page).press('Enter');
    await expect(page.locator(`.page[data-page-number="${number}"] canvas`).first()).toBeVisible();
    await expect(
      thumbnails(page)
        .getByRole('button', { name: `Page ${number}`, exact: true })
        .locator('canvas'),
    ).toBeVisible();
  }
  expect(await page.locator('.page canvas').count()).toBeLessThanOrEqual(15);
  expect(await thumbnails(page).locator('canvas').count()).toBeLessThan(20);
  await expect(page.locator('.page[data-page-number="1"] canvas')).toHaveCount(0);
});

test('zooms, rotates and fills the screen', async ({ page }) => {
  await long.open(page);
  const width = () =>
    page
      .locator('.page')
      .first()
      .evaluate((element) => element.clientWidth);
  await zoomMenu(page).click();
  await page.getByRole('menuitemradio', { name: '100 %' }).click();
  await expect(zoomMenu(page)).toHaveText('100 %');
  const whole = await width();
  await zoomMenu(page).click();
  await page.getByRole('menuitemradio', { name: '200 %' }).click();
  await expect.poll(width).toBeCloseTo(2 * whole, -1);
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(width).toBeLessThan(2 * whole);
  await sheets(page).focus();
  await page.keyboard.press('0');
  await zoomMenu(page).click();
  await expect(page.getByRole('menuitemradio', { name: 'Fit to width' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  const fitted = await width();
  await page.keyboard.press('+');
  await expect.poll(width).toBeGreaterThan(fitted);

  // the point under the pointer stays there
  const before = await width();
  await page.locator('.page').first().hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 100);
  await page.keyboard.up('Control');
  await expect.poll(width).toBeLessThan(before);

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rotate right' }).click();
  const isLandscape = () =>
    page
      .locator('.page')
      .first()
      .evaluate((element) => element.clientWidth > element.clientHeight);
  await expect.poll(isLandscape).toBe(true);
  await sheets(page).focus();
  await page.keyboard.press('Shift+R');
  await expect.poll(isLandscape).toBe(false);

  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await expect(page.locator('.page')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('.page')).toHaveAttribute('data-page-number', '2');
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement === null)).toBe(true);
  await expect(page.locator('.page')).toHaveCount(pageCount);
  await expect(pageField(page)).toHaveValue('2');
});

test('prints the PDF itself, and downloads it under its title', { tag: '@whole' }, async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => {
      (window.top as unknown as { printed: string }).printed = location.href;
    };
  });
  await long.open(page);
  await page.getByRole('button', { name: 'Print' }).click();
  const printed = () => page.evaluate(() => (window as unknown as { printed?: string }).printed);
  await expect.poll(printed).toMatch(/^blob:/);
  const frame = page.locator('iframe[title="Print"]');
  expect(
    await frame.evaluate(async (element: HTMLIFrameElement) => {
      const bytes = new Uint8Array(await (await fetch(element.src)).arrayBuffer());
      return String.fromCharCode(...bytes.slice(0, 5));
    }),
  ).toBe('%PDF-');

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Übung 7 needles.pdf');
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('where the browser cannot show PDFs, the pages are printed as images', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false });
    window.print = () => {
      (window.top as unknown as { pictures: number }).pictures = document.images.length;
    };
  });
  await page.goto(`/documents/${short.id}/pdf`);
  await expect(page.locator('.textLayer').first()).toContainText('One');
  await sheets(page).focus();
  await page.keyboard.press('Control+p');
  await expect.poll(() => page.evaluate(() => (window as unknown as { pictures?: number }).pictures)).toBe(3);
});

test.describe('an unknown address', () => {
  test.use({ allowRefusals: true });

  test('says so', async ({ page }) => {
    await page.goto('/documents/00000000-0000-4000-8000-000000000000/pdf');
    await expect(page.getByRole('heading', { name: 'There is no such document' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
  });
});

test('on a phone everything is within reach', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await long.open(page);
  await expectGoodLooks(page, { widths: [390] });
  await page.getByRole('button', { name: 'Thumbnails' }).click();
  await thumbnails(page).getByRole('button', { name: 'Page 3', exact: true }).click();
  await expect(pageField(page)).toHaveValue('3');
  // they covered the page, and are closed now
  await expect(thumbnails(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'Print' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download' }).click();
  expect((await downloading).suggestedFilename()).toBe('Übung 7 needles.pdf');
});

test('a PDF appears when it is compiled; a text that does not compile leads to the editor', async ({
  page,
}) => {
  // made within seconds: on a busy machine it may be there before the page is
  await expect(async () => {
    const fresh = await create('Fresh', '\\documentclass{article}\\begin{document}Just made\\end{document}');
    await page.goto(`/documents/${fresh.id}/pdf`);
    const heading = page.getByRole('heading', { name: 'Creating the PDF' });
    await expect(heading.or(page.locator('.textLayer').first())).toBeVisible();
    await expect(heading).toBeVisible({ timeout: 1000 });
  }).toPass();
  expect(await listAxeViolations(page)).toEqual([]);
  await expect(page.locator('.textLayer').first()).toContainText('Just made', { timeout: 150_000 });

  const broken = await create('Broken', '\\documentclass{article}\\begin{document}\\nosuch\\end{document}');
  await page.goto(`/documents/${broken.id}/pdf`);
  await expect(page.getByRole('heading', { name: 'There is no PDF of this document yet' })).toBeVisible({
    timeout: 150_000,
  });
  await expect(page.getByRole('link', { name: 'Open in the editor' })).toHaveAttribute(
    'href',
    `/documents/${broken.id}`,
  );
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveAttribute(
    'href',
    `/documents/${broken.id}`,
  );
});

test('the newest PDF appears at the place being read', async ({ page }) => {
  await page.goto(`/documents/${short.id}/pdf`);
  await pageField(page).fill('2');
  await pageField(page).press('Enter');
  await expect(page.locator('.page[data-page-number="2"] .textLayer')).toContainText('Two');
  await call('PUT', `/documents/${short.id}/latex`, { base_version: 1, latex: threePages('Changed') });
  // somebody returns to the page
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText('The text has changed since.')).toBeVisible();
  await expect(page.locator('.page[data-page-number="2"] .textLayer:visible')).toContainText('Changed', {
    timeout: 150_000,
  });
  await expect(page.getByText('The text has changed since.')).toHaveCount(0);
  await expect(pageField(page)).toHaveValue('2');
});

test('goes to pages by number, thumbnail, key, outline and link; search finds all matches, whatever the case, accents and ligatures [§2 A page for the PDF alone]', async ({
  page,
}) => {
  await long.open(page);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page).toHaveTitle(`${title} · Inkproof`);
  await expect(page.getByText(`/ ${pageCount}`)).toBeVisible();
  await pageField(page).fill('12');
  await pageField(page).press('Enter');
  await expect(page.locator('.page[data-page-number="12"] .textLayer')).toContainText('Sheet 12');

  const twelfth = thumbnails(page).getByRole('button', { name: 'Page 12', exact: true });
  await expect(twelfth).toHaveAttribute('aria-current', 'page');
  await expect(twelfth.locator('canvas')).toBeVisible();
  await thumbnails(page).getByRole('button', { name: 'Page 14', exact: true }).click();
  await expect(pageField(page)).toHaveValue('14');

  await page.keyboard.press('ArrowRight');
  await expect(pageField(page)).toHaveValue('15');
  await page.keyboard.press('ArrowLeft');
  await expect(pageField(page)).toHaveValue('14');
  await sheets(page).focus();
  await page.keyboard.press('End');
  await expect(pageField(page)).toHaveValue(`${pageCount}`);
  await page.keyboard.press('Home');
  await expect(pageField(page)).toHaveValue('1');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect(pageField(page)).toHaveValue('2');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText('Search in the PDF');
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('button', { name: 'The end' }).click();
  await expect(pageField(page)).toHaveValue(`${pageCount}`);
  await page.getByRole('button', { name: 'First steps' }).click();
  await expect(pageField(page)).toHaveValue('1');

  const outside = page.locator('.annotationLayer a[href^="https://example.com/elsewhere"]');
  await expect(outside).toHaveAttribute('target', '_blank');
  await expect(outside).toHaveAttribute('rel', /noopener/);
  await page.locator('.annotationLayer a:not([href^="http"])').first().click();
  await expect(pageField(page)).toHaveValue(`${pageCount}`);

  // a reload returns to the same place
  await page.reload();
  await expect(pageField(page)).toHaveValue(`${pageCount}`);

  await pageField(page).fill('1');
  await pageField(page).press('Enter');
  await expect(page.locator('.textLayer').first()).toContainText('has a Needle');
  await page.keyboard.press('Control+f');
  const field = page.getByRole('searchbox', { name: 'Search in the PDF' });
  await expect(field).toBeFocused();
  const status = page.getByRole('search').getByRole('status');
  await field.fill('needle');
  await expect(status).toHaveText(`1 of ${pageCount - 1}`);
  await expect(page.locator('.textLayer .highlight.selected')).toHaveText('Needle');
  await field.press('Enter');
  await expect(status).toHaveText(`2 of ${pageCount - 1}`);
  await expect(pageField(page)).toHaveValue('2');
  await page.getByRole('button', { name: 'Previous match' }).click();
  await expect(status).toHaveText(`1 of ${pageCount - 1}`);
  for (const words of ['EFFICIENT OFFICE', 'cafe', 'CAFÉ']) {
    await field.fill(words);
    await expect(status).toHaveText('1 of 1');
  }
  await field.fill('haystack');
  await expect(status).toHaveText('Not found');
  expect(await listAxeViolations(page)).toEqual([]);
  await field.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(page.locator('.textLayer .highlight')).toHaveCount(0);
});
