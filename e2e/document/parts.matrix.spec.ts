/** What surrounds the text of a document: its figures, title, star and engine, a link, a copy, the trash. */
import type { Page } from '@playwright/test';
import { main, openBrowser, visitor } from '../support/product/accounts.ts';
import { goToLineOf, openOwn, saved, upToDate } from '../support/screens/document.ts';
import { editor, expect, listAxeViolations, pdfText, test } from '../support/test.ts';

test.use(visitor);

/** A single-coloured picture, made by the browser. */
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

test('figures: added from a file and by drag and drop, renamed in the text, removed', async ({ page }) => {
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
  // one undo step removes it from the text again
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
  await expect(page.getByText('The text uses “warm.png”', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove warm.png' })).toHaveCount(0);
  await expect
    .poll(async () => {
      const { figures } = await library.call<{ figures: { name: string }[] }>('GET', `/documents/${id}`);
      return figures.map(({ name }) => name);
    })
    .toEqual(['cold.png']);
  // loaded with the document, and compiled with it
  await goToLineOf(page, 'warm.png');
  await page.keyboard.press('Control+Shift+k');
  await expect(upToDate(page)).toBeVisible();
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(upToDate(page)).toBeVisible();
});

test('around the text: title, star, engine; a public link; a copy; the trash', async ({ page, browser }) => {
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
    await page.getByRole('menuitemradio', { name: 'LuaLaTeX' }).click();
    await expect(pdfText(page)).toContainText('Set by the other');
    await expect
      .poll(() => library.call('GET', `/documents/${id}`))
      .toMatchObject({ title: 'The heat equation', engine: 'lualatex', starred_at: expect.any(String) });
    await expect(page).toHaveTitle('The heat equation · Inkproof');
    // Escape reverts a title
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
  await test.step('a copy; into the trash, and back', async () => {
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
