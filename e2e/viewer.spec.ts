import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { NewShare, SavedDocument } from '../shared/api/library.ts';
import { visitor } from './support/accounts.ts';
import { main, signedInState } from './support/addresses.ts';
import { expect, expectGoodLooks, listAxeViolations, test } from './support/test.ts';

/** A call as the account that every flow is signed in to. */
async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const state = JSON.parse(readFileSync(signedInState, 'utf8'));
  const stored = state.origins.find(({ origin }: { origin: string }) => origin === main.url).localStorage[0];
  const answer = await fetch(`${main.apiUrl}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${JSON.parse(stored.value).access_token}`,
      'Content-Type': 'application/json',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

function create(title: string, latex: string): Promise<SavedDocument> {
  return call('POST', '/documents', { title, latex });
}

async function waitForPdf({ id }: SavedDocument): Promise<void> {
  await expect
    .poll(async () => (await call<SavedDocument>('GET', `/documents/${id}`)).pdf_version, {
      timeout: 150_000,
    })
    .not.toBeNull();
}

const pageCount = 40;
const filling = Array.from(
  { length: pageCount - 2 },
  (_, index) => `Sheet ${index + 2} with a needle.\\newpage`,
);
const latex = `\\documentclass{article}
\\usepackage[colorlinks]{hyperref}
\\begin{document}
\\section{First steps}
An efficient office has a Needle. A café is near, and so is the end: section~\\ref{sec:end}.
\\href{https://example.com/elsewhere}{Elsewhere} there is more.
\\newpage
${filling.join('\n')}
\\section{The end}\\label{sec:end}
Nothing follows.
\\end{document}
`;

const threePages = (second: string) =>
  `\\documentclass{article}\\begin{document}One\\newpage ${second}\\newpage Three\\end{document}`;

let saved: SavedDocument;
let short: SavedDocument;
test.beforeAll(async () => {
  saved = await create('Übung 7: needles', latex);
  short = await create('Three pages', threePages('Two'));
  await waitForPdf(saved);
  await waitForPdf(short);
});

const address = () => `/documents/${saved.id}/pdf`;
const sheets = (page: Page) => page.getByRole('group', { name: 'PDF pages' });
const pageField = (page: Page) => page.getByLabel('PDF page', { exact: true });
const thumbnails = (page: Page) => page.getByRole('list', { name: 'Pages' });
const zoomMenu = (page: Page) => page.getByRole('button', { name: /^Zoom, / });

async function open(page: Page): Promise<void> {
  await page.goto(address());
  await expect(page.locator('.textLayer').first()).toContainText('has a Needle');
}

test('leafs by field, small pages, keys, outline and links [§2 A page for the PDF alone]', async ({
  page,
}) => {
  await open(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Übung 7: needles' })).toBeVisible();
  await expect(page).toHaveTitle('Übung 7: needles · Inkproof');
  await expect(page.getByText(`/ ${pageCount}`)).toBeVisible();
  await pageField(page).fill('12');
  await pageField(page).press('Enter');
  await expect(page.locator('.page[data-page-number="12"] .textLayer')).toContainText('Sheet 12');

  const twelfth = thumbnails(page).getByRole('button', { name: 'Page 12', exact: true });
  await expect(twelfth).toHaveAttribute('aria-current', 'page');
  await expect(twelfth.locator('canvas')).toBeVisible();
  await thumbnails(page).getByRole('button', { name: 'Page 14', exact: true }).click();
  await expect(pageField(page)).toHaveValue('14');

  await page.keyboard.press('ArrowRight');
  await expect(pageField(page)).toHaveValue('15');
  await page.keyboard.press('ArrowLeft');
  await expect(pageField(page)).toHaveValue('14');
  await sheets(page).focus();
  await page.keyboard.press('End');
  await expect(pageField(page)).toHaveValue(`${pageCount}`);
  await page.keyboard.press('Home');
  await expect(pageField(page)).toHaveValue('1');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect(pageField(page)).toHaveValue('2');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText('Search in the PDF');
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('button', { name: 'The end' }).click();
  await expect(pageField(page)).toHaveValue(`${pageCount}`);
  await page.getByRole('button', { name: 'First steps' }).click();
  await expect(pageField(page)).toHaveValue('1');

  const outside = page.locator('.annotationLayer a[href^="https://example.com/elsewhere"]');
  await expect(outside).toHaveAttribute('target', '_blank');
  await expect(outside).toHaveAttribute('rel', /noopener/);
  await page.locator('.annotationLayer a:not([href^="http"])').first().click();
  await expect(pageField(page)).toHaveValue(`${pageCount}`);

  // where one was is where one comes back to
  await page.reload();
  await expect(pageField(page)).toHaveValue(`${pageCount}`);
});

test('far pages of a long PDF are let go', async ({ page }) => {
  await open(page);
  for (const number of [6, 11, 16, 21, 26, 31, 36, 40]) {
    await pageField(page).fill(`${number}`);
    await pageField(page).press('Enter');
    await expect(page.locator(`.page[data-page-number="${number}"] canvas`).first()).toBeVisible();
    await expect(
      thumbnails(page)
        .getByRole('button', { name: `Page ${number}`, exact: true })
        .locator('canvas'),
    ).toBeVisible();
  }
  expect(await page.locator('.page canvas').count()).toBeLessThanOrEqual(15);
  expect(await thumbnails(page).locator('canvas').count()).toBeLessThan(20);
  await expect(page.locator('.page[data-page-number="1"] canvas')).toHaveCount(0);
});

test('searches: all hits, in any case, with and without accents, through ligatures', async ({ page }) => {
  await open(page);
  await page.keyboard.press('Control+f');
  const field = page.getByRole('searchbox', { name: 'Search in the PDF' });
  await expect(field).toBeFocused();
  const status = page.getByRole('search').getByRole('status');
  await field.fill('needle');
  await expect(status).toHaveText(`1 of ${pageCount - 1}`);
  await expect(page.locator('.textLayer .highlight.selected')).toHaveText('Needle');
  await field.press('Enter');
  await expect(status).toHaveText(`2 of ${pageCount - 1}`);
  await expect(pageField(page)).toHaveValue('2');
  await page.getByRole('button', { name: 'Previous match' }).click();
  await expect(status).toHaveText(`1 of ${pageCount - 1}`);
  for (const words of ['EFFICIENT OFFICE', 'cafe', 'CAFÉ']) {
    await field.fill(words);
    await expect(status).toHaveText('1 of 1');
  }
  await field.fill('haystack');
  await expect(status).toHaveText('Not found');
  expect(await listAxeViolations(page)).toEqual([]);
  await field.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(page.locator('.textLayer .highlight')).toHaveCount(0);
});

test('zooms, turns and fills the screen', async ({ page }) => {
  await open(page);
  const width = () =>
    page
      .locator('.page')
      .first()
      .evaluate((element) => element.clientWidth);
  await zoomMenu(page).click();
  await page.getByRole('menuitemradio', { name: '100 %' }).click();
  await expect(zoomMenu(page)).toHaveText('100 %');
  const whole = await width();
  await zoomMenu(page).click();
  await page.getByRole('menuitemradio', { name: '200 %' }).click();
  await expect.poll(width).toBeCloseTo(2 * whole, -1);
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(width).toBeLessThan(2 * whole);
  await sheets(page).focus();
  await page.keyboard.press('0');
  await zoomMenu(page).click();
  await expect(page.getByRole('menuitemradio', { name: 'Fit to width' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  const fitted = await width();
  await page.keyboard.press('+');
  await expect.poll(width).toBeGreaterThan(fitted);

  // under the pointer: what is there stays there
  const before = await width();
  await page.locator('.page').first().hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 100);
  await page.keyboard.up('Control');
  await expect.poll(width).toBeLessThan(before);

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rotate right' }).click();
  const isLandscape = () =>
    page
      .locator('.page')
      .first()
      .evaluate((element) => element.clientWidth > element.clientHeight);
  await expect.poll(isLandscape).toBe(true);
  await sheets(page).focus();
  await page.keyboard.press('Shift+R');
  await expect.poll(isLandscape).toBe(false);

  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await expect(page.locator('.page')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('.page')).toHaveAttribute('data-page-number', '2');
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement === null)).toBe(true);
  await expect(page.locator('.page')).toHaveCount(pageCount);
  await expect(pageField(page)).toHaveValue('2');
});

test('prints the PDF itself, and hands it out by its title', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => {
      (window.top as unknown as { printed: string }).printed = location.href;
    };
  });
  await open(page);
  await page.getByRole('button', { name: 'Print' }).click();
  const printed = () => page.evaluate(() => (window as unknown as { printed?: string }).printed);
  await expect.poll(printed).toMatch(/^blob:/);
  const frame = page.locator('iframe[title="Print"]');
  expect(
    await frame.evaluate(async (element: HTMLIFrameElement) => {
      const bytes = new Uint8Array(await (await fetch(element.src)).arrayBuffer());
      return String.fromCharCode(...bytes.slice(0, 5));
    }),
  ).toBe('%PDF-');

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Übung 7 needles.pdf');
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('where the browser has no viewer of its own, the pages are printed as pictures', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false });
    window.print = () => {
      (window.top as unknown as { pictures: number }).pictures = document.images.length;
    };
  });
  await page.goto(`/documents/${short.id}/pdf`);
  await expect(page.locator('.textLayer').first()).toContainText('One');
  await sheets(page).focus();
  await page.keyboard.press('Control+p');
  await expect.poll(() => page.evaluate(() => (window as unknown as { pictures?: number }).pictures)).toBe(3);
});

