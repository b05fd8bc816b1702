/** The library in its other forms: sorting, keys, touch, dragging, limits, and hundreds of documents. */
import { devices, type Page } from '@playwright/test';
import type { DocumentSummary } from '#shared/api/library.ts';
import { main, storageOf, visitor } from '../support/product/accounts.ts';
import { openLibrary } from '../support/screens/library.ts';
import { enter, find, listed, named, names, places, show, toast } from '../support/screens/library-page.ts';
import { expect, expectGoodLooks, expectNoSidewaysScroll, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

test.describe('addresses', () => {
  test.use({ allowRefusals: true });

  test('a visitor is told what the library is; addresses survive a reload, unknown ones are an error', async ({
    page,
  }) => {
    for (const path of ['/documents', '/documents/folders', '/documents/folders/0b0e'])
      expect((await page.goto(path))?.status()).toBe(200);
    await expect(page.getByRole('heading', { name: 'Log in to see your documents' })).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Log In' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect((await page.goto('/documents/folders/0b0e/more'))?.status()).toBe(404);
  });
});

test('documents are shown by name, as a grid or a list, and the order is remembered', async ({ page }) => {
  const library = await openLibrary();
  for (const title of ['Lecture 10', 'Zeta', 'Électron', 'Lecture 2', 'entropy'])
    await library.createDocument(title);
  await show(page, library);
  await expect(names(page)).toHaveText(['Électron', 'entropy', 'Lecture 2', 'Lecture 10', 'Zeta']);
  await page.getByRole('button', { name: /^Order: Name/ }).click();
  await page.getByRole('menuitemradio', { name: 'Created' }).click();
  await expect(names(page)).toHaveText(['entropy', 'Lecture 2', 'Électron', 'Zeta', 'Lecture 10']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await page.reload();
  await expect(names(page)).toHaveText(['entropy', 'Lecture 2', 'Électron', 'Zeta', 'Lecture 10']);
  await expect(page.getByRole('button', { name: 'List', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.getByText('5 of 200 documents').first()).toBeVisible();
  // first-page pictures appear when they are made
  await expect(page.getByRole('list', { name: 'Documents' }).locator('img')).toHaveCount(5);
});

test('single-letter keys: X selects, N creates a document, and neither works while typing', async ({
  page,
}) => {
  const library = await openLibrary();
  await library.createDocument('Sheet with a name that is longer than its tile is wide');
  await show(page, library);
  await page.getByRole('main').locator('[data-main]').first().focus();
  await page.keyboard.press('x');
  await expect(page.getByRole('region', { name: 'Selected' })).toContainText('1 selected');
  await page.keyboard.press('x');
  await expect(page.getByRole('region', { name: 'Selected' })).toHaveCount(0);
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'New document' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search your documents' }).fill('n');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('on touch screens nothing covers the pages; selecting starts from the menu', async ({ browser }) => {
  const library = await openLibrary();
  await library.createDocument('One');
  await library.createDocument('Two');
  const storageState = { cookies: [], origins: [await storageOf(main, library.email)] };
  const { viewport, userAgent, isMobile, hasTouch } = devices['Pixel 7'];
  const context = await browser.newContext({
    viewport,
    userAgent,
    isMobile,
    hasTouch,
    storageState,
    baseURL: main.url,
  });
  const page = await context.newPage();
  await page.goto('/documents');
  await expect(named(page, 'One')).toBeVisible();
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions for One' }).click();
  await page.getByRole('menuitem', { name: 'Select' }).click();
  await expect(page.getByRole('region', { name: 'Selected' })).toContainText('1 selected');
  // from here on a press selects
  await page.getByRole('checkbox', { name: 'Select Two' }).tap();
  await expect(page.getByRole('region', { name: 'Selected' })).toContainText('2 selected');
  expect(await listAxeViolations(page)).toEqual([]);
  await context.close();
});

test('dragged into a folder of the sidebar, and into one on the shelf', async ({ page }) => {
  const library = await openLibrary();
  const physics = await library.createFolder('Physics');
  const optics = await library.createFolder('Optics', physics.id);
  await library.createDocument('Lenses', { folder_id: physics.id });
  await library.createDocument('Prisms', { folder_id: physics.id });
  await show(page, library, `/documents/folders/${physics.id}`);

  const drag = async (name: string, onto: ReturnType<Page['locator']>) => {
    const from = (await named(page, name).locator('xpath=ancestor::li').boundingBox())!;
    const to = (await onto.boundingBox())!;
    await page.mouse.move(from.x + 40, from.y + 40);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 50, { steps: 4 });
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
    // a possible target is marked before the drop
    await expect(onto).toHaveCSS('outline-style', 'solid');
    await page.mouse.up();
  };
  await drag('Lenses', named(page, 'Optics').locator('xpath=ancestor::li'));
  await expect(toast(page).getByText('“Lenses” moved to “Optics”.')).toBeVisible();
  await expect(named(page, 'Lenses')).toHaveCount(0);
  await expect.poll(async () => (await find(library, 'Lenses'))?.folder_id).toBe(optics.id);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(named(page, 'Lenses')).toBeVisible();

  await drag('Prisms', places(page).getByRole('link', { name: /^Trash/ }));
  await expect(named(page, 'Prisms')).toHaveCount(0);
  await expect.poll(async () => (await listed(library, '&trashed=true')).length).toBe(1);
  // the drag has not opened anything
  await expect(page).toHaveURL(new RegExp(`/documents/folders/${physics.id}$`));
});

test('a full library says so, and where to write', async ({ page }) => {
  const library = await openLibrary();
  await library.createDocument('The only one');
  await enter(page, library);
  // the account's row, unchanged except for its limit
  await page.route('**/rest/v1/user_credits*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), document_limit: 1 } });
  });
  await page.goto('/documents');
  await expect(page.getByText('1 of 1 documents').first()).toBeVisible();
  await expect(page.getByText(/^You have reached your document limit\./)).toContainText(
    'contact us at support@',
  );
});

test('three hundred documents are shown a hundred at a time and selected all at once', async ({ page }) => {
  const library = await openLibrary();
  const model = await library.createDocument('Model');
  const [summary] = await listed(library);
  await enter(page, library);
  const many = Array.from({ length: 300 }, (_, index): DocumentSummary => {
    return {
      ...summary!,
      id: model.id.slice(0, -3) + String(index).padStart(3, '0'),
      title: `Page ${index + 1}`,
    };
  });
  // instead of three hundred that would be compiled
  await page.route('**/api/v1/documents?trashed=false*', (route) =>
    route.fulfill({ json: { documents: many, total: many.length } }),
  );
  await page.goto('/documents');
  await expect(named(page, 'Page 1')).toBeVisible();
  expect(await names(page).count()).toBe(100);
  await named(page, 'Page 1').focus();
  await page.keyboard.press('Control+a');
  await expect(page.getByRole('region', { name: 'Selected' })).toContainText('300 selected');
  await page.keyboard.press('Escape');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(named(page, 'Page 200')).toBeAttached();
  await expectNoSidewaysScroll(page);
});

test('with forced colours an outline shows what is on and the current place', async ({ page }) => {
  const library = await openLibrary();
  await library.createDocument('One');
  await show(page, library);
  const frameOf = (locator: ReturnType<Page['locator']>) =>
    locator.evaluate((element) => getComputedStyle(element).outlineStyle);
  const here = places(page).getByRole('link', { name: /^All documents/ });
  const grid = page.getByRole('button', { name: 'Grid' });
  expect(await frameOf(here)).toBe('none');
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await frameOf(here)).toBe('solid');
  expect(await frameOf(places(page).getByRole('link', { name: 'Recent' }))).toBe('none');
  expect(await frameOf(grid)).toBe('solid');
  expect(await frameOf(page.getByRole('button', { name: 'List' }))).toBe('none');
});

test('small and very large, dark: accessible, nothing overflows', async ({ page }) => {
  const library = await openLibrary();
  const folder = await library.createFolder('Physics');
  await library.createDocument('Entropy', { folder_id: folder.id });
  await enter(page, library);
  for (const path of [`/documents/folders/${folder.id}`, '/documents/folders', '/documents?view=trash']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await expectGoodLooks(page, { widths: [390, 1920], colours: ['dark'] });
  }
});

test.describe('with errors', () => {
  test.use({ allowRefusals: true });

  test('a change that the server rejects is reverted and reported; another tab sees the changes', async ({
    page,
  }) => {
    const library = await openLibrary();
    await library.createDocument('Kept');
    await show(page, library);
    await page.route('**/api/v1/documents/bulk', (route) => route.abort());
    await named(page, 'Kept').focus();
    await page.keyboard.press('Delete');
    await expect(toast(page).getByText(/Network error.*Nothing was changed/)).toBeVisible();
    await expect(named(page, 'Kept')).toBeVisible();
    await page.unroute('**/api/v1/documents/bulk');

    const other = await page.context().newPage();
    await other.goto('/documents');
    await expect(named(other, 'Kept')).toBeVisible();
    await named(page, 'Kept').focus();
    await page.keyboard.press('F2');
    await page.getByLabel('New name of Kept').fill('Renamed');
    await page.keyboard.press('Enter');
    await expect(named(other, 'Renamed')).toBeVisible();

    await page.route('**/api/v1/folders?*', (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('alert').getByText(/Network error/)).toBeVisible();
    await page.unroute('**/api/v1/folders?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(named(page, 'Renamed')).toBeVisible();
  });
});

test('by keyboard alone: move, select, star, move into a new folder, undo, open', async ({ page }) => {
  const library = await openLibrary();
  for (let number = 1; number <= 8; number++) await library.createDocument(`Sheet ${number}`);
  await show(page, library);
  await named(page, 'Sheet 1').focus();
  await page.keyboard.press('ArrowRight');
  await expect(named(page, 'Sheet 2')).toBeFocused();
  // there are five per row
  await page.keyboard.press('ArrowDown');
  await expect(named(page, 'Sheet 7')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(named(page, 'Sheet 1')).toBeFocused();
  await page.keyboard.press(' ');
  await expect(page.getByRole('region', { name: 'Selected' })).toContainText('1 selected');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.getByRole('region', { name: 'Selected' })).toContainText('2 selected');
  await page.keyboard.press('s');
  await expect(places(page).getByRole('link', { name: /^Starred/ })).toContainText('2');

  await page.keyboard.press('m');
  await page.getByRole('combobox', { name: 'Find a folder' }).fill('Week one');
  await page.keyboard.press('Enter');
  await expect(toast(page).getByText('2 documents moved to “Week one”.')).toBeVisible();
  await expect.poll(async () => (await find(library, 'Sheet 2'))?.folder_id).toBeTruthy();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await find(library, 'Sheet 2'))?.folder_id).toBeNull();

  await page.keyboard.press('Escape');
  await named(page, 'Sheet 3').focus();
  await page.keyboard.press('F2');
  await page.getByLabel('New name of Sheet 3').fill('Sheet 3, solved');
  await page.keyboard.press('Enter');
  await expect(named(page, 'Sheet 3, solved')).toBeFocused();
  const { id } = (await find(library, 'Sheet 4'))!;
  await page.keyboard.press('ArrowRight');
  await expect(named(page, 'Sheet 4')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/documents/${id}$`));
});
