import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { visitor } from '../support/product/accounts.ts';
import { signedInState } from '../support/product/addresses.ts';
import { readIdentity } from '../support/product/caller.ts';
import { headline, holdApp, watchHeadline } from '../support/screens/landing.ts';
import { expect, expectGoodLooks, test } from '../support/test.ts';

/** Keeps the names of what is counted, also when the press leaves the page. */
async function keepEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener('inkproof:analytics', (event) => {
      const { name } = (event as CustomEvent<{ name: string }>).detail;
      sessionStorage.setItem('told', `${sessionStorage.getItem('told') ?? ''}${name};`);
    });
  });
}

test.use({ ...visitor, contextOptions: {} });

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

test('a visitor reads the counter, moves the edge, and is asked to try it; the press is told once [§1 Counter of all pages converted; §1 Try it for free, for a visitor; §7 Analytics: cta_try_it_for_free]', async ({
  page,
}) => {
  await keepEvents(page);
  await test.step('the counter shows a dash, then the number', async () => {
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
  await test.step('the edge between ink and print moves by keyboard and by hand', async () => {
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
  await test.step('the press is told once', async () => {
    await expect(page.getByRole('link', { name: 'Start converting', exact: true })).toHaveCount(0);
    await page.getByRole('link', { name: 'Try it for free' }).first().click();
    await expect(page).toHaveURL(/\/convert$/);
    expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe('cta_try_it_for_free;');
  });
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

test('the headline types pair after pair; until somebody touches the page it has loaded at most 100 KB of scripts, and nothing has moved', {
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
  // a chunk that shares one line with the app brings all of it
  expect(names.filter((name) => /jsx-runtime|entry\.client/.test(name))).toEqual([]);
  expect(total).toBeGreaterThan(0);
  // the subsets have every sign of the page
  expect(
    fonts.filter(
      (font) => !/\/(inter|source-serif-4|source-serif-4-italic|jetbrains-mono)-[\w-]{8}\.woff2$/.test(font),
    ),
  ).toEqual([]);
  const shifts = await page.evaluate(
    () => (window as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
  );
  // a font that comes after the first paint moves words by a few pixels (0.0002); 0.1 is what counts as good
  expect(
    shifts.reduce((sum, { value }) => sum + value, 0),
    JSON.stringify(shifts),
  ).toBeLessThan(0.001);
});

test('at every size, in both colours, moving: accessible, nothing sticks out', async ({ page }) => {
  await page.goto('/');
  for (const fold of await page.locator('summary').all()) await fold.click();
  await expectGoodLooks(page, { isCalm: false });
});
