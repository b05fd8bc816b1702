/** Parts of a page's picture: halves cut between lines, and crops of drawings. */
import sharp, { type Sharp } from 'sharp';
import type { Bitmap } from '../page.ts';

/** Longest side of an enlarged line, px. */
const [enlargedWidth, enlargedHeight] = [1600, 240];

function open(bitmap: Bitmap): Sharp {
  return sharp(bitmap.data, {
    raw: { width: bitmap.width, height: bitmap.height, channels: bitmap.channels },
  });
}

/** A JPEG of ours. */
export async function decodeJpeg(bytes: Uint8Array): Promise<Bitmap> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels === 1 ? 1 : 3, data };
}

/** The part of a page from `top` to `bottom`, as shares of its height. */
export function cropRows(bitmap: Bitmap, top: number, bottom: number): Bitmap {
  const stride = bitmap.width * bitmap.channels;
  const [from, to] = [Math.round(top * bitmap.height), Math.round(bottom * bitmap.height)];
  return { ...bitmap, height: to - from, data: bitmap.data.subarray(from * stride, to * stride) };
}

/** The row nearest the middle (within a fifth of the height) with the least ink: where a page can be cut in two. */
export function findCut(bitmap: Bitmap): number {
  const { width, height, channels, data } = bitmap;
  const middle = Math.floor(height / 2);
  const reach = Math.floor(height / 5);
  let best = middle;
  let minInk = Number.POSITIVE_INFINITY;
  for (let distance = 0; distance <= reach; distance++) {
    for (const row of distance === 0 ? [middle] : [middle - distance, middle + distance]) {
      let ink = 0;
      for (let x = 0; x < width; x++) if (data[(row * width + x) * channels]! < 160) ink++;
      // a small weight for the distance, so that the middle one of several blank rows is chosen
      const cost = ink + distance / height;
      if (cost < minInk) {
        minInk = cost;
        best = row;
      }
    }
  }
  return best;
}

/** A line of a page, enlarged until its smallest signs are legible, as JPEG. */
export async function cropEnlarged(
  bitmap: Bitmap,
  [left, top, width, height]: readonly [number, number, number, number],
): Promise<Uint8Array> {
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const margin = 0.4 * height;
  const [x, y] = [clamp(left - margin) * bitmap.width, clamp(top - margin) * bitmap.height];
  const area = {
    left: Math.floor(Math.min(x, bitmap.width - 1)),
    top: Math.floor(Math.min(y, bitmap.height - 1)),
    width: Math.max(1, Math.floor(clamp(left + width + margin) * bitmap.width - x)),
    height: Math.max(1, Math.floor(clamp(top + height + margin) * bitmap.height - y)),
  };
  return await open(bitmap)
    .extract(area)
    .resize({ height: enlargedHeight, width: enlargedWidth, fit: 'inside' })
    .jpeg({ quality: 88 })
    .toBuffer();
}

/** Cuts out a box (fractions of the page) with a small margin, as PNG; null if the box is not usable. */
export async function cropFigure(
  bitmap: Bitmap,
  box: { left: number; top: number; width: number; height: number },
): Promise<{ bytes: Uint8Array; box: typeof box } | null> {
  const margin = 0.01;
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const left = clamp(box.left - margin);
  const top = clamp(box.top - margin);
  const right = clamp(box.left + box.width + margin);
  const bottom = clamp(box.top + box.height + margin);
  const area = {
    left: Math.floor(left * bitmap.width),
    top: Math.floor(top * bitmap.height),
    width: Math.floor((right - left) * bitmap.width),
    height: Math.floor((bottom - top) * bitmap.height),
  };
  if (![box.left, box.top, box.width, box.height].every(Number.isFinite) || box.width <= 0 || box.height <= 0)
    return null;
  if (area.width < 16 || area.height < 16) return null;
  const bytes = await open(bitmap).extract(area).png({ compressionLevel: 9 }).toBuffer();
  return { bytes, box: { left, top, width: right - left, height: bottom - top } };
}
