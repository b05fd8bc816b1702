/**
 * Pictures of a formula or two are laid on a sheet of blank paper. Readers expect pages: letters about a thirtieth as
 * high as the page is long, and a margin around the writing.
 */
import sharp from 'sharp';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { heightOf, mostHeight } from '../../box.ts';
import { findInkPieces } from '../../ink/ink-pieces.ts';
import { findInk } from '../../ink/layout/find-ink.ts';
import type { Bitmap } from '../../page.ts';
import { percentile, shrink } from '../../raster.ts';

/** Long side of the picture that is measured, px; letters on pages are 4 to 11 px high on it. */
const measureSide = 500;
/** Smaller pieces are dust, px; what is nearly as high as the picture is no letter. */
const leastHeight = 3;
const leastPixels = 6;
const mostOfPicture = 0.8;
/** Higher letters than this share of the long side are seen from too near. */
const nearFrom = 0.042;
/** A strip: this many times as wide as it is high. Slides and screens are 1.78 times. */
const stripFrom = 2.1;
/** A4 at 222 dpi, and its letters, px. */
const sheet = { width: 1840, height: 2600 };
const letterHeight = 75;
const margin = 0.05;
const mostEnlarged = 4;
/** Paper is as light as this share of the picture's pixels at most. */
const paperShare = 0.6;
const sampled = 50_000;

/**
 * Height of most letters as a share of a picture's long side: the median, weighted by width; 0 without ink.
 * @param picture grey, of 500 pixels at least if there are more
 */
export function measureLetters(picture: Bitmap): number {
  const grey = shrink(picture, measureSide);
  const { width, height } = grey;
  const { ink } = findInk(grey, true);
  const long = Math.max(width, height);
  const letters = findInkPieces(width, height, (at) => ink[at]! > 0).pieces.filter(
    (piece) =>
      piece.pixels >= leastPixels && heightOf(piece) >= leastHeight && heightOf(piece) < mostOfPicture * long,
  );
  return (mostHeight(letters) ?? 0) / long;
}

/** Of every so many-th pixel, whose second channel of three is close to its luminance. */
function levelOfPaper({ channels, data }: Bitmap): number {
  const step = channels * Math.max(1, Math.floor(data.length / channels / sampled));
  const levels = new Uint8Array(Math.floor(data.length / step));
  for (let at = 0; at < levels.length; at++) levels[at] = data[at * step + (channels >> 1)]!;
  return percentile(levels, paperShare);
}

export interface LaidPicture {
  bitmap: Bitmap;
  /** From the sheet to the picture. */
  toPicture(box: ShareBox): ShareBox;
}

/**
 * @param letters height of most letters as a share of the long side
 * @returns null for a picture that is a page
 */
export async function layOnPaper(picture: Bitmap, letters: number): Promise<LaidPicture | null> {
  const { width, height, channels, data } = picture;
  if (letters === 0 || (letters < nearFrom && width < stripFrom * height)) return null;
  const scale = Math.min(
    letterHeight / (letters * Math.max(width, height)),
    ((1 - 2 * margin) * sheet.width) / width,
    ((1 - 2 * margin) * sheet.height) / height,
    mostEnlarged,
  );
  const [wide, tall] = [Math.max(1, Math.round(scale * width)), Math.max(1, Math.round(scale * height))];
  const [left, top] = [Math.round((sheet.width - wide) / 2), Math.round(margin * sheet.height)];
  const level = levelOfPaper(picture);
  const laid = await sharp(data, { raw: { width, height, channels } })
    .resize(wide, tall, { fit: 'fill' })
    .extend({
      left,
      right: sheet.width - wide - left,
      top,
      bottom: sheet.height - tall - top,
      background: { r: level, g: level, b: level },
    })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer();
  const share = (from: number, length: number, start: number, side: number) => {
    const at = (place: number) => Math.min(1, Math.max(0, (place - start) / side));
    return [at(from), at(from + length) - at(from)] as const;
  };
  return {
    bitmap: { ...sheet, channels, data: new Uint8Array(laid.buffer, laid.byteOffset, laid.byteLength) },
    toPicture([x, y, w, h]) {
      const [boxLeft, boxWidth] = share(x * sheet.width, w * sheet.width, left, wide);
      const [boxTop, boxHeight] = share(y * sheet.height, h * sheet.height, top, tall);
      return [boxLeft, boxTop, boxWidth, boxHeight];
    },
  };
}
