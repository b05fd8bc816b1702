import { createAccount, visitor } from '../support/product/accounts.ts';
import { fillDialog } from '../support/screens/dialog.ts';
import { become, goToLineOf, openOwn, saved, upToDate } from '../support/screens/document.ts';
import { openLibrary } from '../support/screens/library.ts';
import {
  editor,
  expect,
  expectGoodLooks,
  expectNoSidewaysScroll,
  listAxeViolations,
  pdfText,
  test,
} from '../support/test.ts';

test.use(visitor);

test('find and replace by keyboard alone: matches are counted while typing, in a selection, by a regular expression', async ({
  page,
}) => {
  await openOwn(page, { body: 'Sum one.\n\nsum two, summand.\n\nSum three.' });
  const panel = page.getByRole('search').filter({ has: page.getByRole('textbox', { name: 'Find' }) });
  const found = panel.getByRole('status');
  const find = page.getByRole('textbox', { name: 'Find' });
  await editor(page).focus();
  await page.keyboard.press('Control+f');
  await expect(find).toBeFocused();
  await page.keyboard.insertText('sum');
  await expect(found).toHaveText('4 found');
  await page.keyboard.press('Enter');
  await expect(found).toHaveText('1 of 4');
  await page.keyboard.press('Shift+Enter');
  await expect(found).toHaveText('4 of 4');
  await page.keyboard.press('F3');
  await expect(found).toHaveText('1 of 4');
  await page.keyboard.press('Alt+w');
  await expect(panel.getByRole('button', { name: 'Whole words' })).toHaveAttribute('aria-pressed', 'true');
  await expect(found).toHaveText('1 of 3');
  await page.keyboard.press('Alt+c');
  await expect(found).toHaveText('1 found');
  await page.keyboard.press('Alt+c');
  await page.keyboard.press('Alt+w');

  // a pattern, even while it is incomplete
  await page.keyboard.press('Alt+r');
  await find.fill('(s');
  await expect(found).toHaveText('Invalid pattern');
  await expect(find).toHaveAttribute('aria-invalid', 'true');
  await find.fill('sum(?= t)');
  await expect(found).toHaveText('2 found');
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Alt+r');
  await find.fill('nowhere');
  await expect(found).toHaveText('Nothing found');
  await page.keyboard.press('Escape');
  await expect(find).toHaveCount(0);
  await expect(editor(page)).toBeFocused();

  // in the selection only
  await goToLineOf(page, 'sum two');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.press('Control+h');
  await expect(page.getByRole('textbox', { name: 'Replace' })).toBeFocused();
  await find.fill('sum');
  await expect(found).toHaveText('4 found');
  await page.keyboard.press('Alt+l');
  await expect(found).toHaveText('2 found');
  await page.getByRole('textbox', { name: 'Replace' }).fill('total');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(editor(page)).toContainText('total two, summand.');
  await page.keyboard.press('Control+Enter');
  await expect(found).toHaveText('1 replaced');
  await expect(editor(page)).toContainText('total two, totalmand.');
  await page.keyboard.press('Escape');
  await expect(editor(page)).toContainText('Sum three.');
  await page.keyboard.press('Control+z');
  await expect(editor(page)).toContainText('total two, summand.');
});

test('the bar under the source: undo, redo and find by mouse; the text size is remembered', async ({
  page,
}) => {
  await openOwn(page);
  const bar = page.getByRole('toolbar', { name: 'Editor' });
  const undo = bar.getByRole('button', { name: /^Undo/ });
  await expect(undo).toBeDisabled();
  await goToLineOf(page, 'First words.');
  await page.keyboard.insertText(' Second words.');
  await undo.click();
  await expect(editor(page)).not.toContainText('Second words.');
  await expect(editor(page)).toBeFocused();
  await expect(undo).toBeDisabled();
  await bar.getByRole('button', { name: /^Redo/ }).click();
  await expect(editor(page)).toContainText('Second words.');
  await bar.getByRole('button', { name: /^Find/ }).click();
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
  await page.keyboard.press('Escape');

  const size = () => editor(page).evaluate((text) => Number.parseFloat(getComputedStyle(text).fontSize));
  expect(await size()).toBe(13);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a command' }).fill('text very large');
  await page.keyboard.press('Enter');
  await expect.poll(size).toBe(18);
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(editor(page)).toBeVisible();
  await expect.poll(size).toBe(18);
});