test('a PDF that is being made appears by itself; a text that does not compile leads to the editor', async ({
  page,
}) => {
  // it is made within seconds: on a busy machine it may be there before the page is
  await expect(async () => {
    const fresh = await create('Fresh', '\\documentclass{article}\\begin{document}Just made\\end{document}');
    await page.goto(`/documents/${fresh.id}/pdf`);
    const heading = page.getByRole('heading', { name: 'The PDF is being made' });
    await expect(heading.or(page.locator('.textLayer').first())).toBeVisible();
    await expect(heading).toBeVisible({ timeout: 1000 });
  }).toPass();
  expect(await listAxeViolations(page)).toEqual([]);
  await expect(page.locator('.textLayer').first()).toContainText('Just made', { timeout: 150_000 });

  const broken = await create('Broken', '\\documentclass{article}\\begin{document}\\nosuch\\end{document}');
  await page.goto(`/documents/${broken.id}/pdf`);
  await expect(page.getByRole('heading', { name: 'There is no PDF of this document yet' })).toBeVisible({
    timeout: 150_000,
  });
  await expect(page.getByRole('link', { name: 'Open in the editor' })).toHaveAttribute(
    'href',
    `/documents/${broken.id}`,
  );
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveAttribute(
    'href',
    `/documents/${broken.id}`,
  );
});

