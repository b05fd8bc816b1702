import { strToU8, unzipSync, zipSync } from 'fflate';
import type { Documents } from '#shared/api/library.ts';
import { choose, download, open } from '../support/screens/exchange.ts';
import { latexOf } from '../support/screens/library.ts';
import { editor, expect, expectNoSidewaysScroll, listAxeViolations, test } from '../support/test.ts';

test('an archive with several documents imports the likeliest, and offers the others', async ({
  browser,
}) => {
  await open(browser, async ({ library, page }) => {
    await page.goto('/documents');
    const archive = zipSync({
      'thesis.tex': strToU8(latexOf('\\title{A thesis}Fine.')),
      'slides/talk.tex': strToU8(latexOf('\\title{A talk}Fine.')),
      'cover.tex': strToU8(latexOf('\\title{A letter}Fine.')),
    });
    const buffer = Buffer.from(archive);
    await page
      .getByLabel('Files to import')
      .setInputFiles([{ name: 'work.zip', mimeType: 'application/zip', buffer }]);
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await expect(dialog.getByText('This is thesis.tex. The archive has another document:')).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import cover.tex' }).click();
    await expect(dialog.getByRole('link', { name: 'A letter' })).toBeVisible();
    await expect(dialog.getByText('All 2 are in your library.')).toBeVisible();
    const { documents } = await library.call<Documents>('GET', '/documents');
    expect(documents.map(({ title }) => title).sort()).toEqual(['A letter', 'A thesis']);
  });
});

test.describe('several files', () => {
  test.use({ allowRefusals: true });

  test('are imported one by one, and each failure says why', async ({ browser }) => {
    await open(browser, async ({ page }) => {
      await page.goto('/documents');
      await page.getByLabel('Files to import').setInputFiles([
        { name: 'good.tex', mimeType: 'text/x-tex', buffer: Buffer.from(latexOf('\\title{Good}Fine.')) },
        { name: 'diary.tex', mimeType: 'text/x-tex', buffer: Buffer.from('Dear diary') },
        { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') },
        {
          name: 'lacks.tex',
          mimeType: 'text/x-tex',
          buffer: Buffer.from(latexOf('\\title{Lacks}\\includegraphics{far/away.png}')),
        },
      ]);
      const dialog = page.getByRole('dialog', { name: 'Import' });
      await expect(dialog.getByText('2 of 4 are in your library.')).toBeVisible();
      await expect(dialog.getByText('it has no \\documentclass')).toBeVisible();
      await expect(dialog.getByRole('link', { name: 'Open the converter' })).toBeVisible();
      await expect(dialog.getByText('A file it uses is missing: far/away.png')).toBeVisible();
      expect(await listAxeViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByText('Good', { exact: true })).toBeVisible();
      await expect(page.getByText('Lacks', { exact: true })).toBeVisible();
    });
  });
});

test.describe('macros of one’s own', () => {
  test.use({ allowRefusals: true });

  test('are rejected with the place if they do not compile; otherwise new documents begin with them', async ({
    browser,
  }) => {
    await open(browser, async ({ page }) => {
      await page.goto('/account');
      const section = page.getByRole('region', { name: 'Macros and notation' });
      const source = section.getByRole('textbox', { name: 'Your preamble' });
      await source.click();
      await page.keyboard.insertText('\\newcommand{\\norm}[1]{|#1|}\n\\newcommand{\\frac}[2]{x}');
      await section.getByRole('button', { name: 'Add a symbol' }).click();
      await section.getByLabel('You write').fill('\\R');
      await section.getByLabel('It stands for').fill('\\mathbb{R}');
      await section.getByLabel('In words').fill('the real numbers');
      await section.getByRole('button', { name: 'Save' }).click();
      await expect(section.getByText(/^Line 2: .*\\frac/)).toBeVisible();
      await expect(section.getByText('Not saved: it does not compile.')).toBeVisible();
      expect(await listAxeViolations(page)).toEqual([]);

      await source.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('\\newcommand{\\norm}[1]{|#1|}');
      await section.getByRole('button', { name: 'Save' }).click();
      await expect(section.getByText('Saved. It compiles.')).toBeVisible();
      await page.setViewportSize({ width: 390, height: 800 });
      await expectNoSidewaysScroll(page);

      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto('/documents');
      await choose(page, 'Blank or from a template…');
      await page.getByRole('button', { name: /^Blank document/ }).click();
      await expect(editor(page)).toContainText('\\newcommand{\\R}{\\mathbb{R}}');
      await expect(editor(page)).toContainText('\\newcommand{\\norm}[1]{|#1|}');
    });
  });
});

test('a document is created from a template, in the current folder', async ({ browser }) => {
  await open(browser, async ({ library, page }) => {
    const folder = await library.createFolder('Analysis');
    await page.goto(`/documents/folders/${folder.id}`);
    await choose(page, 'Blank or from a template…');
    const dialog = page.getByRole('dialog', { name: 'New document' });
    // there are pictures, and they show pages
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

test('everything is exported in one archive', async ({ browser }) => {
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
