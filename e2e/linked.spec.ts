/** Ink, source and page of a document that was really converted and kept with its page images. */
import type { Locator, Page } from '@playwright/test';
import { keep, litInk } from './support/linked.ts';
import { editor, expect, listAxeViolations, test } from './support/test.ts';

const inkPage = (page: Page, number: number) => page.locator(`figure[data-page="${number}"]`);
const litPage = (page: Page) => page.locator('.pdf-mark.is-linked');
const litSource = (page: Page) => page.locator('.cm-linked');

/** NaN while it is being drawn anew. */
async function middleOf(mark: Locator): Promise<number> {
  const box = await mark.boundingBox();
  return box ? box.y + box.height / 2 : Number.NaN;
}

test('a click in each of the three views lights the other two', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 1000 });
  await keep(page, 'pdf/probability-table.pdf', 'Distributions, linked');
  const ink = inkPage(page, 1).getByRole('img', { name: 'Page 1 as written' });
  await expect(ink).toBeVisible();
  await expect(page.getByText('The page is up to date.')).toBeVisible({ timeout: 60_000 });

  // the source: the sentence's line in the ink, and its line on the page
  await editor(page).getByText('A test detects an illness').click();
  await expect(litInk(page)).not.toHaveCount(0);
  await expect(litPage(page).first()).toBeVisible();
  const sheet = (await ink.boundingBox())!;
  // the fixture has it at 52 to 56 hundredths of its page
  const place = ((await middleOf(litInk(page).first())) - sheet.y) / sheet.height;
  expect(place).toBeGreaterThan(0.51);
  expect(place).toBeLessThan(0.57);

  // the ink: Bayes' formula, in the source and on the page
  await ink.click({ position: { x: sheet.width * 0.5, y: sheet.height * 0.498 } });
  await expect(litSource(page).first()).toBeVisible();
  expect((await litSource(page).allTextContents()).join('')).toContain('P(A\\mid B)');
  await expect(litPage(page).first()).toBeVisible();
  await expect(litInk(page)).toHaveCount(1);
  const formula = await middleOf(litInk(page));
  expect((formula - sheet.y) / sheet.height).toBeCloseTo(0.498, 1);

  // the page: what is said of the sample there, in the source and in the ink
  await page.locator('.textLayer').getByText('Only about one in four').first().click();
  await expect(litSource(page).filter({ hasText: 'Only about one in four' })).toBeVisible();
  await expect(litInk(page)).not.toHaveCount(0);
  await expect
    .poll(async () => ((await middleOf(litInk(page).first())) - (await ink.boundingBox())!.y) / sheet.height)
    .toBeCloseTo(0.62, 1);
  expect(await listAxeViolations(page)).toEqual([]);

  // what is written above moves everything along
  await page.keyboard.press('Escape');
  await editor(page).getByText('A test detects an illness').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('% mine\n\n% and mine\n');
  await editor(page).getByText('A test detects an illness').click();
  await expect(litInk(page)).not.toHaveCount(0);
  await expect
    .poll(async () => ((await middleOf(litInk(page).first())) - (await ink.boundingBox())!.y) / sheet.height)
    .toBeCloseTo(place, 2);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(ink).toBeVisible();
  await editor(page).getByText('A test detects an illness').click();
  await expect
    .poll(async () => ((await middleOf(litInk(page).first())) - (await ink.boundingBox())!.y) / sheet.height)
    .toBeCloseTo(place, 2);
});
