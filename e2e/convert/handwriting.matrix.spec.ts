/**
 * A sheet that is partly print and partly handwriting, without any key: to LaTeX, PDF, marked doubts and linked
 * ink.
 */
import { createHand, drawPage } from '#reading/ink/testing/handwriting.ts';
import { walkToDoubt } from '../support/screens/linked.ts';
import { convert, editor, expect, listAxeViolations, pdfText, test } from '../support/test.ts';

const [width, height] = [1500, 1300];
const print = (text: string, baseline: number) =>
  `<text x="140" y="${baseline}" font-family="DejaVu Serif" font-size="38" fill="#111">${text}</text>`;
/** Position of the second answer, as a share of the sheet's height. */
const secondAnswer = 785 / height;

test('a form filled in by hand is read, its doubts show their ink, each line leads to its place, and confirmed doubts stay confirmed', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1600, height: 1000 });
  const write = createHand();
  const sheet = await drawPage(width, height, [
    print('Worksheet on the history of the northern coast', 160),
    print('1. What did the sailors see from the harbour?', 400),
    write('he saw land in the north', 200, 500),
    print('2. Where did the messenger go afterwards?', 700),
    write('and ran home to tell us', 200, 800),
    print('Thank you for taking part in this exercise.', 1000),
  ]);
  await page.goto('/convert');
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'worksheet.png', mimeType: 'image/png', buffer: sheet });
  await expect(page.getByRole('region', { name: 'Pages' })).toBeVisible();
  await convert(page);
  await expect(pdfText(page)).toContainText('What did the sailors see');
  await expect(pdfText(page)).toContainText('home to tell us');

  // once, and in plain words
  await expect(page.getByText(/A vision model, set with an AI key, reads handwriting/)).toHaveCount(1);

  // the words that the reader doubts, with the ink of their line
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).focus();
  await page.keyboard.press('F8');
  const bar = page.getByRole('region', { name: 'Doubtful spots' });
  await expect(bar).toContainText(/0 of \d+ checked · page 1 · /);
  await expect(bar).toContainText('unclear handwriting');
  await expect(bar.getByRole('img', { name: 'Original ink on page 1' })).toBeVisible();

  // once saved, the line leads to the place where it was written
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByLabel('Title').fill('Worksheet by hand');
  await page.getByLabel('Keep the page images').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Open' }).click({ timeout: 60_000 });
  await expect(editor(page)).toBeVisible({ timeout: 30_000 });
  const ink = page.locator('figure[data-page="1"]');
  await expect(ink.getByRole('img', { name: 'Page 1 as written' })).toBeVisible({ timeout: 30_000 });
  await editor(page).getByText('home to tell us').click();
  const lit = page.locator('[data-mark="lit"]');
  await expect(lit).toHaveCount(1);
  const [mark, paper] = [(await lit.boundingBox())!, (await ink.boundingBox())!];
  expect((mark.y + mark.height / 2 - paper.y) / paper.height).toBeCloseTo(secondAnswer, 1);

  // a confirmed doubt stays confirmed
  const { total } = await walkToDoubt(page);
  await expect(bar).toContainText(`0 of ${total} checked · page 1`);
  expect(await listAxeViolations(page)).toEqual([]);
  const saved = page.waitForResponse((answer) => {
    const isSave = answer.url().endsWith('/latex') && answer.request().method() === 'PUT' && answer.ok();
    return isSave && answer.request().postDataJSON().source_map.doubtful.length === total - 1;
  });
  await bar.getByRole('button', { name: 'Looks right' }).click();
  await expect(bar).toContainText(`1 of ${total} checked`);
  await saved;
  await page.reload();
  await expect(bar).toContainText(`${total - 1} spots to check`);
});
