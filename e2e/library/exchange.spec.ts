import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { download, open } from '../support/screens/exchange.ts';
import { latexOf } from '../support/screens/library.ts';
import { editor, expect, expectGoodLooks, listAxeViolations, test } from '../support/test.ts';

test('a dropped file is imported with its files and opened', async ({ browser }) => {
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
    await expect(editor(page)).toContainText('\\input{sections/one}');
    await page
      .getByRole('navigation', { name: 'Files' })
      .getByRole('button', { name: 'one.tex', exact: true })
      .click();
    await expect(editor(page)).toContainText('A lens. \\includegraphics{img/lens.png}');
  });
});

test('a document is exported as Word, as a zip and as an HTML page whose MathML a browser displays', async ({
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
    await expect(dialog.getByText('It is in your downloads folder.')).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await page.setContent(html.bytes.toString());
    const box = await page.locator('math mfrac').first().boundingBox();
    expect(box!.height).toBeGreaterThan(12);
  });
});

test('spots to check are marked in what is exported, as the person chooses', async ({ browser }) => {
  await open(browser, async ({ library, page }) => {
    const latex = latexOf('The samqle decays.');
    const start = latex.indexOf('samqle');
    const spot = { start, end: start + 6, page: 1, confidence: 0.4, reason: 'unclear handwriting' };
    await library.createDocument('Decay', { latex, source_map: { lines: [], doubtful: [spot] } });
    await page.goto('/documents');
    await page.getByRole('button', { name: /^(Actions|More|Menu).*Decay/ }).click();
    await page.getByRole('menuitem', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    const take = (label: RegExp) => download(page, () => dialog.getByRole('button', { name: label }).click());
    const marks = dialog.getByLabel('1 spot to check');
    await expectGoodLooks(page);

    const marked = await take(/^LaTeX\s*Only/);
    expect(marked.bytes.toString()).toContain('The \\unsure{samqle} decays.');
    await marks.selectOption('In colour');
    const word = await take(/^Word/);
    const body = strFromU8(unzipSync(word.bytes)['word/document.xml']!);
    expect(body).toMatch(/<w:highlight w:val="yellow"\/>.*samqle/s);
    await marks.selectOption('Not marked');
    const plain = await take(/^LaTeX\s*Only/);
    expect(plain.bytes.toString()).toContain('The samqle decays.');
  });
});
