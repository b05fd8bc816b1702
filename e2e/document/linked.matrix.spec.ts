/** Doubtful spots of a scan, in a result and in the document saved from it. */
import type { Locator, Page } from '@playwright/test';
import { keep, litInk, walkToDoubt } from '../support/screens/linked.ts';
import { openResult } from '../support/screens/result.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

const selection = (page: Page) => page.evaluate(() => getSelection()?.toString() ?? '');

/** Share of a canvas that is ink. */
const darkShare = (canvas: Locator) =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const { data } = element.getContext('2d')!.getImageData(0, 0, element.width, element.height);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at]! < 128) dark++;
    return dark / (data.length / 4);
  });

test('doubts are stepped through, confirmed, undone, and stay confirmed', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 1000 });
  await keep(page, 'scans/grammaire-subjonctif-scan-p1.jpg', 'Subjonctif, linked');
  const { bar, total } = await walkToDoubt(page);
  await expect(bar).toContainText(`0 of ${total} checked · page 1`);
  await expect(litInk(page).first()).toBeVisible();
  // and the same line, cropped, next to the words
  const ink = bar.getByRole('img', { name: 'Original ink on page 1' });
  await expect(ink).toBeVisible();
  const [strip, mark] = [(await ink.boundingBox())!, (await litInk(page).first().boundingBox())!];
  expect(strip.width / strip.height).toBeGreaterThan(1);
  expect(strip.height).toBeGreaterThan(0.8 * Math.min(40, mark.height));
  expect(await listAxeViolations(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => getSelection()?.toString().trim() ?? '')).not.toBe('');

  /** Presses the button; then the bar shows this many spots, and this many are saved. */
  const press = async (name: 'Looks right' | 'Undo', count: number) => {
    const saved = page.waitForResponse((answer) => {
      const isSave = answer.url().endsWith('/latex') && answer.request().method() === 'PUT' && answer.ok();
      return isSave && answer.request().postDataJSON().source_map.doubtful.length === count;
    });
    await bar.getByRole('button', { name }).click();
    await expect(bar).toContainText(`${total - count} of ${total} checked`);
    await saved;
  };
  await press('Looks right', total - 1);
  await press('Undo', total);
  await press('Looks right', total - 1);
  await expect(bar.getByRole('button', { name: 'Undo' })).toBeVisible();

  await page.reload();
  await expect(bar).toContainText(`${total - 1} spots to check`);
});

test('doubts are underlined in the source, move with edits, and stay confirmed', async ({ page }) => {
  await openResult(page, 'scans/grammaire-subjonctif-scan-p1.jpg');
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  const bar = page.getByRole('region', { name: 'Doubtful spots' });
  await expect(bar).toContainText('what the reader was unsure of');
  await editor(page).focus();
  await page.keyboard.press('F8');
  await expect(bar).toContainText(/0 of \d+ checked · page 1/);
  const total = Number(/of (\d+)/.exec((await bar.textContent()) ?? '')?.[1]);
  expect(total).toBeGreaterThan(2);
  await expect.poll(async () => (await selection(page)).trim()).not.toBe('');
  const first = await selection(page);
  await expect(page.locator('.cm-doubt').first()).toHaveText(first);
  // the line it was read from is shown next to it, legibly cropped from the page
  const ink = bar.getByRole('img', { name: 'Original ink on page 1' });
  await expect(ink).toBeVisible();
  expect(await darkShare(ink)).toBeGreaterThan(0.01);
  expect(await listAxeViolations(page)).toEqual([]);

  // text inserted above moves them
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('% mine\n% and mine\n');
  await page.keyboard.press('F8');
  await expect.poll(() => selection(page)).not.toBe(first);
  await page.keyboard.press('Shift+F8');
  await expect.poll(() => selection(page)).toBe(first);

  // once confirmed, it is no longer marked, and the next is shown
  await bar.getByRole('button', { name: 'Looks right' }).click();
  await expect(bar).toContainText(`1 of ${total} checked`);
  const second = await page.locator('.cm-doubt').first().textContent();

  // and stays so after a reload, at its place in the edited text
  const savedSpots = () =>
    page.evaluate(() => {
      const draft = sessionStorage.getItem('inkproof.draft') ?? '';
      return JSON.parse(draft.slice(draft.indexOf('\n') + 1)).spots.length;
    });
  await expect.poll(savedSpots).toBe(total - 1);
  await page.reload();
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await expect(editor(page)).toContainText('% and mine');
  await expect(bar).toContainText(`1 of ${total} checked`);
  await bar.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('.cm-doubt').first()).toHaveText(second ?? '');
});
