/** The landing page held still, and before or without its app. */
import { visitor } from '../support/product/accounts.ts';
import { authDialog, fillDialog } from '../support/screens/dialog.ts';
import { headline, holdApp, watchHeadline } from '../support/screens/landing.ts';
import { expect, test } from '../support/test.ts';

test.use({ ...visitor, contextOptions: {} });

test('the headline can be held still, and is still for those who asked for less motion', async ({ page }) => {
  await watchHeadline(page);
  await page.goto('/');
  const pause = page.getByRole('button', { name: 'Hold the headline still' });
  await pause.click();
  await expect(pause).toHaveAttribute('aria-pressed', 'true');
  const held = await headline(page);
  // longer than it ever stands still by itself
  await page.waitForTimeout(2500);
  expect(await headline(page)).toEqual(held);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await page.waitForTimeout(2500);
  expect(await headline(page)).toEqual(['handwritten|LaTeX']);
});

test.describe('without the app', () => {
  test.use({ allowRefusals: true });

  test('an app that could not be fetched is asked for again', async ({ page }) => {
    let isDown = true;
    await page.route(/\/assets\/start-[0-9a-f]+\.js/, (route) => (isDown ? route.abort() : route.continue()));
    await page.goto('/');
    const login = page.getByRole('button', { name: 'Login', exact: true });
    await login.dispatchEvent('click');
    await expect(page.locator('[aria-busy]')).toHaveCount(0);
    isDown = false;
    await login.dispatchEvent('click');
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test('the menu of small screens opens before the app is there, and moves nothing', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  const release = await holdApp(page);
  await page.goto('/');
  const before = await page.getByRole('heading', { level: 1 }).boundingBox();
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Pricing' })).toBeVisible();
  expect(await page.getByRole('heading', { level: 1 }).boundingBox()).toEqual(before);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.getByRole('button', { name: 'Sign up' }).click();
  release();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(menu).toHaveCount(0);
});

test.describe('a sign-in that fails', () => {
  test.use({ allowRefusals: true });

  test('the library of accounts comes with the first sign-in, not before', async ({ page }) => {
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') bodies.push(response.text());
    });
    const isLoaded = async () => (await Promise.all(bodies)).some((body) => body.includes('GoTrueClient'));
    await page.goto('/');
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(authDialog(page)).toBeVisible();
    expect(await isLoaded()).toBe(false);
    await fillDialog(page, 'Log In', 'nobody@example.com');
    await expect.poll(isLoaded).toBe(true);
  });
});
