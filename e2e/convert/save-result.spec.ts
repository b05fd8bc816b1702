/**
 * A result of the converter is saved as a document, unchanged and after changes; there its ink, source and page
 * are linked.
 */
import type { Locator, Page } from '@playwright/test';
import { visitor } from '../support/product/accounts.ts';
import { litInk } from '../support/screens/linked.ts';
import { convertAs, dialog, type SavedDocument, saveButton } from '../support/screens/save-result.ts';
import { editor, expect, listAxeViolations, pdfText, test } from '../support/test.ts';

test.use(visitor);

const inkPage = (page: Page, number: number) => page.locator(`figure[data-page="${number}"]`);
const litPage = (page: Page) => page.locator('.pdf-mark.is-linked');
const litSource = (page: Page) => page.locator('.cm-linked');

/** NaN while it is being redrawn. */
async function middleOf(mark: Locator): Promise<number> {
  const box = await mark.boundingBox();
  return box ? box.y + box.height / 2 : Number.NaN;
}

test('saved with its pages into a folder, opened, saved again after changes, and linked line by line', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1600, height: 1000 });
  const { call, list } = await convertAs(page, 'pdf/probability-table.pdf');
  const folder = await call<{ id: string }>('/folders', { name: 'Statistics' });
  await saveButton(page).click();
  const title = dialog(page).getByLabel('Title');
  await expect(title).not.toHaveValue('');
  await title.fill('Distributions');
  await dialog(page).getByLabel('Folder').selectOption({ label: 'Statistics' });
  const images = dialog(page).getByRole('checkbox', { name: 'Keep the page images' });
  await expect(images).not.toBeChecked();
  await images.check();
  expect(await listAxeViolations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog(page)).toContainText('“Distributions” is in your documents.');
  const [stored] = await list();
  expect(stored).toMatchObject({ title: 'Distributions', folder_id: folder.id });
  const first = await call<SavedDocument>(`/documents/${stored!.id}`);
  expect(first.pages).toHaveLength(1);
  await page.keyboard.press('Escape');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  // the button that opened the dialog no longer exists: focus continues from its place
  await expect(page.getByRole('link', { name: 'Open', exact: true })).toBeFocused();

  // changed here: the same document is saved again
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('% changed in the converter');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const second = await call<SavedDocument>(`/documents/${stored!.id}`);
  expect(second.latex).toContain('% changed in the converter');
  expect(second.version).toBe(first.version + 1);
  expect(await list()).toHaveLength(1);

  // still known after a reload; saving again makes no second document
  await page.reload();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(await list()).toHaveLength(1);
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/documents/${stored!.id}$`));
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Distributions');
  await expect(pdfText(page)).toContainText('distributions');

  await test.step('a click in each of the three views lights the other two', async () => {
    const ink = inkPage(page, 1).getByRole('img', { name: 'Page 1 as written' });
    await expect(ink).toBeVisible();
    await expect(page.getByText('The page is up to date.')).toBeVisible({ timeout: 60_000 });

    // the source: the sentence's line in the ink, and its line on the page
    await editor(page).getByText('A test detects an illness').click();
    await expect(litInk(page)).not.toHaveCount(0);
    await expect(litPage(page).first()).toBeVisible();
    const sheet = (await ink.boundingBox())!;
    // the fixture has it at 0.52 to 0.56 of the page's height
    const place = ((await middleOf(litInk(page).first())) - sheet.y) / sheet.height;
    expect(place).toBeGreaterThan(0.51);
    expect(place).toBeLessThan(0.57);

    // the ink: Bayes' formula, in the source and on the page
    await ink.click({ position: { x: sheet.width * 0.5, y: sheet.height * 0.498 } });
    await expect(litSource(page).first()).toBeVisible();
    expect((await litSource(page).allTextContents()).join('')).toContain('P(A\\mid B)');
    await expect(litPage(page).first()).toBeVisible();
    await expect(litInk(page)).toHaveCount(1);
    const formula = await middleOf(litInk(page));
    expect((formula - sheet.y) / sheet.height).toBeCloseTo(0.498, 1);

    // the page: what is said about the sample there, in the source and in the ink
    await page.locator('.textLayer').getByText('Only about one in four').first().click();
    await expect(litSource(page).filter({ hasText: 'Only about one in four' })).toBeVisible();
    await expect(litInk(page)).not.toHaveCount(0);
    await expect
      .poll(
        async () => ((await middleOf(litInk(page).first())) - (await ink.boundingBox())!.y) / sheet.height,
      )
      .toBeCloseTo(0.62, 1);
    expect(await listAxeViolations(page)).toEqual([]);

    // text inserted above moves everything along
    await page.keyboard.press('Escape');
    await editor(page).getByText('A test detects an illness').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('% mine\n\n% and mine\n');
    await editor(page).getByText('A test detects an illness').click();
    await expect(litInk(page)).not.toHaveCount(0);
    await expect
      .poll(
        async () => ((await middleOf(litInk(page).first())) - (await ink.boundingBox())!.y) / sheet.height,
      )
      .toBeCloseTo(place, 2);
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.reload();
    await expect(ink).toBeVisible();
    await expect(page.getByText('The page is up to date.')).toBeVisible({ timeout: 60_000 });
    // a click that comes while the text still scrolls to where it was left meets another line
    await expect(async () => {
      await editor(page).getByText('A test detects an illness').click();
      const lit = await middleOf(litInk(page).first());
      expect((lit - (await ink.boundingBox())!.y) / sheet.height).toBeCloseTo(place, 2);
    }).toPass();
  });
});
