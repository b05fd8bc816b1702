/** The editor's tools under a finger: a doubtful spot, and a formula with the keys on the screen. */
import { devices } from '@playwright/test';
import { visitor } from '../support/product/accounts.ts';
import { editor, expect, expectNoSidewaysScroll, listAxeViolations, test } from '../support/test.ts';

const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7'];
test.use({ ...visitor, viewport, userAgent, deviceScaleFactor, isMobile, hasTouch });

test('a spot is checked in sight of its line; a formula is typed with the keys on the screen', async ({
  page,
}) => {
  await page.goto('/convert?sample');
  await page.getByRole('tab', { name: 'LaTeX' }).tap();
  await expect(editor(page)).toContainText('kt=\\log');
  // said once, and the rows around the text leave it more than a third of the screen
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
  await formula.locator('math-field [part=virtual-keyboard-toggle]').tap();
  const key = (name: string) => formula.getByRole('button', { name, exact: true });
  await expect(key('7')).toBeInViewport({ ratio: 1 });
  await expect(key('Enter')).toBeInViewport({ ratio: 1 });
  expect(await listAxeViolations(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await key('7').tap();
  await expect(formula.locator('pre')).toContainText('7');
});
