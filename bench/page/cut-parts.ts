/**
 * Cuts out all that the reader of handwriting looks at on photographed pages, lines and parts of lines, for training:
 * `node bench/page/cut-parts.ts PAGES OUT`. PAGES is a folder of upright pictures with truth.json (bench/page.ts, of which
 * only `file` and `writer` are needed). OUT gets a folder for each page with the pictures, crops.json, and sheets that show
 * each under its number. Whoever looks at these writes labels.json: for each number the LaTeX of what it shows, or null.
 * training/photographs.py reads both. Pages that have a folder are left alone.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';
import { findOnLevel, openTextFinder } from '#reading/ink/find-text.ts';
import { findInkRows } from '#reading/ink/layout/find-ink-lines.ts';
import { cutOut, type LineCrop, usualOverhang } from '#reading/ink/line/cut-line.ts';
import { partsOf, withOwnParts } from '#reading/ink/read-parts.ts';
import { preparePixels } from '#reading/pages/prepare-page.ts';
import { toGrey, whiten } from '#reading/raster.ts';
import { type WrittenCrop, writeCrop } from './write-crop.ts';

/** Sheets, and each picture on them, px; the number is left of its picture. */
const sheet = { width: 1200, height: 1150 };
const most = { width: 1100, height: 76 };
const numberWidth = 46;
const gap = 10;

interface NumberedCrop extends WrittenCrop {
  n: number;
}

const [folder, out] = process.argv.slice(2);
if (!folder || !out) {
  console.error('Usage: node bench/page/cut-parts.ts PAGES OUT');
  process.exit(2);
}
const { pages } = JSON.parse(await readFile(path.join(folder, 'truth.json'), 'utf8')) as {
  pages: { file: string; writer?: string }[];
};
const finder = await openTextFinder();
for (const { file, writer = file } of pages) {
  const own = path.join(out, path.parse(file).name);
  if (existsSync(path.join(own, 'crops.json'))) continue;
  await mkdir(own, { recursive: true });
  const prepared = await preparePixels({ kind: 'image', path: path.join(folder, file), index: 0 });
  const level = finder && (await findOnLevel(prepared.bitmap, finder));
  const bitmap = level ? level.bitmap : prepared.bitmap;
  const rows = findInkRows(bitmap, true, true, level?.seen ?? null);
  const page = whiten(toGrey(bitmap), rows.struck);
  const found = [
    ...[...rows.boxes, ...rows.maybeJoined.map(({ box }) => box)].map((box) => ({
      box,
      foreign: rows.foreign,
    })),
    ...withOwnParts(partsOf(rows)),
  ];
  const crops: NumberedCrop[] = [];
  const shown: LineCrop[] = [];
  for (const [n, { box, foreign }] of found.entries()) {
    crops.push({ n, ...(await writeCrop(page, box, foreign, own, String(n))) });
    shown.push(cutOut(page, box, foreign, usualOverhang).at(-1)!);
  }
  const sheets = await drawSheets(shown);
  for (const [at, picture] of sheets.entries()) await writeFile(path.join(own, `sheet-${at}.png`), picture);
  await writeFile(path.join(own, 'crops.json'), JSON.stringify({ file, writer, crops }));
  console.log(`${file}: ${crops.length} pictures on ${sheets.length} sheets`);
}
process.exit(0);

async function drawSheets(pictures: readonly LineCrop[]): Promise<Buffer[]> {
  const placed: { input: Buffer; left: number; top: number; sheet: number }[] = [];
  let [left, top, at] = [0, 0, 0];
  for (const [n, { width, height, data }] of pictures.entries()) {
    const scale = Math.min(most.height / height, most.width / width);
    const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
    if (left + numberWidth + size.width > sheet.width) [left, top] = [0, top + most.height + gap];
    if (top + most.height > sheet.height) [top, at] = [0, at + 1];
    const number = `<svg xmlns="http://www.w3.org/2000/svg" width="${numberWidth}" height="24"><text y="18" font-family="DejaVu Sans" font-size="17" fill="#c00">${n}</text></svg>`;
    const picture = sharp(data, { raw: { width, height, channels: 1 } }).resize({ ...size, fit: 'fill' });
    placed.push({ input: Buffer.from(number), left, top, sheet: at });
    placed.push({ input: await picture.png().toBuffer(), left: left + numberWidth, top, sheet: at });
    left += numberWidth + size.width + gap;
  }
  return Promise.all(
    Array.from({ length: pictures.length > 0 ? at + 1 : 0 }, (_, one) =>
      sharp({ create: { ...sheet, channels: 3, background: '#dde' } })
        .composite(placed.filter((tile) => tile.sheet === one).map(({ sheet: _, ...tile }) => tile))
        .png()
        .toBuffer(),
    ),
  );
}
