/** The editor of a document that is kept: written, seen, saved, found again; and everything round the text. */
import type { Page } from '@playwright/test';
import { createAccount, main, openBrowser, storageOf, visitor } from './support/accounts.ts';
import { fillDialog } from './support/dialog.ts';
import { latexOf, type OwnLibrary, openLibrary } from './support/library.ts';
import {
  editor,
  expect,
  expectGoodLooks,
  expectNoSidewaysScroll,
  listAxeViolations,
  pdfText,
  test,
} from './support/test.ts';

test.use(visitor);

/** Signed in as this account from the next page on. */
async function become(page: Page, email: string): Promise<void> {
  const { localStorage: items } = await storageOf(main, email);
  await page.addInitScript((kept) => {
    for (const { name, value } of kept) if (!localStorage.getItem(name)) localStorage.setItem(name, value);
  }, items);
}

/** Opens a document of a new account and waits for its page. */
async function openOwn(
  page: Page,
  { body = 'First words.', ...options }: { body?: string; latex?: string; query?: string } = {},
): Promise<{ library: OwnLibrary; id: string }> {
  const library = await openLibrary();
  const { id } = await library.createDocument('Heat equation', {
    latex: options.latex ?? latexOf(body),
  });
  await become(page, library.email);
  await page.goto(`/documents/${id}${options.query ?? ''}`);
  await expect(editor(page)).toBeVisible();
  return { library, id };
}

const upToDate = (page: Page) => page.getByText('The page is up to date.');
const saved = (page: Page) => page.getByText('Saved', { exact: true });

/** Puts the cursor at the end of the line that holds these words. */
async function goToLineOf(page: Page, words: string) {
  await editor(page).focus();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find' }).fill(words);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('End');
}

test('what is typed is on the page and saved, and there again after a reload [§1 A LaTeX editor; §2 /documents/{documentId}: the editor]', async ({
  page,
}) => {
  const { library, id } = await openOwn(page);
  await expect(pdfText(page)).toContainText('First words.');
  await goToLineOf(page, 'First words.');
  await page.keyboard.type(' And more of them.');
  await expect(pdfText(page)).toContainText('And more of them.');
  await expect(saved(page)).toBeVisible();
  const kept = async () => (await library.call<{ latex: string }>('GET', `/documents/${id}`)).latex;
  await expect.poll(kept).toContain('First words. And more of them.');
  // at once, without waiting for a pause
  await page.keyboard.type(' Now.');
  await page.keyboard.press('Control+s');
  await expect.poll(kept).toContain('Now.');
  await page.reload();
  await expect(editor(page)).toContainText('And more of them. Now.');
  await expect(pdfText(page)).toContainText('Now.');
});

