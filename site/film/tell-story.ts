/** The demo's story: a page of notes from upload to library, on the product's own screens. */
import type { Locator, Page } from '@playwright/test';
import { decayName } from '../pictures/draw-decay.ts';
import type { Box } from './camera.ts';
import { filmSize } from './compose-film.ts';
import type { Operator } from './operator.ts';

/** How long the machine may take for any step, ms. */
const patienceMs = 60_000;
/** How much of the reading is shown at most, ms: its line moves down the page once. */
const readingMs = 3000;
/** The formula searched for at the end: that of the notes, with another variable. */
const formula = 'e^{-kx}';

interface Story {
  page: Page;
  operator: Operator;
  /** The picture to convert. */
  notes: Buffer;
  /** Resolves when a search finds the formula. */
  waitUntilFound: (formula: string, title: string) => Promise<void>;
}

export async function playStory({ page, operator, notes, waitUntilFound }: Story): Promise<void> {
  const { say, pause, waitFor, click, moveTo, type, lookAt } = operator;
  page.setDefaultTimeout(patienceMs);
  const documentName = 'Exponential decay';

  say('A page of handwriting becomes LaTeX that compiles.');
  lookAt(await upperPart(page.getByRole('main').locator('[data-landing]')));
  await pause(1500);
  const start = page.getByRole('main').getByRole('link', { name: 'Start converting' }).first();
  await moveTo(start);
  lookAt();
  await click(start);
  await waitFor(page.getByRole('heading', { name: 'Add your notes' }));
  await pause(700);

  say('Add a photo, a scan or a PDF.');
  const chosen = page.waitForEvent('filechooser');
  await click(page.getByRole('button', { name: 'Choose files' }));
  await (await chosen).setFiles({ name: decayName, mimeType: 'image/jpeg', buffer: notes });
  const convert = page.getByRole('button', { name: 'Convert 1 page' });
  await waitFor(convert);
  await pause(1000);

  say('The built-in reader reads it: no key, no network.');
  await click(convert);
  const result = page.getByRole('tab', { name: 'PDF' });
  await waitFor(page.getByText('Reading page 1').or(result));
  await waitFor(result, readingMs);
  await waitFor(page.locator('.textLayer'));

  say('It has been compiled: the page is next to the ink.');
  await pause(2400);

  say('Ink, LaTeX and page, side by side.');
  await click(page.getByRole('tab', { name: 'LaTeX' }));
  await waitFor(page.getByRole('textbox', { name: 'LaTeX source' }));
  await pause(1700);

  say('Doubtful spots are underlined, next to the ink they were read from.');
  await click(page.getByRole('button', { name: 'Check', exact: true }));
  await waitFor(page.getByRole('img', { name: /^Original ink/ }));
  await pause(300);
  lookAt(await upperPart(page.getByRole('region', { name: 'LaTeX and PDF' })));
  await pause(2300);

  say('It’s correct: confirm with one click.');
  await click(page.getByRole('button', { name: 'Looks right' }));
  await pause(1200);

  say('What you type is on the page a moment later.');
  const gap = await findInSource(page, 'kt=\\log2', '');
  const both = await findBoth(page, gap);
  await click(gap);
  await pause(500);
  lookAt(both);
  await type('\\approx0.69');
  await moveTo({ x: gap.x + 60, y: gap.y + 100 });
  await waitFor(page.getByText('The page is up to date.'));
  await pause(2200);

  say('Once saved, it’s in your library.');
  lookAt();
  await click(page.getByRole('button', { name: 'Save to my documents' }));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill(documentName);
  await pause(400);
  await click(dialog.getByRole('button', { name: 'Save', exact: true }));
  const stay = dialog.getByRole('button', { name: 'Stay here' });
  await waitFor(stay);
  await pause(300);
  await click(stay);
  await click(page.getByRole('banner').getByRole('link', { name: 'My documents' }));
  const shelf = page.getByRole('list', { name: 'Documents' });
  await waitFor(shelf.getByRole('link', { name: documentName }));
  await waitFor(waitUntilFound(formula, documentName));
  await pause(1000);

  say('Search finds every word and every formula in it.');
  await click(page.getByRole('button', { name: 'Formula' }));
  lookAt(await aroundSearch(page));
  await type(formula);
  const found = page.getByRole('list', { name: 'Found documents' });
  await waitFor(found.getByRole('link', { name: documentName }));
  await pause(3000);
}

/** A box at the target's top, with its full width and the film's aspect ratio. */
async function upperPart(target: Locator): Promise<Box> {
  const box = await boxOf(target);
  return { ...box, height: (box.width * filmSize.height) / filmSize.width };
}

async function boxOf(target: Locator): Promise<Box> {
  await target.waitFor();
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to look at.');
  return box;
}

/** A box from the place in the source to the same formula on the page. */
async function findBoth(page: Page, gap: { x: number; y: number }): Promise<Box> {
  const sheet = await boxOf(page.locator('.pdfViewer .page:visible').first());
  const left = gap.x - 120;
  const width = sheet.x + sheet.width * 0.95 - left;
  return { x: left, y: gap.y - width * 0.3, width, height: (width * filmSize.height) / filmSize.width };
}

/** The search field and the results below it. */
async function aroundSearch(page: Page): Promise<Box> {
  const field = await boxOf(page.getByRole('searchbox'));
  const margin = 24;
  const width = field.width + 8 * margin;
  const height = (width * filmSize.height) / filmSize.width;
  return { x: field.x - margin, y: field.y - margin, width, height };
}

/** Where the pointer has to click to put the cursor between two stretches of the source. */
async function findInSource(page: Page, before: string, after: string): Promise<{ x: number; y: number }> {
  const place = await page.evaluate(
    ({ before, after }) => {
      for (const line of document.querySelectorAll('.cm-line')) {
        const offset = (line.textContent ?? '').indexOf(before + after);
        if (offset < 0) continue;
        let left = offset + before.length;
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const length = node.textContent?.length ?? 0;
          if (left <= length) {
            const range = document.createRange();
            range.setStart(node, left);
            range.collapse(true);
            const { left: x, top, height } = range.getBoundingClientRect();
            return { x, y: top + height / 2 };
          }
          left -= length;
        }
      }
      return null;
    },
    { before, after },
  );
  if (!place)
    throw new Error(`The source does not say ${before}${after}: the reader reads the page otherwise.`);
  return place;
}
