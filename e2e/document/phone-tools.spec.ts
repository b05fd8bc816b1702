/**
 * The editor's tools on a touch screen: a doubtful spot, and a formula typed with the keys on the
 * screen.
 */
import { devices } from '@playwright/test';
import { visitor } from '../support/product/accounts.ts';
import { editor, expect, expectNoSidewaysScroll, listAxeViolations, test } from '../support/test.ts';

const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7'];
test.use({ ...visitor, viewport, userAgent, deviceScaleFactor, isMobile, hasTouch });

test('a doubt is checked with its line in view; a formula is typed with the keys on the screen', async ({
  page,
}) => {
  await page.goto('/convert?sample');
  await page.getByRole('tab', { name: 'LaTeX' }).tap();
  await expect(editor(page)).toContainText('kt=\\log');
  // shown once, and the bars around the text leave it more than a third of the screen
  await expect(page.getByText('1 spot to check')).toHaveCount(1);
  expect((await page.locator('.cm-scroller').boundingBox())!.height).toBeGreaterThan(viewport.height / 3);
  expect((await page.getByRole('toolbar', { name: 'Editor' }).boundingBox())!.height).toBeLessThan(56);

  await page.getByRole('button', { name: 'Check', exact: true }).tap();
  await expect(page.getByRole('button', { name: /^1, as it reads: / })).toBeVisible();
  // the card takes room from the source, and the spot's line stays in sight
  await expect(editor(page).locator('.cm-activeLine')).toContainText('\\[');
  await expect(editor(page).locator('.cm-activeLine')).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Looks right' }).tap();

  await page.getByRole('button', { name: 'More tools' }).tap();
  await page.getByRole('button', { name: 'Formula', exact: true }).tap();
  await page.getByRole('menuitem', { name: 'Visual editor' }).tap();
  const formula = page.getByRole('dialog', { name: /formula/i });
  // said once by a screen reader
  await formula.getByRole('button', { name: 'Keyboard on the screen', exact: true }).tap();
  const key = (name: string) => formula.getByRole('button', { name, exact: true });
  await expect(key('7')).toBeInViewport({ ratio: 1 });
  await expect(key('Enter')).toBeInViewport({ ratio: 1 });
  expect(await listAxeViolations(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await key('7').tap();
  await expect(formula.locator('pre')).toContainText('7');
});

test('a formula is drawn with a finger', async ({ page }) => {
  await page.goto('/convert?sample');
  await page.getByRole('tab', { name: 'LaTeX' }).tap();
  await editor(page).tap();
  await page.getByRole('button', { name: 'More tools' }).tap();
  await page.getByRole('button', { name: 'Write by hand' }).tap();
  const pad = page.getByRole('dialog', { name: 'Write by hand' });
  const box = (await pad.locator('canvas').boundingBox())!;
  const fingers = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    fingers.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + x, y: box.y + y }],
    });
  for (const [fromX, fromY, toX, toY] of [
    [100, 60, 150, 130],
    [150, 60, 100, 130],
  ] as const) {
    await touch('touchStart', fromX, fromY);
    for (let step = 1; step <= 6; step++)
      await touch('touchMove', fromX + ((toX - fromX) * step) / 6, fromY + ((toY - fromY) * step) / 6);
    await touch('touchEnd');
  }
  await expect(pad.getByRole('img', { name: 'The pad, 2 strokes' })).toBeVisible();
  const readings = pad.getByRole('list', { name: 'Possible readings' });
  const x = readings.getByRole('button', { name: /: x$/i });
  await expect(x.first()).toBeVisible({ timeout: 30_000 });
  await x.first().tap();
  await expect(pad).toHaveCount(0);
});
