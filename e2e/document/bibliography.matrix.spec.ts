/** References from a bibliography file: added to the document, offered while citing, printed on the page. */
import { openBrowser } from '../support/product/accounts.ts';
import { latexOf, openLibrary } from '../support/screens/library.ts';
import { editor, expect, pdfText, test } from '../support/test.ts';

test('a .bib file is added, its keys are suggested, and its entries appear on the page', async ({
  browser,
}) => {
  const library = await openLibrary();
  const { id } = await library.createDocument('Letters', {
    latex: latexOf('See \\cite{whom}.\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
  });
  const context = await openBrowser(browser, library.email);
  const page = await context.newPage();
  await page.goto(`/documents/${id}`);
  await expect(pdfText(page)).toContainText('See [?]');
  await page.getByRole('button', { name: 'Figures' }).click();
  const refs =
    '@book{knuth84, author = {Donald E. Knuth}, title = {The Book of Letters}, publisher = {Addison-Wesley}, year = 1984}';
  await page
    .getByLabel('Pictures to add')
    .setInputFiles({ name: 'refs.bib', mimeType: 'application/x-bibtex', buffer: Buffer.from(refs) });
  await expect(page.getByText('refs.bib', { exact: true })).toBeVisible();
  // it is not a figure: nothing is inserted into the text
  await expect(editor(page)).not.toContainText('includegraphics');

  await editor(page).focus();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find' }).fill('whom');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  // the match is selected: typing replaces it
  await page.keyboard.type('kn');
  const offered = page.getByRole('option', { name: /knuth84/ });
  await expect(offered).toContainText('Knuth · 1984 · The Book of Letters');
  await offered.click();
  await expect(editor(page)).toContainText('\\cite{knuth84}');
  await expect(pdfText(page)).toContainText('See [1]');
  await expect(pdfText(page)).toContainText('The Book of Letters');
  await context.close();
});