test('the newest PDF takes its place where somebody is reading', async ({ page }) => {
  await page.goto(`/documents/${short.id}/pdf`);
  await pageField(page).fill('2');
  await pageField(page).press('Enter');
  await expect(page.locator('.page[data-page-number="2"] .textLayer')).toContainText('Two');
  await call('PUT', `/documents/${short.id}/latex`, { base_version: 1, latex: threePages('Changed') });
  // somebody comes back to the page
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText('The text has changed since.')).toBeVisible();
  await expect(page.locator('.page[data-page-number="2"] .textLayer:visible')).toContainText('Changed', {
    timeout: 150_000,
  });
  await expect(page.getByText('The text has changed since.')).toHaveCount(0);
  await expect(pageField(page)).toHaveValue('2');
});

test.describe('an address that is nobody’s', () => {
  test.use({ allowRefusals: true });

  test('says so', async ({ page }) => {
    await page.goto('/documents/00000000-0000-4000-8000-000000000000/pdf');
    await expect(page.getByRole('heading', { name: 'There is no such document' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
  });
});

test.describe('signed out', () => {
  test.use({ ...visitor, allowRefusals: true });

  test('the owner’s page asks to log in; a link opens title and PDF until it is revoked', async ({
    page,
  }) => {
    await page.goto(address());
    await expect(page.getByRole('heading', { name: 'Log in to open this document' })).toBeVisible();

    const share = await call<NewShare>('POST', `/documents/${saved.id}/shares`);
    const tokens: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/shared/')) tokens.push(request.headers().authorization);
    });
    const answer = await page.goto(`/shared/${share.token}`);
    expect(answer?.status()).toBe(200);
    expect(answer?.headers()).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    });
    await expect(page.getByRole('heading', { level: 1, name: 'Übung 7: needles' })).toBeVisible();
    await expect(page.locator('.textLayer').first()).toContainText('has a Needle');
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex, nofollow');
    await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0);
    await expect(page.locator('body')).not.toContainText('@');
    expect(tokens).toEqual([undefined, undefined]);
    expect(await listAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox').fill('nothing follows');
    await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
    await page.reload();
    await expect(page.locator('.textLayer').first()).toContainText('has a Needle');

    await call('DELETE', `/documents/${saved.id}/shares/${share.id}`);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'This link opens nothing' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await page.goto('/shared/no-such-link');
    await expect(page.getByRole('heading', { level: 1, name: 'This link opens nothing' })).toBeVisible();
  });
});

test('on a telephone everything is within reach', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page);
  await expectGoodLooks(page, { widths: [390] });
  await page.getByRole('button', { name: 'Small pages' }).click();
  await thumbnails(page).getByRole('button', { name: 'Page 3', exact: true }).click();
  await expect(pageField(page)).toHaveValue('3');
  // it was in the way, and has gone
  await expect(thumbnails(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'Print' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download' }).click();
  expect((await downloading).suggestedFilename()).toBe('Übung 7 needles.pdf');
});
