/** A document of several files: the tree, a text for each file, the page made from all of them. */
import { visitor } from '../support/product/accounts.ts';
import { become, goToLineOf, saved, upToDate } from '../support/screens/document.ts';
import { openLibrary } from '../support/screens/library.ts';
import { editor, expect, expectGoodLooks, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

const latex = String.raw`\documentclass{report}
\begin{document}
\input{chapters/one}
\input{chapters/two}
\end{document}
`;
const file = (name: string, text: string) => ({
  name,
  media_type: 'application/octet-stream' as const,
  data_base64: Buffer.from(text).toString('base64'),
});

test('a chapter is opened, edited, compiled and saved; errors and places lead to their file; files are added and removed', async ({
  page,
}) => {
  const library = await openLibrary();
  const { id } = await library.createDocument('Thesis', {
    latex,
    figures: [
      file('chapters/one.tex', '\\chapter{Alpha}\nWords of the first.\n'),
      file('chapters/two.tex', '\\chapter{Beta}\nWords of the second.\n'),
    ],
  });
  const readFile = (name: string) => library.text(`/documents/${id}/figures/${encodeURIComponent(name)}`);
  await become(page, library.email);
  await page.goto(`/documents/${id}`);
  const tree = page.getByRole('navigation', { name: 'Files' });
  const row = (name: string) => tree.getByRole('button', { name, exact: true });
  await expect(editor(page)).toContainText('\\input{chapters/one}');
  await expect(upToDate(page)).toBeVisible();

  // from the name in the text, with one key
  await goToLineOf(page, 'chapters/two');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('F12');
  await expect(editor(page)).toContainText('Words of the second.');
  await expect(row('two.tex')).toHaveAttribute('aria-current', 'true');
  await expect(editor(page)).toBeFocused();
  await goToLineOf(page, 'Words of the second.');
  await page.keyboard.type(' And some more.');
  await expect(page.locator('.textLayer', { hasText: 'And some more.' })).toBeAttached();
  await expect(saved(page)).toBeVisible();
  await expect.poll(() => readFile('chapters/two.tex')).toContain('second. And some more.');

  // its undo is its own, and the text of the document is as it was
  await row('main.tex').click();
  await expect(editor(page)).toContainText('\\documentclass{report}');
  await row('two.tex').click();
  await page.keyboard.press('Control+z');
  await expect(editor(page)).not.toContainText('And some more.');
  await expect.poll(() => readFile('chapters/two.tex')).not.toContain('more');

  // the outline is that of the whole document, and leads to the file of a heading
  const outline = page.getByRole('navigation', { name: 'Outline' }).filter({ visible: true });
  const heading = (name: string) => outline.getByRole('button', { name, exact: true });
  await page.getByRole('button', { name: 'Outline', exact: true }).filter({ visible: true }).click();
  await page.getByRole('button', { name: 'Keep open next to the source' }).click();
  await expect(outline.getByRole('listitem')).toHaveText(['Alpha', 'Beta']);
  await heading('Alpha').click();
  await expect(row('one.tex')).toHaveAttribute('aria-current', 'true');
  await expect(editor(page)).toBeFocused();
  await expect(heading('Alpha')).toHaveAttribute('aria-current', 'true');
  await goToLineOf(page, 'Words of the first.');
  await page.keyboard.type('\n\\section{Gamma}');
  await expect(outline.getByRole('listitem')).toHaveText(['Alpha', 'Gamma', 'Beta']);
  await heading('Beta').click();
  await expect(row('two.tex')).toHaveAttribute('aria-current', 'true');
  await expect(outline.getByRole('listitem')).toHaveText(['Alpha', 'Gamma', 'Beta']);
  await outline.getByRole('button', { name: 'Close the outline' }).click();

  // an error in one file is reached from another
  await goToLineOf(page, 'Words of the second.');
  await page.keyboard.type(' \\wrong');
  await row('one.tex').click();
  await expect(editor(page)).toContainText('Words of the first.');
  const place = page.getByRole('button', { name: 'chapters/two.tex, line 2' });
  await place.first().click();
  await expect(row('two.tex')).toHaveAttribute('aria-current', 'true');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('End');
  for (let count = 0; count < ' \\wrong'.length; count++) await page.keyboard.press('Backspace');
  await expect(upToDate(page)).toBeVisible();

  // from the page to the file that set it
  await page.locator('.textLayer span', { hasText: 'Words of the first' }).first().dblclick();
  await expect(row('one.tex')).toHaveAttribute('aria-current', 'true');

  // what was there before all this comes back, as one step of undo
  await row('two.tex').click();
  await tree.getByRole('button', { name: 'Actions for chapters/two.tex' }).click();
  await page.getByRole('menuitem', { name: 'Earlier versions' }).click();
  const history = page.getByRole('dialog', { name: 'Earlier versions of chapters/two.tex' });
  await history.getByRole('list').getByRole('button').last().click();
  await expect(history.getByText('Words of the second.')).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  await history.getByRole('button', { name: 'Restore this version' }).click();
  await expect(history).toBeHidden();
  await expect(editor(page)).toContainText('Words of the second.');
  await expect.poll(() => readFile('chapters/two.tex')).toBe('\\chapter{Beta}\nWords of the second.\n');
  await row('one.tex').click();

  // a new file next to the one shown; rename it; remove it
  await tree.getByRole('button', { name: 'New file' }).click();
  const name = tree.getByRole('textbox', { name: 'Name of the new file' });
  await expect(name).toHaveValue('chapters/');
  await page.keyboard.type('one.tex');
  await page.keyboard.press('Enter');
  await expect(tree.getByText('A file or folder with this name already exists.')).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  await name.fill('chapters/three.tex');
  await page.keyboard.press('Enter');
  await expect(row('three.tex')).toHaveAttribute('aria-current', 'true');
  await expect(editor(page)).toContainText('% chapters/three.tex');
  await tree.getByRole('button', { name: 'Actions for chapters/three.tex' }).click();
  await page.getByRole('menuitem', { name: 'Rename or move' }).click();
  await tree.getByRole('textbox', { name: 'New name of chapters/three.tex' }).fill('ends/last.tex');
  await page.keyboard.press('Enter');
  await expect(row('last.tex')).toHaveAttribute('aria-current', 'true');
  await expect.poll(() => readFile('ends/last.tex')).toContain('% chapters/three.tex');
  await tree.getByRole('button', { name: 'Actions for ends/last.tex' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(row('last.tex')).toBeHidden();
  await expect(editor(page)).toContainText('\\documentclass{report}');
  await row('one.tex').click();
  await expectGoodLooks(page);

  // words of a chapter are found, and lead there
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/documents');
  await page.getByRole('searchbox').fill('second');
  await page.getByRole('link', { name: /Words of the second.*chapters\/two\.tex, line 2/ }).click();
  await expect(row('two.tex')).toHaveAttribute('aria-current', 'true');
  await expect(editor(page)).toContainText('Words of the second.');
});

test.describe('without a connection', () => {
  test.use({ allowRefusals: true });

  test('two tabs on one chapter lose nothing, and neither does a tab closed half-way', async ({
    page,
    context,
  }) => {
    const library = await openLibrary();
    const { id } = await library.createDocument('Thesis', {
      latex,
      figures: [
        file('chapters/one.tex', 'First line.\n\nMiddle.\n\nLast line.\n'),
        file('chapters/two.tex', 'Two.\n'),
      ],
    });
    const readFile = () => library.text(`/documents/${id}/figures/${encodeURIComponent('chapters/one.tex')}`);
    const open = async (tab: typeof page) => {
      await become(tab, library.email);
      await tab.goto(`/documents/${id}`);
      await tab.getByRole('button', { name: 'one.tex', exact: true }).click();
      await expect(editor(tab)).toContainText('First line.');
    };
    const other = await context.newPage();
    await open(page);
    await open(other);
    await goToLineOf(page, 'First line.');
    await page.keyboard.type(' From here.');
    await goToLineOf(other, 'Last line.');
    await other.keyboard.type(' From there.');
    await expect.poll(readFile).toMatch(/First line\. From here\.[\s\S]*Last line\. From there\./);
    await expect(editor(page)).toContainText('From there.');

    // without a connection, and then closed
    await other.close();
    await context.setOffline(true);
    await goToLineOf(page, 'Middle.');
    await page.keyboard.type(' Kept.');
    await expect(page.getByText('Offline: kept on this device')).toBeVisible();
    await page.close({ runBeforeUnload: false });
    await context.setOffline(false);
    const again = await context.newPage();
    await become(again, library.email);
    await again.goto(`/documents/${id}`);
    await again.getByRole('button', { name: 'one.tex', exact: true }).click();
    await expect(editor(again)).toContainText('Middle. Kept.');
    await expect.poll(readFile).toContain('Middle. Kept.');
  });
});
