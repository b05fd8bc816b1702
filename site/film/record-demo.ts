/**
 * `npm run demo:record`: records the front page's film again with the real product. Needs `npm run build` and ffmpeg.
 * Writes the film, its poster, its captions, and the facts for the page and its metadata.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { openProduct } from '../open-product.ts';
import { decayName, drawDecay } from '../pictures/draw-decay.ts';
import { startCamera } from './camera.ts';
import { composeFilm, drawMoment, filmSize } from './compose-film.ts';
import { createOperator } from './operator.ts';
import { shortenWaits } from './shorten-waits.ts';
import { playStory } from './tell-story.ts';
import { writeCaptions } from './write-captions.ts';

const publicFolder = path.resolve(import.meta.dirname, '../../web/public/demo');
const factsFile = path.resolve(import.meta.dirname, '../../web/features/landing/demo/demo.json');
/** Wide enough for ink, source and page side by side, in the film's aspect ratio. */
const screen = { width: 1536, height: 960 };

const product = await openProduct();
try {
  const notes = await drawDecay();
  const page = await product.openPage(screen);
  await warmUp(page, notes);
  await page.goto('/');
  await page.waitForTimeout(1500);
  const camera = await startCamera(page);
  const operator = createOperator(page, camera, { x: screen.width * 0.62, y: screen.height * 0.8 });
  await playStory({ page, operator, notes, waitUntilFound: product.waitUntilFound });
  const { recording, isShortened } = shortenWaits(await camera.stop());

  mkdirSync(publicFolder, { recursive: true });
  const film = path.join(publicFolder, 'inkproof.mp4');
  const seconds = await composeFilm(recording, film);
  const captions = writeCaptions(recording, seconds);
  writeFileSync(path.join(publicFolder, 'captions.en.vtt'), captions.vtt);
  const poster = await drawMoment(recording, captions.momentOf('side by side') + 1900);
  await sharp(poster).webp({ quality: 80 }).toFile(path.join(publicFolder, 'poster.webp'));
  const facts = {
    recordedAt: new Date().toISOString(),
    seconds,
    ...filmSize,
    sizeBytes: statSync(film).size,
    isShortened,
    lines: recording.captions.map(({ text }) => text),
  };
  writeFileSync(factsFile, `${JSON.stringify(facts, null, 2)}\n`);
  console.log(`${seconds} s, ${facts.sizeBytes} bytes, ${recording.frames.length} pictures`);
} finally {
  await product.close();
}

/** Goes through the story once off camera, so that the film shows a warm server and a browser with a filled cache. */
async function warmUp(page: Page, notes: Buffer): Promise<void> {
  page.setDefaultTimeout(120_000);
  await page.goto('/convert');
  const file = { name: decayName, mimeType: 'image/jpeg', buffer: notes };
  await page.getByLabel('Choose files').setInputFiles(file);
  await page.getByRole('button', { name: 'Convert 1 page' }).click();
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await page.getByText('The page is up to date.').waitFor();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete this result' }).click();
  await page.getByRole('heading', { name: 'Add your notes' }).waitFor();
  await page.goto('/documents');
  await page.getByRole('list', { name: 'Documents' }).waitFor();
}
