/** The editor of a document that is kept: written, seen, saved, found again; and everything round the text. */
import type { Page } from '@playwright/test';
import { createAccount, main, openBrowser, visitor } from '../support/product/accounts.ts';
import { become, goToLineOf, openOwn, saved, upToDate } from '../support/screens/document.ts';
import { openLibrary } from '../support/screens/library.ts';
import { editor, expect, expectGoodLooks, listAxeViolations, pdfText, test } from '../support/test.ts';

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

test.use(visitor);

test('what is typed is on the page and saved, and there again after a reload; at every size, in both colours: accessible and within its frame [§1 A LaTeX editor; §2 /documents/{documentId}: the editor]', async ({
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
  await expect(upToDate(page)).toBeVisible();
  await expectGoodLooks(page, { widths: [390, 1280, 1920] });
});

test('an error is said at its line with its fix, and what TeX sets all the same is marked as incomplete; a compile that never ends is stopped', async ({
  page,
}) => {
  await openOwn(page, { body: 'Good words.' });
  await expect(pdfText(page)).toContainText('Good words.');
  await goToLineOf(page, 'Good words.');
  // at once: what is typed letter by letter may compile on its way
  await page.keyboard.insertText(' A letter: $\\alhpa$.');
  await expect(page.locator('.cm-lint-marker-error')).toBeVisible();
  const incomplete = page.getByRole('note').filter({ hasText: 'Incomplete.' });
  await expect(incomplete).toBeVisible();
  await expect(pdfText(page)).toContainText('Good words. A letter');
  await page.keyboard.press('Control+Home');
  await incomplete.getByRole('button', { name: 'Line 4' }).click();
  await expect(page.locator('.cm-activeLine')).toContainText('\\alhpa');
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
  await expect(incomplete).toHaveCount(0);

  await goToLineOf(page, 'Good words.');
  await page.keyboard.insertText(' \\loop\\iftrue\\repeat');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const stopped = page.getByText('Stopped. The page is from before.');
  await expect(stopped).toBeVisible();
  // the page stays, and the focus where it was: the same button begins again
  await expect(pdfText(page)).toContainText('A letter');
  await expect(page.getByRole('button', { name: 'Compile', exact: true })).toBeFocused();
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(stopped).toHaveCount(0);
  await page.keyboard.press('Control+.');
  await expect(stopped).toBeVisible();
  // the next edit is compiled
  await goToLineOf(page, 'Good words.');
  await page.keyboard.press('Control+z');
  await expect(upToDate(page)).toBeVisible();

  // several at once: shown before they are taken, and one step of undo
  await goToLineOf(page, 'Good words.');
  await page.keyboard.insertText('\n\nAnother: $\\bteta$.\n\n\\begin{itemize}\n\\item One.');
  await page.getByRole('button', { name: 'Fix all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Fix all' });
  await expect(dialog).toContainText('The text compiles with these changes.');
  await expect(dialog.getByRole('list').getByRole('listitem')).toHaveCount(2);
  await expect(page.locator('.cm-content').first()).toContainText('\\bteta');
  await expectGoodLooks(page, { widths: [390, 1366, 1920] });
  await dialog.getByRole('button', { name: 'Apply 2 fixes' }).click();
  await expect(upToDate(page)).toBeVisible();
  await expect(editor(page)).toContainText('\\end{itemize}');
  await page.keyboard.press('Control+z');
  await expect(editor(page)).toContainText('\\bteta');
  await expect(editor(page)).not.toContainText('\\end{itemize}');
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

test('round the text: title, star, engine; a link for anybody; a copy beside it; the trash', async ({
  page,
  browser,
}) => {
  const { library, id } = await openOwn(page, {
    body: '\\ifdefined\\XeTeXversion Set by X\\else Set by the other\\fi',
  });
  await expect(pdfText(page)).toContainText('Set by X');
  await test.step('title, star and engine are changed where they stand', async () => {
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('The heat equation');
    await title.press('Enter');
    await page.getByRole('button', { name: 'Star', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Remove the star' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
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
  await test.step('a link is made, opened by anybody, revoked', async () => {
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
    expect(await opened.json()).toMatchObject({ title: 'The heat equation' });
    expect(opened.headers()['x-robots-tag']).toContain('noindex');
    await dialog.getByRole('button', { name: /^Revoke/ }).click();
    await expect(dialog.getByRole('listitem')).toHaveCount(0);
    expect((await call()).status()).toBe(404);
    await stranger.close();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
  await test.step('a copy beside it; into the trash, and back', async () => {
    await goToLineOf(page, 'Set by X');
    await page.keyboard.type(' With this.');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('The heat equation (copy)');
    await expect(page).not.toHaveURL(new RegExp(id));
    await expect(editor(page)).toContainText('Set by the other\\fi With this.');
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
});