test('on a phone the find panel fits the screen, and replacing is one press away', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openOwn(page, { body: 'Sum one.' });
  await editor(page).focus();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find' }).fill('Sum');
  await expect(page.getByRole('textbox', { name: 'Replace' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show replace' }).click();
  await expect(page.getByRole('textbox', { name: 'Replace' })).toBeVisible();
  await expectGoodLooks(page, { widths: [390] });
});

test('a warning is unobtrusive: a mark in the margin and a line in the list', async ({ page }) => {
  await openOwn(page, { body: 'See \\ref{nowhere}.' });
  await expect(upToDate(page)).toBeVisible();
  await expect(page.locator('.cm-lint-marker-warning')).toBeVisible();
  await page.getByRole('button', { name: /warning/ }).click();
  await expect(page.getByRole('group', { name: 'Messages' })).toContainText('No \\label{nowhere} exists');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('the view goes to a match', async ({ page }) => {
  const lines = Array.from({ length: 120 }, (_, index) => `Paragraph ${index + 1}.\n`).join('\n');
  await openOwn(page, { body: lines, query: '?line=150' });
  await expect(page.locator('.cm-activeLine')).toContainText('Paragraph 74.');
  await expect(page.locator('.cm-activeLine')).toBeInViewport();
});

test('panes: their widths by keyboard and mouse, and which are open, are remembered', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openOwn(page);
  const width = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.width ?? 0;
  const border = page.getByRole('separator', { name: 'Width of Source and Page' });
  await border.focus();
  const before = await width('Source');
  for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowRight');
  await expect.poll(() => width('Source')).toBeCloseTo(before + 72, -1);
  const box = (await border.boundingBox())!;
  await page.mouse.move(box.x, 300);
  await page.mouse.down();
  await page.mouse.move(box.x - 200, 300, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => width('Source')).toBeLessThan(before - 80);
  const dragged = await width('Source');
  await page.reload();
  await expect(editor(page)).toBeVisible();
  await expect.poll(async () => Math.abs((await width('Source')) - dragged)).toBeLessThan(4);
  // pdf.js logs this to the console if it is hidden while laying out its pages
  await expect(pdfText(page)).toBeVisible();
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Page', exact: true })).toBeHidden();
  await page.reload();
  await expect(editor(page)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Page', exact: true })).toBeHidden();
});

test('on a phone one pane at a time, with a way from the source to the page and back', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openOwn(page, { body: 'Words on a phone.' });
  await expect(upToDate(page)).toBeVisible();
  await expect(pdfText(page)).toBeHidden();
  expect(await listAxeViolations(page)).toEqual([]);
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Page' }).click();
  await expect(pdfText(page)).toContainText('Words on a phone.');
  await expect(editor(page)).toBeHidden();
  await expectNoSidewaysScroll(page);
  await pdfText(page).getByText('Words on a phone.').first().dblclick();
  await expect(page.locator('.cm-activeLine')).toContainText('Words on a phone.');
  await expect(editor(page)).toBeVisible();
});

test.describe('access', () => {
  test.use({ allowRefusals: true });

  test('a visitor is asked to log in, and the document opens', async ({ page }) => {
    const library = await openLibrary();
    const { id } = await library.createDocument('Mine', { body: 'For my eyes.' });
    await page.goto(`/documents/${id}`);
    await expect(page.getByRole('heading', { name: 'Log in to open this document' })).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Log In' }).click();
    await fillDialog(page, 'Log In', library.email);
    await expect(editor(page)).toContainText('For my eyes.');
  });

  test('without a connection the text is kept here, and saved once it is back', async ({ page, context }) => {
    const { library, id } = await openOwn(page);
    await expect(upToDate(page)).toBeVisible();
    await context.setOffline(true);
    await goToLineOf(page, 'First words.');
    await page.keyboard.type(' Written in a tunnel.');
    await expect(page.getByText('Offline: kept on this device')).toBeVisible();
    await expect(page.getByText('Offline. The page is updated once you are back.')).toBeVisible();
    await context.setOffline(false);
    await expect(saved(page)).toBeVisible();
    await expect(upToDate(page)).toBeVisible();
    await expect(pdfText(page)).toContainText('Written in a tunnel.');
    const { latex } = await library.call<{ latex: string }>('GET', `/documents/${id}`);
    expect(latex).toContain('Written in a tunnel.');
  });

  test('somebody else’s document and a missing one get the same answer', async ({ page }) => {
    const library = await openLibrary();
    const { id } = await library.createDocument('Private');
    await become(page, await createAccount());
    for (const address of [id, crypto.randomUUID(), 'no-id']) {
      await page.goto(`/documents/${address}`);
      await expect(page.getByRole('heading', { name: 'There is no such document' })).toBeVisible();
      await expect(page.getByText('Private')).toHaveCount(0);
    }
    await expect(page.getByRole('link', { name: 'My documents' }).last()).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
  });
});

test('a line cannot be disguised: characters that change the text direction are shown as what they are', async ({
  page,
}) => {
  const body = 'Safe \u202e} deppiks {\\undefinedhere\u202c\u2066 end.\n\nשלום עולם, \\sec\u200dtion';
  await openOwn(page, { body });
  const line = editor(page).locator('.cm-line').nth(3);
  await expect(line).toHaveText('Safe ⟨U+202E⟩} deppiks {\\undefinedhere⟨U+202C⟩⟨U+2066⟩ end.');
  await expect(editor(page).locator('.cm-line').nth(5)).toHaveText('שלום עולם, \\sec⟨U+200D⟩tion');
  // nothing in it is left for the browser to interpret
  const shown = await editor(page).evaluate((content) => content.textContent ?? '');
  expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  await page.getByRole('button', { name: /error/ }).click();
  await expect(page.getByRole('group', { name: 'Messages' })).toContainText('undefinedhere');
  const messages = await page.getByRole('group', { name: 'Messages' }).textContent();
  expect(messages).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  await expectGoodLooks(page);
});

test('from the source to the page, and back to the word', async ({ page }) => {
  await openOwn(page, { body: 'Above.\n\n\\vspace{9cm}\n\nFar below stands this.' });
  await expect(upToDate(page)).toBeVisible();
  await goToLineOf(page, 'Far below');
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('.pdf-mark').first()).toBeVisible();
  const words = pdfText(page).getByText('Far below stands this.').first();
  const [box, mark] = [await words.boundingBox(), await page.locator('.pdf-mark').first().boundingBox()];
  expect(Math.abs(box!.y - mark!.y)).toBeLessThan(20);
  await page.keyboard.press('Control+Home');
  await words.dblclick({ position: { x: 8, y: box!.height / 2 } });
  await expect(page.locator('.cm-activeLine')).toContainText('Far below');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('Far');
});
