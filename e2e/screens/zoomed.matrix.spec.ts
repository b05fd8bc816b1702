/**
 * A laptop's window enlarged to 200 and 400 %: nothing overflows sideways, and fixed parts leave room for the
 * rest.
 */
import { articleAddress } from '#shared/blog.ts';
import { visitor } from '../support/product/accounts.ts';
import { editor, expect, expectNoSidewaysScroll, putDown, test } from '../support/test.ts';

test.use(visitor);

for (const [zoom, width, height] of [
  [200, 640, 400],
  [400, 320, 256],
] as const)
  test(`at ${zoom} % no public page is wider than the window`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    for (const path of [
      '/',
      '/pricing',
      '/contact',
      '/terms',
      '/convert',
      '/account',
      articleAddress('how-to-photograph-notes'),
    ])
      await test.step(path, async () => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
        await expectNoSidewaysScroll(page);
      });
  });

test('at 200 % the button of the desk covers no page', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await putDown(page, 'pdf/probability-table.pdf');
  const tile = page.getByRole('region', { name: 'Pages' }).getByRole('listitem').first();
  await expect(tile.getByRole('button', { name: 'Rotate page 1 clockwise' })).toBeEnabled();
  await expectNoSidewaysScroll(page);
  const isInSight = await tile.evaluate((element) => {
    const { left, bottom } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + 4, bottom - 4));
  });
  expect(isInSight).toBe(true);
});

for (const [zoom, width, height] of [
  [200, 640, 400],
  [400, 320, 256],
] as const)
  test(`at ${zoom} %, in forced colours and without motion, the source and its tools can be used`, async ({
    page,
  }) => {
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await page.goto('/convert?sample');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await expect(editor(page)).toContainText('\\section');
    // three lines of the source are in sight
    expect((await page.locator('.cm-scroller').boundingBox())!.height).toBeGreaterThan(60);
    await expectNoSidewaysScroll(page);

    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByRole('button', { name: /^1, as it reads: / })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Looks right' }).click();

    for (const [keys, name] of [
      ['Control+Alt+p', 'Write by hand'],
      ['Control+Alt+m', 'Formula'],
      ['F1', 'Keyboard'],
    ] as const)
      await test.step(name, async () => {
        await editor(page).focus();
        await page.keyboard.press(keys);
        const dialog = page.getByRole('dialog', { name });
        await expect(dialog).toBeVisible();
        // the way out is in sight, or one scroll away, and as wide as the window at most
        await dialog
          .getByRole('button', { name: /^(Cancel|Close)/ })
          .first()
          .scrollIntoViewIfNeeded();
        await expectNoSidewaysScroll(page);
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
      });
  });
