/**
 * Decodes a picture in any supported format: upright by its metadata, on white, 8-bit sRGB, metadata dropped. Runs
 * only inside a page process.
 */
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { loadLater } from '#platform/load-later.ts';
import { Refusal } from '#platform/work/task.ts';
import { maxPixels } from '#shared/api/limits.ts';
import type { Bitmap } from '../../page.ts';
import { decodeBmp } from './decode-bmp.ts';
import { readTiffPages } from './headers/tiff.ts';
import { checkDimensions } from './image-limits.ts';
import { sniffType } from './sniff.ts';

/** It takes 55 ms of CPU time and 11 MB to load, and few pages need it. */
const loadHeicDecode = () => loadLater('heic-decode') as typeof import('heic-decode')['default'];

sharp.cache(false);
sharp.concurrency(1);

export interface DecodedImage {
  bitmap: Bitmap & { channels: 3 };
  /** True when the decoder had to guess at parts of the picture. */
  isDamaged: boolean;
}

/**
 * Decodes frame `index` (TIFF page; 0 for all other formats), scaled down so that neither side passes `maxSide`.
 * @throws Refusal if the picture is broken.
 */
export async function decodeImage(path: string, index: number, maxSide: number): Promise<DecodedImage> {
  const file = await readFile(path);
  const type = await sniffType(file.subarray(0, 4096));
  if (type.kind !== 'image') throw new Refusal('The file is not a picture.');
  switch (type.format) {
    case 'heic':
      return { bitmap: await decodeHeic(file, maxSide), isDamaged: false };
    case 'bmp': {
      const { width, height, data } = decodeBmp(file);
      const picture = sharp(data, { raw: { width, height, channels: 3 } });
      return { bitmap: await toBitmap(picture, maxSide), isDamaged: false };
    }
    case 'tiff': {
      const found = readTiffPages(file);
      const page = found.kind === 'whole' ? found.pages[index] : undefined;
      if (!page) throw new Refusal(`The TIFF has no page ${index + 1}.`);
      return decodeTolerantly(file, maxSide, page.directory);
    }
    default:
      return decodeTolerantly(file, maxSide, 0);
  }
}

/** Decodes strictly first; then once more tolerating small faults, about which the caller warns. */
async function decodeTolerantly(file: Buffer, maxSide: number, page: number): Promise<DecodedImage> {
  const open = (failOn: 'warning' | 'error') =>
    sharp(file, { failOn, page, limitInputPixels: maxPixels, sequentialRead: true }).autoOrient();
  try {
    return { bitmap: await toBitmap(open('warning'), maxSide), isDamaged: false };
  } catch {
    try {
      return { bitmap: await toBitmap(open('error'), maxSide), isDamaged: true };
    } catch (error) {
      throw new Refusal(
        'The picture is damaged and cannot be read. Save it again and send the new file.',
        error,
      );
    }
  }
}

async function toBitmap(picture: Sharp, maxSide: number): Promise<DecodedImage['bitmap']> {
  const hasLightInk = await isLightOnNothing(picture);
  const { data, info } = await picture
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: hasLightInk ? 'black' : 'white' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels === 3) return { width: info.width, height: info.height, channels: 3, data };
  const spread = new Uint8Array(info.width * info.height * 3);
  for (let pixel = 0; pixel < info.width * info.height; pixel++)
    spread.fill(data[pixel * info.channels]!, pixel * 3, pixel * 3 + 3);
  return { width: info.width, height: info.height, channels: 3, data: spread };
}

/** Transparent share of a picture above which transparency is the paper; in a cut-out photo it is a margin. */
const paperShare = 0.5;
/** Long side of the picture on which the ink's brightness is measured, px. */
const judgedSide = 400;

/**
 * Light ink on a transparent page, as drawing programs export it from a dark one, would be invisible on white. Such a
 * picture is put on black and then treated like any dark page.
 */
async function isLightOnNothing(picture: Sharp): Promise<boolean> {
  if (!(await picture.metadata()).hasAlpha) return false;
  const { data, info } = await picture
    .clone()
    .resize({ width: judgedSide, height: judgedSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const pixels = info.width * info.height;
  let [light, covered, clear] = [0, 0, 0];
  for (let at = 0; at < pixels * info.channels; at += info.channels) {
    const alpha = data[at + info.channels - 1]!;
    // grey, or the mean of three colours
    const level = info.channels < 3 ? data[at]! : (data[at]! + data[at + 1]! + data[at + 2]!) / 3;
    light += level * alpha;
    covered += alpha;
    if (alpha < 128) clear++;
  }
  return covered > 0 && clear > pixels * paperShare && light / covered > 127;
}

async function decodeHeic(file: Buffer, maxSide: number): Promise<DecodedImage['bitmap']> {
  const unreadable = (cause?: unknown) =>
    new Refusal('The HEIC picture cannot be read. Save it as JPEG and send that.', cause);
  const images = await loadHeicDecode()
    .all({ buffer: file })
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  try {
    const [image] = images;
    if (!image) throw unreadable();
    checkDimensions('The picture', image.width, image.height);
    const { width, height, data } = await image.decode().catch((error: unknown) => {
      throw unreadable(error);
    });
    // a view, not a copy: a 50-megapixel photo is 200 MB here
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return await toBitmap(sharp(bytes, { raw: { width, height, channels: 4 } }), maxSide);
  } finally {
    images.dispose();
  }
}
