import { expect, test } from '../support/test.ts';

test('the first Tab skips the header; colours are remembered; a new route starts at the top; /upload leads to the converter [§2 Header: skip-to-content link; §2 Header: menu of small screens; §2 /upload leads to /convert]', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await test.step('the first Tab leads past the header', async () => {
    await page.goto('/');
    // the app inserts the account's button there, which would take the focus away
    await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.locator('main :focus')).toHaveCount(1);
  });
  await test.step('the chosen colours are remembered, and are there before the first paint', async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    // at once: the app may not have loaded yet
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload({ waitUntil: 'commit' });
    await expect.poll(background).toBe(dark);
    await page.getByRole('button', { name: 'Use light colours' }).click();
    expect(await background()).toBe(light);
  });
  await test.step('a change of route begins at the top', async () => {
    await page.setViewportSize({ width: 390, height: 500 });
    await page.waitForLoadState();
    await page.evaluate(() => scrollTo(0, 600));
    expect(await page.evaluate(() => scrollY)).toBe(600);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Convert' }).click();
    await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    // the menu is closed again
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
  });
  await test.step('/upload leads to the converter', async () => {
    await page.goto('/upload');
    await expect(page).toHaveURL(/\/convert$/);
  });
});
