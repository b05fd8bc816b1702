/** What the window shows while something is loading: frames and first words, never an empty page. */
import type { Page, Route } from '@playwright/test';
import { createAccount, main, storageOf, visitor } from '../support/product/accounts.ts';
import { appFiles, convertButton, expect, fixture, holdApp, test } from '../support/test.ts';

test.use(visitor);

/** Holds back matching requests until the returned function is called. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route: Route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const header = (page: Page) => page.getByRole('banner');

/** Positions are compared in the page's own fonts, which may load after its first paint. */
const waitForFonts = (page: Page) => page.evaluate(() => document.fonts.ready.then(() => {}));

test('a page of the app shows its frame until the app has loaded, and nothing moves then', async ({
  page,
}) => {
  const letThrough = await holdApp(page);
  await page.goto('/account', { waitUntil: 'commit' });
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  const pricing = header(page).getByRole('link', { name: 'Pricing' });
  const colours = header(page).getByRole('button', { name: /colours$/ });
  const place = async () => [await pricing.boundingBox(), await colours.boundingBox()];
  await waitForFonts(page);
  const before = await place();
  await expect(header(page).getByRole('link', { name: 'My documents' })).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await header(page).getByRole('button', { name: 'Use dark colours' }).click();
  await expect(header(page).getByRole('button', { name: 'Use light colours' })).toBeVisible();
  letThrough();
  await expect(page.getByRole('heading', { name: 'Log in to see your account' })).toBeVisible();
  expect(await place()).toEqual(before);
});

test('a user who is signed in waits in the wide frame of the library', async ({ page }) => {
  const { localStorage } = await storageOf(main, await createAccount());
  await page.addInitScript((entries) => {
    for (const { name, value } of entries) window.localStorage.setItem(name, value);
  }, localStorage);
  const letThrough = await holdApp(page);
  await page.goto('/documents', { waitUntil: 'commit' });
  const documents = header(page).getByRole('link', { name: 'My documents' });
  await expect(documents).toBeVisible();
  const left = async () => (await documents.boundingBox())?.x;
  await waitForFonts(page);
  const before = await left();
  letThrough();
  await expect(header(page).getByRole('button', { name: 'Your account' })).toBeVisible();
  expect(await left()).toBe(before);
});

test('a screen that loads slowly is announced on the screen before it', async ({ page }) => {
  await page.goto('/pricing');
  // the button shows that it is busy
  await expect(page.getByText(/^[€£]4\.90$/).filter({ visible: true })).toBeVisible();
  const letThrough = await hold(page, /\/assets\/contact-[^/]+\.js$/);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click();
  await expect(page.getByText('Loading the page…')).toBeAttached();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pay once, by the page');
  letThrough();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Write to us');
  await expect(page.getByText('Loading the page…')).toHaveCount(0);
});

test('dropped files wait on a desk, not in an empty window', async ({ page }) => {
  const letThrough = await hold(page, /\/assets\/desk-[^/]+\.js$/);
  await page.goto('/convert');
  await page.getByLabel('Choose files').setInputFiles(fixture('pdf/probability-table.pdf'));
  for (const name of ['Pages', 'Ink', 'LaTeX and PDF'])
    await expect(page.getByRole('region', { name })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  letThrough();
  await expect(convertButton(page)).toHaveText('Convert 1 page');
});

test('the app is loaded once the page is painted', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script' && appFiles.test(request.url())) scripts.push(request.url());
  });
  const letThrough = await hold(page, /\/assets\/root-[^/]+\.css$/);
  for (const path of ['/pricing', '/convert', '/contact']) {
    // requested after the page's style, and before the app's files
    const font = page.waitForEvent('requestfinished', (request) => /\.woff2$/.test(request.url()));
    await page.goto(path, { waitUntil: 'commit' });
    await font;
    expect(scripts).toEqual([]);
  }
  letThrough();
  await expect(page.getByRole('button', { name: 'Copy the address' })).toBeVisible();
  await expect.poll(() => scripts.length).toBeGreaterThan(10);
});

test('fonts that load late move nothing', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        (window as unknown as { shifted: number }).shifted += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const [path, width] of [
    ['/contact', 1280],
    ['/physics-notes-to-latex', 390],
    ['/convert', 768],
    ['/pricing', 1280],
  ] as const)
    await test.step(`${path}, ${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 });
      const letThrough = await hold(page, /\.woff2$/);
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      // the app is there: only fonts can shift things from now on
      await expect(page.getByRole('contentinfo')).toBeVisible();
      letThrough();
      await page.evaluate(async () => {
        await document.fonts.ready;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      });
      const shifted = await page.evaluate(() => (window as unknown as { shifted: number }).shifted);
      expect(shifted).toBeLessThan(0.02);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
});

test.describe('without a connection', () => {
  test.use({ allowRefusals: true });

  test('a dialog that cannot be loaded says so, can be closed, and opens when it can', async ({
    page,
    context,
  }) => {
    await page.goto('/pricing');
    await expect(page.getByText(/^[€£]4\.90$/).filter({ visible: true })).toBeVisible();
    await context.setOffline(true);
    const login = header(page).getByRole('button', { name: 'Login', exact: true });
    const waiting = page.getByText('You are offline. This opens when the connection is back.');
    await login.click();
    await expect(waiting).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(waiting).toHaveCount(0);
    await login.click();
    await expect(waiting).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole('dialog', { name: 'Log In' })).toBeVisible();
  });
});
