/**
 * A laptop's window enlarged to 200 and 400 %: nothing overflows sideways, and fixed parts leave room for the
 * rest.
 */
import { articleAddress } from '#shared/blog.ts';
import { visitor } from '../support/product/accounts.ts';
import { expect, expectNoSidewaysScroll, putDown, test } from '../support/test.ts';

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
