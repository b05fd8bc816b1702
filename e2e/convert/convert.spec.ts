import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { main } from '../support/product/addresses.ts';
import { openResult } from '../support/screens/result.ts';
import { convertButton, editor, expect, fixture, listAxeViolations, pdfText, test } from '../support/test.ts';

async function download(
  page: import('@playwright/test').Page,
  item: string,
): Promise<{ name: string; bytes: Buffer }> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('menuitem', { name: item, exact: item === 'PDF' }).click();
  const file = await saved;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('a PDF dropped on the desk becomes LaTeX and PDF, page by page [§1 A PDF of notes becomes LaTeX and a compiled PDF; §3 Converter: latex, pdfUrl; §4 Conversion: success brings LaTeX and PDF]', async ({
  page,
}) => {
  await page.goto('/convert');
  // a page that has loaded may not have its event handlers yet
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
  // dropped anywhere in the window, as by hand
  const bytes = (await readFile(fixture('pdf/calculus-limits-integrals.pdf'))).toString('base64');
  const dropped = await page.evaluateHandle((base64) => {
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([data], 'calculus-limits-integrals.pdf', { type: 'application/pdf' }));
    return transfer;
  }, bytes);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: dropped });
  await expect(page.getByText('Drop to add')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });

  await expect(
    page.getByRole('button', { name: 'Page 1 of 4: calculus-limits-integrals.pdf' }),
  ).toBeVisible();
  await expect(convertButton(page)).toHaveText('Convert 4 pages');
  const readable = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const watch = new MutationObserver(() => {
          const sheet = document.querySelector('article[aria-label="Page 1"]');
          if (!sheet?.textContent?.includes('Limits worth remembering') || !sheet.querySelector('.katex'))
            return;
          watch.disconnect();
          resolve();
        });
        watch.observe(document.body, { childList: true, subtree: true });
      }),
  );
  await convertButton(page).click();

  // the page is readable before the document is compiled, which may be soon after: so the page itself watches
  // for it
  await readable;

  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
  await expect(pdfText(page)).toContainText('first look at series');
  // ink next to the result
  await expect(page.getByRole('region', { name: 'Ink' }).getByRole('img', { name: 'Page 1' })).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);

  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await expect(editor(page)).toContainText('\\documentclass');
  expect(await listAxeViolations(page)).toEqual([]);

  await test.step('clearing the desk asks first, then the server has forgotten it too', async () => {
    const id = await page.evaluate(
      () => JSON.parse(sessionStorage.getItem('inkproof.conversion') ?? '{}').conversionId,
    );
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await expect(editor(page)).toBeVisible();

    await page.getByRole('button', { name: 'New', exact: true }).click();
    const dismissed = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete this result' }).click();
    expect((await dismissed).status()).toBe(204);
    await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
    expect((await page.request.get(`/api/v1/conversions/${id}`)).status()).toBe(404);
  });
});

test.describe('with a result', () => {
  test.use({ allowRefusals: true });

  test.beforeEach(async ({ page }) => {
    await openResult(page, 'pdf/probability-table.pdf');
  });

  test('a change described in words is made, and an impossible one is refused clearly', async ({ page }) => {
    const box = page.getByRole('textbox', { name: 'Ask for a change' });
    // blank text does nothing
    await box.fill('   ');
    await page.getByRole('button', { name: 'Send the change request' }).click();
    await expect(pdfText(page)).toContainText('summary of common distributions');

    await box.fill('change the title to Chances and dice');
    await box.press('Enter');
    await expect(pdfText(page)).toContainText('Chances and dice', { timeout: 120_000 });
    await expect(box).toHaveValue('');
    await expect(page.getByText('The title is now “Chances and dice”.')).toBeVisible();
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await expect(editor(page)).toContainText('Chances and dice');

    await box.fill('make it rhyme');
    await box.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(box).toHaveValue('');
    await page.getByRole('tab', { name: 'PDF' }).click();
    await expect(pdfText(page)).toContainText('Chances and dice');
  });

  test('a watermark is added and removed, and the PDF is the very same as before [§3 Converter: isWatermarking, isUndoingWatermark; §4 Watermark: the marked PDF takes the place; §4 Watermark: undone]', async ({
    page,
  }) => {
    const before = await download(page, 'PDF');
    await page.getByRole('button', { name: 'Watermark', exact: true }).click();
    await page.getByLabel('Watermark text').fill('DRAFT 7');
    await page.getByRole('button', { name: 'Add to every page' }).click();
    await expect(page.getByRole('button', { name: 'Undo watermark' })).toBeVisible();
    await expect(pdfText(page)).toContainText('DRAFT 7');
    const marked = await download(page, 'PDF');
    expect(marked.bytes.equals(before.bytes)).toBe(false);

    await page.getByRole('button', { name: 'Undo watermark' }).click();
    await expect(page.getByRole('button', { name: 'Undo watermark' })).toHaveCount(0);
    await expect(pdfText(page)).not.toContainText('DRAFT 7');
    const after = await download(page, 'PDF');
    expect(after.bytes.equals(before.bytes)).toBe(true);
  });

  test('a result can be taken along as source, PDF, zip, clipboard and in the online editor [§7 Online editor: a new tab, the LaTeX, xelatex]', async ({
    page,
    context,
  }) => {
    const source = await download(page, 'LaTeX source');
    expect(source.name).toBe('probability-table.tex');
    expect(source.bytes.toString()).toMatch(/^\\documentclass[\s\S]*\\end\{document\}\s*$/);
    const pdf = await download(page, 'PDF');
    expect(pdf.name).toBe('probability-table.pdf');
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const zip = await download(page, 'Everything');
    const entries = unzipSync(zip.bytes);
    expect(Buffer.from(entries['probability-table.tex'] ?? []).equals(source.bytes)).toBe(true);
    expect(Buffer.from(entries['probability-table.pdf'] ?? []).equals(pdf.bytes)).toBe(true);

    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await page.getByRole('button', { name: 'Copy LaTeX' }).click();
    await expect(page.getByText('LaTeX copied.')).toBeAttached();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(source.bytes.toString());

    // the editor's own site is replaced by a server that records what it was sent
    const posted = Promise.withResolvers<URLSearchParams>();
    const editorSite = createServer(async (request, response) => {
      if (request.method === 'POST') posted.resolve(new URLSearchParams(await text(request)));
      response.end('opened');
    }).listen(Number(new URL(main.editorUrl).port), '127.0.0.1');
    try {
      const opened = context.waitForEvent('page');
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByRole('menuitem', { name: 'Open in online editor' }).click();
      await expect((await opened).locator('body')).toHaveText('opened');
      const fields = await posted.promise;
      expect(fields.get('engine')).toBe('xelatex');
      // forms always send line ends as CRLF
      expect(fields.get('snip')?.replaceAll('\r\n', '\n')).toBe(source.bytes.toString());
    } finally {
      editorSite.close();
    }
  });
});
