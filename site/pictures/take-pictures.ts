/**
 * `npm run demo:pictures`: takes the README's pictures from the real product, in light and dark. Needs `npm run
 * build`.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { openProduct } from '../open-product.ts';
import { decayName, drawDecay } from './draw-decay.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/pictures');
const screen = { width: 1536, height: 960 };
/** Pixels: one and a half times the size in the README. */
const width = 1400;
const title = 'Exponential decay';
const formula = 'e^{-kx}';

async function take(page: Page, name: string): Promise<void> {
  for (const colours of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: colours });
    // the colour transition is short, but takes longer on a busy machine
    await page.waitForTimeout(800);
    await page.evaluate(() => {
      for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
    });
    const file = path.join(folder, `${name}-${colours}.webp`);
    const { size } = await sharp(await page.screenshot())
      .resize({ width })
      .webp({ quality: 82, smartSubsample: true })
      .toFile(file);
    console.log(`${name}, ${colours}: ${size} bytes`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

mkdirSync(folder, { recursive: true });
const product = await openProduct();
try {
  const page = await product.openPage(screen);
  page.setDefaultTimeout(120_000);
  await page.goto('/convert');
  const notes = { name: decayName, mimeType: 'image/jpeg', buffer: await drawDecay() };
  await page.getByLabel('Choose files').setInputFiles(notes);
  await page.getByRole('button', { name: 'Convert 1 page' }).click();
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await page.getByText('The page is up to date.').waitFor();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('group', { name: 'Doubtful spot' }).waitFor();
  await take(page, 'converter');

  await page.getByRole('button', { name: 'Save to my documents' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Keep the page images').check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('link', { name: 'Open' }).click();
  await page.getByRole('img', { name: 'Page 1 as written' }).waitFor();
  await page.getByText('The page is up to date.').waitFor();
  await page.getByRole('textbox', { name: 'LaTeX source' }).getByText('With the amount').click();
  await page.locator('.pdf-mark.is-linked').first().waitFor();
  await take(page, 'editor');

  await product.waitUntilFound(formula, title);
  await page.goto('/documents');
  await page.getByRole('button', { name: 'Formula' }).click();
  await page.keyboard.insertText(formula);
  await page.getByRole('list', { name: 'Found documents' }).getByRole('link', { name: title }).waitFor();
  await take(page, 'library');
} finally {
  await product.close();
}
