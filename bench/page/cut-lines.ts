/**
 * Cuts the lines of photographed pages out for training: `node bench/page/cut-lines.ts PAGES OUT`. PAGES is a folder of
 * pictures with truth.json (bench/page.ts); OUT gets a picture of each line that was found, with its surroundings, and
 * crops.json, which training/photographs.py reads.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { findOnLevel, openTextFinder } from '#reading/ink/find-text.ts';
import { findInkRows } from '#reading/ink/layout/find-ink-lines.ts';
import { loadWords } from '#reading/ink/line/known-words.ts';
import { openLineModel } from '#reading/ink/line/line-model.ts';
import { readInk } from '#reading/ink/read-ink.ts';
import { preparePixels } from '#reading/pages/prepare-page.ts';
import { toGrey, whiten } from '#reading/raster.ts';
import { scoreLines } from './score-lines.ts';
import { writeCrop } from './write-crop.ts';

interface TruePage {
  file: string;
  lines: string[];
  writer?: string;
  unsure?: number[];
}

/** The first sign is a digit, whatever is in front of it. */
const beginsWithNumber = /^(?:\\\()?[^A-Za-z]{0,3}\d/;

const [folder, out] = process.argv.slice(2);
if (!folder || !out) {
  console.error('Usage: node bench/page/cut-lines.ts PAGES OUT');
  process.exit(2);
}
const { pages } = JSON.parse(await readFile(path.join(folder, 'truth.json'), 'utf8')) as {
  pages: TruePage[];
};
const [model, finder] = await Promise.all([
  openLineModel(path.resolve(import.meta.dirname, '../../reading/models/line-reader.onnx')),
  openTextFinder(),
]);
await mkdir(out, { recursive: true });
const crops = [];
for (const page of pages) {
  const prepared = await preparePixels({ kind: 'image', path: path.join(folder, page.file), index: 0 });
  const level = finder && (await findOnLevel(prepared.bitmap, finder));
  const picture = level ? { ...prepared, bitmap: level.bitmap } : prepared;
  const read = await readInk(picture, 1, {
    model,
    finder: async () => finder,
    words: (language) => loadWords([language]),
  });
  const texts = read.lines.map(({ tokens }) => tokens.map(({ token }) => token).join(' '));
  const rows = findInkRows(picture.bitmap, true, true, level?.seen ?? null);
  const clear = whiten(toGrey(picture.bitmap), rows.struck);
  for (const { line, reading, errors, signs } of scoreLines(page.lines, texts, page.unsure).lines) {
    const found = read.lines[reading];
    if (!found) continue;
    const { files, box } = await writeCrop(clear, found.box, rows.foreign, out, `${page.file}-${line}`);
    for (const file of files)
      crops.push({
        file,
        page: page.file,
        writer: page.writer ?? /^.-([a-z]+)/.exec(page.file)?.[1] ?? page.file,
        line,
        truth: page.lines[line],
        hasNumber: beginsWithNumber.test(texts[reading]!.replaceAll(' ', '')),
        errors,
        signs,
        box,
      });
  }
}
await writeFile(path.join(out, 'crops.json'), JSON.stringify(crops));
await model.close();
console.log(`${crops.length} pictures of lines in ${out}`);
process.exit(0);
