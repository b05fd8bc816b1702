/** Documents come in from templates and files, and go out in their forms; a person's own macros. Each flow has an account of its own. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Documents } from '#shared/api/library.ts';
import { choose, open } from '../support/screens/exchange.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await press();
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('a document begins with a template, in the folder that is open', async ({ browser }) => {
  await open(browser, async ({ library, page }) => {
    const folder = await library.createFolder('Analysis');
    await page.goto(`/documents/folders/${folder.id}`);
    await choose(page, 'Blank or from a template…');
    const dialog = page.getByRole('dialog', { name: 'New document' });
    // the pictures are there, and of pages
    const pictures = dialog.locator('img');
    await expect(pictures).toHaveCount(6);
    await expect
      .poll(() =>
        pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)),
      )
      .toBe(true);
    expect(await listAxeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Homework/ }).click();
    await expect(page).toHaveURL(/\/documents\/[0-9a-f-]{36}$/);
    await expect(editor(page)).toContainText('newtheorem');
    const { documents } = await library.call<Documents>('GET', `/documents?folder=${folder.id}`);
    expect(documents.map(({ title }) => title)).toEqual(['Homework']);
  });
});

test('a file that is dropped comes in with its figures and is opened', async ({ browser }) => {
  await open(browser, async ({ page }) => {
    await page.goto('/documents');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGM4kWIEQQxwFgBVoAg1rtvKGQAAAABJRU5ErkJggg==';
    const archive = zipSync({
      'main.tex': strToU8(
        '\\documentclass{article}\\usepackage{graphicx}\\title{Optics}\\begin{document}\\input{sections/one}\\end{document}',
      ),
      'sections/one.tex': strToU8('A lens. \\includegraphics{img/lens.png}'),
      'img/lens.png': new Uint8Array(Buffer.from(png, 'base64')),
    });
    const files = await page.evaluateHandle((base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], 'optics.zip', { type: 'application/zip' }));
      return transfer;
    }, Buffer.from(archive).toString('base64'));
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: files });
    await expect(page.getByText('Drop .tex or .zip files to import them')).toBeVisible();
    await page.dispatchEvent('body', 'drop', { dataTransfer: files });
    await expect(page).toHaveURL(/\/documents\/[0-9a-f-]{36}$/);
    await expect(editor(page)).toContainText('A lens. \\includegraphics{lens.png}');
  });
});

test('a document leaves as Word, as a zip and as a page of MathML that a browser sets', async ({
  browser,
}) => {
  await open(browser, async ({ library, page }) => {
    await library.createDocument('Gauß & Söhne', { body: 'So $\\int_0^1 x^2\\,dx=\\frac13$ holds.' });
    await page.goto('/documents');
    await page.getByRole('button', { name: /^(Actions|More|Menu).*Gauß/ }).click();
    await page.getByRole('menuitem', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    const take = (label: RegExp) => download(page, () => dialog.getByRole('button', { name: label }).click());

    const word = await take(/^Word/);
    expect(word.name).toBe('Gauß & Söhne.docx');
    expect(strFromU8(unzipSync(word.bytes)['word/document.xml']!)).toContain('<m:oMath>');
    const zip = await take(/^LaTeX with figures/);
    expect(Object.keys(unzipSync(zip.bytes)).sort()).toEqual(['latexmkrc', 'main.tex']);
    const html = await take(/^Web page/);
    await expect(dialog.getByText('It is with your other downloads.')).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await page.setContent(html.bytes.toString());
    const box = await page.locator('math mfrac').first().boundingBox();
    expect(box!.height).toBeGreaterThan(12);
  });
});

test('everything goes out in one archive', async ({ browser }) => {
  await open(browser, async ({ library, page }) => {
    const folder = await library.createFolder('Course');
    await library.createDocument('One', { folder_id: folder.id });
    await library.createDocument('Two');
    await page.goto('/documents');
    await choose(page, 'Export everything…');
    const dialog = page.getByRole('dialog', { name: 'Export everything' });
    const { name, bytes } = await download(page, () =>
      dialog.getByRole('button', { name: 'Download the zip' }).click(),
    );
    expect(name).toMatch(/^Inkproof documents \d{4}-\d\d-\d\d\.zip$/);
    const files = Object.keys(unzipSync(bytes)).filter((file) => file.endsWith('.tex'));
    expect(files.sort()).toEqual(['Course/One/main.tex', 'Two/main.tex']);
  });
});
