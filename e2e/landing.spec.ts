import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { visitor } from './support/accounts.ts';
import { signedInState } from './support/addresses.ts';
import { readIdentity } from './support/caller.ts';
import { authDialog, fillDialog } from './support/dialog.ts';
import { expect, expectGoodLooks, test } from './support/test.ts';

test.use({ ...visitor, contextOptions: {} });

/** From the next page's first moment on: keeps what the headline shows, one text after the other. */
async function watchHeadline(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { headline: seen });
    const look = () => {
      // a page that is still arriving has half of its words
      if (document.readyState === 'loading') return;
      const words = ['note', 'pdf'].map((part) => document.querySelector(`[data-word="${part}"]`));
      const text = words.map((word) => word?.textContent).join('|');
      if (text !== seen.at(-1)) seen.push(text);
    };
    addEventListener('DOMContentLoaded', look);
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** What it has shown so far. */
function headline(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { headline: string[] }).headline);
}

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

test('can be read without any script [§1 A collapsible origin story; §6 Landing: anyone may read it]', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByText('gives you LaTeX that compiles')).toBeVisible();
  const story = page.getByText('Mathematics is still thought on paper.');
  await expect(story).toBeHidden();
  await page.getByText('Why Inkproof exists').click();
  await expect(story).toBeVisible();
  await page.getByText('Why Inkproof exists').click();
  await expect(story).toBeHidden();
  await context.close();
});

/** Keeps the names of what is counted, also when the press leaves the page. */
async function keepEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener('inkproof:analytics', (event) => {
      const { name } = (event as CustomEvent<{ name: string }>).detail;
      sessionStorage.setItem('told', `${sessionStorage.getItem('told') ?? ''}${name};`);
    });
  });
}

test('a visitor is asked to try it; the press is told once [§1 Try it for free, for a visitor; §7 Analytics: cta_try_it_for_free]', async ({
  page,
}) => {
  await keepEvents(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Start converting', exact: true })).toHaveCount(0);
  await page.getByRole('link', { name: 'Try it for free' }).first().click();
  await expect(page).toHaveURL(/\/convert$/);
  expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe('cta_try_it_for_free;');
});

test.describe('signed in', () => {
  test.use({ storageState: signedInState });

  test('starts converting; the press is told once [§1 Start converting, when logged in; §7 Analytics: cta_start_converting]', async ({
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

test('the counter shows a dash, then the number [§1 Counter of all pages converted]', async ({ page }) => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/rest/v1/page_conversion_totals**', async (route) => {
    await asked;
    await route.continue();
  });
  const { url, anonKey } = await readIdentity();
  const readTotal = async () => {
    const answered = await fetch(`${url}/rest/v1/page_conversion_totals?select=net_pages`, {
      headers: { apikey: anonKey },
    });
    return (await answered.json())[0].net_pages as number;
  };
  const before = await readTotal();
  await page.goto('/');
  const digits = page.locator('[data-count="digits"]');
  await expect(digits).toHaveText('–');
  answer();
  await expect(digits).toHaveText(/^[\d,]+$/);
  // other flows convert meanwhile
  const read = async () => Number((await digits.textContent())?.replaceAll(',', ''));
  await expect.poll(read).toBeGreaterThanOrEqual(before);
  expect(await read()).toBeLessThanOrEqual(await readTotal());
});

test('the edge between ink and print moves by keyboard and by hand', async ({ page }) => {
  await page.goto('/');
  const edge = page.getByRole('slider', { name: 'Edge between ink and print' });
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  await expect(edge).toHaveAttribute('aria-valuetext', '51 % ink, 49 % print');
  await page.keyboard.press('End');
  await expect(edge).toHaveValue('100');
  const box = (await edge.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.25, box.y + 40);
  await expect(edge).toHaveValue('25');
});

/** Holds the app back. @returns a function that lets it come */
async function holdApp(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/entry\.client-/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test('a button pressed before the app is there is busy, then does what it says', async ({ page }) => {
  const release = await holdApp(page);
  await page.goto('/');
  const login = page.getByRole('button', { name: 'Login', exact: true });
  // without a mouse that would have called the app before
  await login.dispatchEvent('click');
  await expect(login).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.locator('[aria-busy]')).toHaveCount(0);
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

test('the headline types pair after pair; until somebody touches the page it has loaded at most 100 KB of scripts, and nothing has moved', async ({
  page,
}) => {
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
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value } = entry as PerformanceEntry & { value: number };
        document.documentElement.dataset.shift = String(
          Number(document.documentElement.dataset.shift ?? 0) + value,
        );
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
  // a chunk that shares one line with the app brings all of it
  expect(names.filter((name) => /jsx-runtime|entry\.client/.test(name))).toEqual([]);
  expect(total).toBeGreaterThan(0);
  // the subsets have every sign of the page
  expect(
    fonts.filter(
      (font) => !/\/(inter|source-serif-4|source-serif-4-italic|jetbrains-mono)-[\w-]{8}\.woff2$/.test(font),
    ),
  ).toEqual([]);
  expect(Number(await page.evaluate(() => document.documentElement.dataset.shift ?? 0))).toBe(0);
});

test('at every size, in both colours, moving: accessible, nothing sticks out', async ({ page }) => {
  await page.goto('/');
  for (const fold of await page.locator('summary').all()) await fold.click();
  await expectGoodLooks(page, { isCalm: false });
});
