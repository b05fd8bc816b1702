/** The pad: a formula that is drawn becomes LaTeX at the cursor. */
import type { Page } from '@playwright/test';
import { visitor } from '../support/product/accounts.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

/** x², as somebody draws it; px of the pad. */
const strokes = [
  [100, 60, 125, 95, 150, 130],
  [150, 60, 125, 95, 100, 130],
  [168, 30, 182, 20, 194, 28, 190, 42, 168, 62, 198, 62],
];

async function draw(page: Page, [x = 0, y = 0, ...rest]: readonly number[]): Promise<void> {
  const box = (await page.getByRole('dialog').locator('canvas').boundingBox())!;
  await page.mouse.move(box.x + x, box.y + y);
  await page.mouse.down();
  for (let at = 0; at < rest.length; at += 2)
    await page.mouse.move(box.x + rest[at]!, box.y + rest[at + 1]!, { steps: 6 });
  await page.mouse.up();
}

test('a formula is drawn, read and inserted, by a visitor, without a key', async ({ page }) => {
  await page.goto('/convert?sample');
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.getByRole('button', { name: 'Write by hand' }).click();
  const pad = page.getByRole('dialog', { name: 'Write by hand' });
  await expect(pad.getByRole('img', { name: 'The pad, empty' })).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);

  for (const stroke of strokes) await draw(page, stroke);
  await draw(page, [300, 40, 300, 140]);
  await pad.getByRole('button', { name: 'Undo the last stroke' }).click();
  await expect(pad.getByRole('img', { name: 'The pad, 3 strokes' })).toBeVisible();
  const first = pad.getByRole('list', { name: 'Possible readings' }).getByRole('button').first();
  await expect(first).toHaveAccessibleName('1: x^{2}', { timeout: 30_000 });
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('1');
  await expect(pad).toHaveCount(0);
  await expect(editor(page)).toContainText('x^{2}');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(editor(page)).not.toContainText('x^{2}');
});
