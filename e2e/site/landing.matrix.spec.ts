/** The landing page with its animation paused, and before or without its app. */
import { gzipSync } from 'node:zlib';
import { wordPairs } from '../../web/features/landing/words.ts';
import { visitor } from '../support/product/accounts.ts';
import { signedInState } from '../support/product/addresses.ts';
import { authDialog, fillDialog } from '../support/screens/dialog.ts';
import { headline, holdApp, keepEvents, watchHeadline } from '../support/screens/landing.ts';
import { expect, expectGoodLooks, test } from '../support/test.ts';

test.use({ ...visitor, contextOptions: {} });

test('the headline can be paused, then shows whole words, and does not move where less motion is preferred', async ({
  page,
}) => {
  await watchHeadline(page);
  await page.goto('/');
  const pause = page.getByRole('button', { name: 'Pause the headline' });
  const carets = page.locator('h1 [data-caret]');
  await expect(page.locator('[data-word="note"]')).toHaveText(/^(ma|mat|ph|phys|gr|gramm)$/);
  expect(await carets.count()).toBe(1);
  await pause.click();
  await expect(carets).toHaveCount(0);
  expect(wordPairs.map((pair) => pair.join('|'))).toContain((await headline(page)).at(-1));
  await expect(pause).toHaveAttribute('aria-pressed', 'true');
  const held = await headline(page);
  // longer than it ever pauses by itself
  await page.waitForTimeout(2500);
  expect(await headline(page)).toEqual(held);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await page.waitForTimeout(2500);
  expect(await headline(page)).toEqual(['handwritten|LaTeX']);
});

test.describe('without the app', () => {
  test.use({ allowRefusals: true });

  test('an app that could not be loaded is requested again', async ({ page }) => {
    let isDown = true;
    await page.route(/\/assets\/hydrate-/, (route) => (isDown ? route.abort() : route.continue()));
    await page.goto('/');
    const login = page.getByRole('button', { name: 'Login', exact: true });
    await login.dispatchEvent('click');
    await expect(page.locator('[aria-busy]')).toHaveCount(0);
    isDown = false;
    await login.dispatchEvent('click');
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test('the menu of small screens opens before the app has loaded, and moves nothing', async ({ page }) => {
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

  test('the account library loads with the first sign-in, not before', async ({ page }) => {
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return;
      // one that is on its way when the flow ends has no text
      bodies.push(response.text().catch(() => ''));
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

test.describe('signed in', () => {
  test.use({ storageState: signedInState });

  test('starts converting; analytics gets the press once [§1 Start converting, when logged in; §7 Analytics: cta_start_converting]', async ({
    page,
  }) => {
    await keepEvents(page);
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'Try it for free' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
    await page.getByRole('link', { name: 'Start converting', exact: true }).first().click();
    await expect(page).toHaveURL(/\/convert$/);
    expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe('cta_start_converting;');
  });
});

test('a button pressed before the app has loaded is busy, then does its work', async ({ page }) => {
  const release = await holdApp(page);
  await page.goto('/');
  const login = page.getByRole('button', { name: 'Login', exact: true });
  // without moving a mouse, which would have loaded the app before
  await login.dispatchEvent('click');
  await expect(login).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.locator('[aria-busy]')).toHaveCount(0);
});

test('the headline types pair after pair; before the first touch the page loads at most 100 KB of scripts, and nothing has moved', {
  tag: '@whole',
}, async ({ page }) => {
  const scripts: Promise<number>[] = [];
  const names: string[] = [];
  const fonts: string[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'font') fonts.push(response.url());
    if (response.request().resourceType() !== 'script') return;
    names.push(response.url());
    scripts.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.addInitScript(() => {
    const shifts: { value: number; moved: string[] }[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & {
          value: number;
          sources: { node: Node | null }[];
        };
        shifts.push({ value, moved: sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? '') });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await watchHeadline(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName(
    'Turn handwritten notes into LaTeX PDFs',
  );
  await expect.poll(() => headline(page)).toContain('math|searchable');
  const texts = await headline(page);
  const first = texts.indexOf('handwritte|LaTe');
  expect(texts.slice(first, first + 11)).toEqual([
    'handwritte|LaTe',
    'handwritt|LaT',
    'handwrit|La',
    'handwri|L',
    'handwr|',
    'handw|',
    'hand|',
    'han|',
    'ha|',
    'h|',
    '|',
  ]);
  expect(texts).toContain('math|');
  expect(texts.indexOf('math|')).toBeLessThan(texts.indexOf('math|s'));

  const sizes = await Promise.all(scripts);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`scripts on /: ${total} bytes in ${sizes.length} files`);
  expect(total).toBeLessThanOrEqual(100_000);
  // a chunk that shares one line with the app loads all of it
  expect(names.filter((name) => /jsx-runtime|hydrate/.test(name))).toEqual([]);
  expect(total).toBeGreaterThan(0);
  // the subsets contain every character of the page
  expect(
    fonts.filter(
      (font) => !/\/(inter|source-serif-4|source-serif-4-italic|jetbrains-mono)-[\w-]{8}\.woff2$/.test(font),
    ),
  ).toEqual([]);
  const shifts = await page.evaluate(
    () => (window as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
  );
  // a font that loads after the first paint moves words by a few pixels (0.0002); up to 0.1 counts as good
  expect(
    shifts.reduce((sum, { value }) => sum + value, 0),
    JSON.stringify(shifts),
  ).toBeLessThan(0.001);
});

test('at every size, in both colours, with motion: accessible, nothing overflows', async ({ page }) => {
  await page.goto('/');
  for (const fold of await page.locator('summary').all()) await fold.click();
  await expectGoodLooks(page, { isCalm: false });
});
