/**
 * Every address of the app, as a visitor and as somebody with a library: accessible at every size and in both
 * colour schemes, nothing overflows sideways, nothing on the console; and large enough for fingers on a phone.
 */
import { devices, type Page } from '@playwright/test';
import type { NewShare, SavedDocument } from '#shared/api/library.ts';
import { isPageAddress, pageAddresses } from '#shared/page-addresses.ts';
import { main, storageOf, visitor } from '../support/product/accounts.ts';
import { type OwnLibrary, openLibrary } from '../support/screens/library.ts';
import { expect, expectGoodLooks, putDown, test } from '../support/test.ts';

test.use(visitor);

let library: OwnLibrary;
let paths: string[];
test.beforeAll(async () => {
  library = await openLibrary();
  const folder = await library.createFolder('Analysis');
  const { id } = await library.createDocument('Limits', { folder_id: folder.id, body: 'Let $x \\to 0$.' });
  await library.createDocument('Series');
  const { token } = await library.call<NewShare>('POST', `/documents/${id}/shares`, {});
  await expect
    .poll(async () => (await library.call<SavedDocument>('GET', `/documents/${id}`)).pdf_version, {
      timeout: 150_000,
    })
    .not.toBeNull();
  const names: Record<string, string> = {
    documentId: id,
    folderId: folder.id,
    token,
    slug: 'how-to-photograph-notes',
  };
  paths = pageAddresses.map((address) => address.replace(/:(\w+)/, (_, name) => names[name] ?? '-'));
  expect(paths.every((path) => isPageAddress(path))).toBe(true);
});

/** Opens a page and waits until it has settled. */
async function open(page: Page, path: string, status = 200): Promise<void> {
  expect((await page.goto(path))?.status()).toBe(status);
  await expect(page.locator('h1, .cm-content').first()).toBeAttached();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
}

test('signed out', async ({ page }) => {
  for (const path of paths)
    await test.step(path, async () => {
      await open(page, path);
      await expectGoodLooks(page);
    });
});

test('signed in', async ({ page }) => {
  const { localStorage } = await storageOf(main, library.email);
  await page.addInitScript((entries) => {
    for (const { name, value } of entries)
      if (window.localStorage.getItem(name) === null) window.localStorage.setItem(name, value);
  }, localStorage);
  for (const path of paths)
    await test.step(path, async () => {
      await open(page, path);
      await expectGoodLooks(page);
    });
});

test.describe('not found', () => {
  test.use({ allowRefusals: true });

  test('no such page, no such link', async ({ page }) => {
    await open(page, '/no-such-page', 404);
    await expectGoodLooks(page);
    await open(page, '/shared/nothing');
    await expectGoodLooks(page);
  });
});

test.describe('without a connection', () => {
  test.use({ allowRefusals: true });

  test('the open screen stays, and navigation works again when the connection is back', async ({
    page,
    context,
  }) => {
    await putDown(page, 'pdf/probability-table.pdf');
    await context.setOffline(true);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
    await expect(
      page.getByText('You are offline. The page opens when the connection is back.'),
    ).toBeVisible();
    await expect(page).toHaveURL(/\/convert$/);
    await expect(page.getByRole('region', { name: 'Pages' })).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'Pay once, by the page' })).toBeVisible();
  });
});

test('on a phone every control is large enough for a finger', { tag: '@whole' }, async ({ browser }) => {
  const storageState = { cookies: [], origins: [await storageOf(main, library.email)] };
  const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7'];
  const phone = { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch };
  const context = await browser.newContext({ ...phone, storageState, baseURL: main.url });
  const page = await context.newPage();
  const small: string[] = [];
  for (const path of paths) {
    await open(page, path);
    for (const control of await listSmallControls(page)) small.push(`${path}: ${control}`);
  }
  expect(small).toEqual([]);
  await context.close();
});

/** Controls less than 44 CSS pixels high, or narrow; links within a text are as high as its lines. */
async function listSmallControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, a[href], select, summary, textarea, input:not([type=file], [type=checkbox]), [role=tab]',
      ),
    ]
      .filter(
        (control) => control.checkVisibility() && !control.closest('p, dd, .sr-only, .cm-editor, .textLayer'),
      )
      .map((control) => ({
        name: control.getAttribute('aria-label') ?? control.textContent,
        // some extend over their whole container
        box: (getComputedStyle(control, '::after').position === 'absolute'
          ? (control.offsetParent ?? control)
          : control
        ).getBoundingClientRect(),
      }))
      .filter(({ box }) => box.height > 1 && (box.height < 44 || box.width < 24))
      .map(({ name, box }) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`),
  );
}