test('title, star, engine: changed where they stand', async ({ page }) => {
  const { library, id } = await openOwn(page, {
    body: '\\ifdefined\\XeTeXversion Set by X\\else Set by the other\\fi',
  });
  await expect(pdfText(page)).toContainText('Set by X');
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('The heat equation');
  await title.press('Enter');
  await page.getByRole('button', { name: 'Star', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove the star' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'pdfLaTeX' }).click();
  await expect(pdfText(page)).toContainText('Set by the other');
  await expect
    .poll(() => library.call('GET', `/documents/${id}`))
    .toMatchObject({ title: 'The heat equation', engine: 'pdflatex', starred_at: expect.any(String) });
  await expect(page).toHaveTitle('The heat equation · Inkproof');
  // Escape takes a title back
  await title.fill('Something else');
  await title.press('Escape');
  await expect(title).toHaveValue('The heat equation');
});

test('find and replace by the keys alone: counted while it is typed, in a selection, by a pattern', async ({
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

  // a pattern, also while it is none yet
  await page.keyboard.press('Alt+r');
  await find.fill('(s');
  await expect(found).toHaveText('Not a pattern');
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

  // in what is selected alone
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

test('the row under the source: undo, redo and find by hand; the size of the text is remembered', async ({
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

test('on a phone the find panel is within its frame, and replacing is a press away', async ({ page }) => {
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

test('an error is said at its line with its fix, and the last good page stays', async ({ page }) => {
  await openOwn(page, { body: 'Good words.' });
  await expect(pdfText(page)).toContainText('Good words.');
  await goToLineOf(page, 'Good words.');
  // at once: what is typed letter by letter may compile on its way
  await page.keyboard.insertText(' A letter: $\\alhpa$.');
  await expect(page.locator('.cm-lint-marker-error')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Line 4' })).toBeVisible();
  await expect(pdfText(page)).toContainText('Good words.');
  await expect(pdfText(page)).not.toContainText('A letter');
  // in the margin: the plain explanation and the fix
  await page.locator('.cm-lint-marker-error').hover();
  await expect(page.locator('.cm-tooltip-lint')).toContainText('\\alhpa');
  await page.mouse.move(0, 0);
  // all that was said, in a list
  await page.getByRole('button', { name: '1 error' }).click();
  const list = page.getByRole('group', { name: 'Messages' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  expect(await listAxeViolations(page)).toEqual([]);
  await list.getByRole('button', { name: /^Apply fix/ }).click();
  await expect(editor(page)).toContainText('$\\alpha$');
  await expect(upToDate(page)).toBeVisible();
  await expect(pdfText(page)).toContainText('A letter');
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(0);
});

test('a warning speaks quietly: a mark in the margin and a line in the list', async ({ page }) => {
  await openOwn(page, { body: 'See \\ref{nowhere}.' });
  await expect(upToDate(page)).toBeVisible();
  await expect(page.locator('.cm-lint-marker-warning')).toBeVisible();
  await page.getByRole('button', { name: /warning/ }).click();
  await expect(page.getByRole('group', { name: 'Messages' })).toContainText('No \\label{nowhere} exists');
  await expect(page.getByRole('alert')).toHaveCount(0);
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

test('a found line is gone to', async ({ page }) => {
  const lines = Array.from({ length: 120 }, (_, index) => `Paragraph ${index + 1}.\n`).join('\n');
  await openOwn(page, { body: lines, query: '?line=150' });
  await expect(page.locator('.cm-activeLine')).toContainText('Paragraph 74.');
  await expect(page.locator('.cm-activeLine')).toBeInViewport();
});

test('figures: added by file and by drop, renamed in the text, removed', async ({ page }) => {
  const { library, id } = await openOwn(page, { body: 'Before the figure.' });
  await goToLineOf(page, 'Before the figure.');
  await page.getByRole('button', { name: 'Figures' }).click();
  await page.getByLabel('Pictures to add').setInputFiles({
    name: 'Wärme (1).png',
    mimeType: 'image/png',
    buffer: await drawPng(page, 'red'),
  });
  await expect(editor(page)).toContainText('\\includegraphics[width=0.8\\linewidth]{Warme-1.png}');
  await expect(editor(page)).toContainText('\\usepackage{graphicx}');
  await expect(upToDate(page)).toBeVisible();
  await expect
    .poll(() => library.call('GET', `/documents/${id}`))
    .toMatchObject({ figures: [{ name: 'Warme-1.png', media_type: 'image/png' }] });
  // one step of undo takes it out of the text again
  await editor(page).focus();
  await page.keyboard.press('Control+z');
  await expect(editor(page)).not.toContainText('includegraphics');
  await page.keyboard.press('Control+Shift+z');
  await expect(editor(page)).toContainText('includegraphics');

  await page.getByRole('button', { name: 'Rename Warme-1.png' }).click();
  await page.getByLabel('Name, without .png').fill('warm');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(editor(page)).toContainText('{warm.png}');
  await expect(page.getByRole('button', { name: 'Rename warm.png' })).toBeVisible();
  await expect(upToDate(page)).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);

  const dropped = [...(await drawPng(page, 'blue'))];
  await editor(page).evaluate((content, bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], 'cold.png', { type: 'image/png' }));
    const { left, top } = content.getBoundingClientRect();
    const at = { bubbles: true, cancelable: true, clientX: left + 40, clientY: top + 40 };
    content.dispatchEvent(new DragEvent('drop', { ...at, dataTransfer: transfer }));
  }, dropped);
  await expect(editor(page)).toContainText('{cold.png}');
  await expect(upToDate(page)).toBeVisible();

  await page.getByRole('button', { name: 'Remove warm.png' }).click();
  await expect(page.getByText('The text shows “warm.png”.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove warm.png' })).toHaveCount(0);
  await expect
    .poll(async () => {
      const { figures } = await library.call<{ figures: { name: string }[] }>('GET', `/documents/${id}`);
      return figures.map(({ name }) => name);
    })
    .toEqual(['cold.png']);
  // fetched with the document, and compiled with it
  await goToLineOf(page, 'warm.png');
  await page.keyboard.press('Control+Shift+k');
  await expect(upToDate(page)).toBeVisible();
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(upToDate(page)).toBeVisible();
});

/** A picture of one colour, made by the browser. */
async function drawPng(page: Page, colour: string): Promise<Buffer> {
  const bytes = await page.evaluate(async (fill) => {
    const canvas = new OffscreenCanvas(80, 40);
    const context = canvas.getContext('2d')!;
    context.fillStyle = fill;
    context.fillRect(0, 0, 80, 40);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  }, colour);
  return Buffer.from(bytes);
}

test('a link: made, opened by anybody, revoked', async ({ page, browser }) => {
  const { id } = await openOwn(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('told not to index');
  await dialog.getByRole('button', { name: 'Create a link' }).click();
  const address = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(address).toMatch(new RegExp(`^${main.url}/shared/.{20,}$`));
  expect(address).not.toContain(id);
  expect(await listAxeViolations(page)).toEqual([]);
  const stranger = await openBrowser(browser, null);
  const call = () => stranger.request.get(address.replace('/shared/', '/api/v1/shared/'));
  const opened = await call();
  expect(await opened.json()).toMatchObject({ title: 'Heat equation' });
  expect(opened.headers()['x-robots-tag']).toContain('noindex');
  await dialog.getByRole('button', { name: /^Revoke/ }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(0);
  expect((await call()).status()).toBe(404);
  await stranger.close();
});

test('a copy beside it; into the trash, and back', async ({ page }) => {
  const { library, id } = await openOwn(page, { body: 'To be copied.' });
  await goToLineOf(page, 'To be copied.');
  await page.keyboard.type(' With this.');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Heat equation (copy)');
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(editor(page)).toContainText('To be copied. With this.');
  const copy = page.url();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Move to the trash' }).click();
  await expect(page).toHaveURL(`${main.url}/documents`);
  expect(await library.call('GET', '/documents?trashed=true')).toMatchObject({ total: 1 });
  await page.goto(copy);
  await expect(page.getByText('This document is in the trash.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('This document is in the trash.', { exact: false })).toHaveCount(0);
  expect(await library.call('GET', '/documents?trashed=true')).toMatchObject({ total: 0 });
});

test('panes: widths by keyboard and by hand, and which of them are open, are remembered', async ({
  page,
}) => {
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
  // pdf.js says so on the console when it is hidden while it lays out its pages
  await expect(pdfText(page)).toBeVisible();
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Page', exact: true })).toBeHidden();
  await page.reload();
  await expect(editor(page)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Page', exact: true })).toBeHidden();
});

test('on a phone one pane at a time; the page is found from the source and back', async ({ page }) => {
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

test('at every size, in both colours: accessible and within its frame', async ({ page }) => {
  await openOwn(page);
  await expect(upToDate(page)).toBeVisible();
  await expectGoodLooks(page, { widths: [390, 1280, 1920] });
});

test.describe('not for everybody', () => {
  test.use({ allowRefusals: true });

  test('somebody else’s document and a missing one answer alike', async ({ page }) => {
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

  test('a visitor is asked to log in, and the document opens', async ({ page }) => {
    const library = await openLibrary();
    const { id } = await library.createDocument('Mine', { body: 'For my eyes.' });
    await page.goto(`/documents/${id}`);
    await expect(page.getByRole('heading', { name: 'Log in to open this document' })).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Log In' }).click();
    await fillDialog(page, 'Log In', library.email);
    await expect(editor(page)).toContainText('For my eyes.');
  });

  test('a connection that is lost keeps the text here, and saves it when it is back', async ({
    page,
    context,
  }) => {
    const { library, id } = await openOwn(page);
    await expect(upToDate(page)).toBeVisible();
    await context.setOffline(true);
    await goToLineOf(page, 'First words.');
    await page.keyboard.type(' Written in a tunnel.');
    await expect(page.getByText('Offline: kept on this device')).toBeVisible();
    await expect(page.getByText('Offline. The page follows once you are back.')).toBeVisible();
    await context.setOffline(false);
    await expect(saved(page)).toBeVisible();
    await expect(upToDate(page)).toBeVisible();
    await expect(pdfText(page)).toContainText('Written in a tunnel.');
    const { latex } = await library.call<{ latex: string }>('GET', `/documents/${id}`);
    expect(latex).toContain('Written in a tunnel.');
  });
});

test('a line cannot look other than it is: what turns the direction of writing stands there as what it is', async ({
  page,
}) => {
  const body = 'Safe \u202e} deppiks {\\undefinedhere\u202c\u2066 end.\n\nשלום עולם, \\sec\u200dtion';
  await openOwn(page, { body });
  const line = editor(page).locator('.cm-line').nth(3);
  await expect(line).toHaveText('Safe ⟨U+202E⟩} deppiks {\\undefinedhere⟨U+202C⟩⟨U+2066⟩ end.');
  await expect(editor(page).locator('.cm-line').nth(5)).toHaveText('שלום עולם, \\sec⟨U+200D⟩tion');
  // nothing of it is left to the browser to obey
  const shown = await editor(page).evaluate((content) => content.textContent ?? '');
  expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  await page.getByRole('button', { name: /error/ }).click();
  await expect(page.getByRole('group', { name: 'Messages' })).toContainText('undefinedhere');
  const messages = await page.getByRole('group', { name: 'Messages' }).textContent();
  expect(messages).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  await expectGoodLooks(page);
});
