/** Checking the doubtful spots of a document in the card, by keyboard alone. */
import path from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { SourceMap } from '#shared/api/library.ts';
import { main, signIn, visitor } from '../support/product/accounts.ts';
import { become } from '../support/screens/document.ts';
import { openLibrary } from '../support/screens/library.ts';
import { editor, expect, expectGoodLooks, test } from '../support/test.ts';

test.use(visitor);

const hostile = '$\\href{javascript:alert(1)}{x}<img src=x onerror=alert(1)>$';
/** What each spot reads, its alternatives, the keys that settle it, and what it then reads. */
const spots: { reads: string; others?: string[]; keys: string[]; settled: string; sure?: number }[] = [
  { reads: 'rate', keys: ['Enter'], settled: 'rate' },
  { reads: 'samqle', others: ['sample', 'sampie'], keys: ['2'], settled: 'sample' },
  { reads: '$x^{2}$', others: ['$x^{z}$', hostile], keys: ['2'], settled: '$x^{z}$' },
  { reads: 'decoys', others: ['decoy'], keys: [...'decays', 'Enter'], settled: 'decays' },
  { reads: '5\\%', keys: ['F2', ...'25%', 'Enter'], settled: '25\\%' },
  {
    reads: '\\frac{a}{6}',
    others: ['\\frac{a}{b}', '\\frac{o}{6}'],
    keys: ['2'],
    settled: '\\frac{a}{b}',
    sure: 0.1,
  },
  ...Array.from({ length: 14 }, (_, at) => ({ reads: `word${at}`, keys: ['1'], settled: `word${at}` })),
];

function compose(): { latex: string; map: SourceMap } {
  let latex = '\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n';
  const doubtful: SourceMap['doubtful'] = [];
  const lines: SourceMap['lines'] = [];
  for (const [at, { reads, others, sure = 0.5 }] of spots.entries()) {
    const isDisplay = reads.startsWith('\\frac');
    latex += isDisplay ? '\\[ ' : 'The ';
    doubtful.push({
      start: latex.length,
      end: latex.length + reads.length,
      page: 1,
      confidence: sure,
      reason: 'unclear handwriting',
      ...(others ? { alternatives: others } : {}),
    });
    latex += `${reads}${isDisplay ? ' \\]' : ' of it.'}\n\n`;
    const line = latex.split('\n').length - 2;
    lines.push({ first_line: line, last_line: line, page: 1, box: [0.08, 0.06 + 0.02 * at, 0.6, 0.05] });
  }
  return { latex: `${latex}\\end{document}\n`, map: { lines, doubtful } };
}

/** A document of twenty doubtful spots with the picture of its page, in a new account. */
async function openTwenty(
  page: Page,
): Promise<{ text: () => Promise<string>; map: () => Promise<SourceMap> }> {
  const library = await openLibrary();
  const { latex, map } = compose();
  const { id } = await library.createDocument('Twenty spots', { latex, source_map: map });
  const picture = await sharp(path.resolve(import.meta.dirname, '../../web/public/samples/sample-notes.webp'))
    .jpeg()
    .toBuffer();
  const { access_token: token } = await signIn(main, library.email);
  const put = await fetch(`${main.apiUrl}/api/v1/documents/${id}/pages/1`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'image/jpeg' },
    body: new Uint8Array(picture),
  });
  expect(put.ok, await put.text()).toBe(true);
  await become(page, library.email);
  await page.goto(`/documents/${id}`);
  await expect(editor(page)).toBeVisible();
  const saved = () => library.call<{ latex: string; source_map: SourceMap }>('GET', `/documents/${id}`);
  return { text: async () => (await saved()).latex, map: async () => (await saved()).source_map };
}

test('twenty doubts are settled by keyboard alone: correct, another reading, typed; undone, sorted, saved', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1366, height: 850 });
  const alerts: string[] = [];
  page.on('dialog', (dialog) => void alerts.push(dialog.message()));
  const { text, map } = await openTwenty(page);
  const bar = page.getByRole('region', { name: 'Doubtful spots' });
  const card = page.getByRole('group', { name: 'Doubtful spot' });
  const progress = (count: number) => expect(card).toContainText(`${count} of 20 checked`);
  await expect(bar).toContainText('20 spots to check');

  // from the text into the card by a key, and back; keys typed into the text stay there
  await editor(page).focus();
  await page.keyboard.press('F8');
  await expect(card).toBeVisible();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('Control+F8');
  await expect(card).toBeFocused();
  await progress(0);
  await expect(card.getByRole('img', { name: 'Original ink on page 1' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('%2\n');
  await expect(editor(page)).toContainText('%2');

  // the least sure first
  await bar.getByRole('button', { name: 'Check' }).click();
  await expect(card).toBeFocused();
  await card.getByRole('button', { name: 'Least certain first' }).click();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Check' }).click();
  const choice = (name: string) => card.getByRole('button', { name, exact: true });
  await card.getByRole('button', { name: 'In order' }).click();
  await card.focus();

  // presses are counted in the page
  await page.evaluate(() => {
    Object.assign(window, { presses: 0 });
    addEventListener('keydown', () => (window as unknown as { presses: number }).presses++, true);
  });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  while (!(await choice('1, as it reads: rate').isVisible())) await page.keyboard.press('ArrowRight');
  await page.evaluate(() => Object.assign(window, { presses: 0 }));
  for (const [at, { reads, keys }] of spots.entries()) {
    await expect(choice(`1, as it reads: ${reads}`)).toBeVisible();
    await progress(at);
    if (at === 2) {
      // text read from a page is shown, and never run
      await expect(choice(`3: ${hostile}`)).toBeVisible();
      await expect(card.locator('a, img[src]')).toHaveCount(0);
      await expectGoodLooks(page, { widths: [390, 1366] });
      await page.setViewportSize({ width: 1366, height: 850 });
      await card.focus();
    }
    if (at === 5) {
      // undone with one key: the text, the spot and the count
      await page.keyboard.press('Backspace');
      await expect(choice('1, as it reads: 5\\%')).toBeVisible();
      await progress(4);
      for (const key of spots[4]!.keys) await page.keyboard.press(key);
      await progress(5);
    }
    for (const key of keys) await page.keyboard.press(key);
  }
  await expect(bar).toContainText('Every spot is checked.');
  const undone = 1 + spots[4]!.keys.length;
  expect(await page.evaluate(() => (window as unknown as { presses: number }).presses)).toBe(
    spots.reduce((sum, { keys }) => sum + keys.length, 0) + undone,
  );
  expect(alerts).toEqual([]);
  await expect.poll(async () => (await map()).checked).toBe(20);
  const outcome = spots.map(({ settled }) => settled);
  const body = await text();
  for (const [at, words] of outcome.entries())
    expect(body).toContain(at === 5 ? `\\[ ${words} \\]` : `The ${words} of it.`);

  // one decision is one undo step in the editor; the remaining spots are saved
  await editor(page).focus();
  await page.keyboard.press('Control+z');
  await expect(editor(page)).toContainText('\\frac{a}{6}');
  await bar.getByRole('button', { name: 'Undo' }).click();
  await progress(19);
  await expect.poll(async () => (await map()).doubtful.length).toBe(1);
  await page.reload();
  await expect(bar).toContainText('1 spot to check · 19 of 20 checked');
});
