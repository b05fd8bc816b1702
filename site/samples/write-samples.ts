/** `npm run samples:write`: reads the sample pages and writes what the converter shows of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { readSample } from './read-sample.ts';
import { drawnSamples, sampleFolder } from './samples.ts';

/** Width of the page's picture, px: twice that of its place on a laptop. */
const pictureWidth = 1100;
/** The upper part of the page on the empty desk, px. */
const small = { width: 256, height: 288 };

mkdirSync(sampleFolder, { recursive: true });
for (const sample of drawnSamples) {
  const { conversion, picture } = await readSample(sample);
  writeFileSync(path.join(sampleFolder, `${sample.id}.json`), `${JSON.stringify(conversion)}\n`);
  const webp = await sharp(picture).resize({ width: pictureWidth }).webp({ quality: 80 }).toBuffer();
  writeFileSync(path.join(sampleFolder, `${sample.id}.webp`), webp);
  const top = await sharp(picture)
    .resize({ ...small, fit: 'cover', position: 'top' })
    .webp({ quality: 75 })
    .toBuffer();
  writeFileSync(path.join(sampleFolder, `${sample.id}-small.webp`), top);
}
