/** Removes the print from a page's picture, leaving only what was written by hand. */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { Bitmap } from '../page.ts';
import { inkLevel, toGrey, whiten } from '../raster.ts';

/** A straight line this long (share of the width) and no thicker than this (share of the height) is printed. */
const minRule = 0.07;
const thickestRule = 0.0035;
/** How far print extends beyond the boxes of its words, as a share of their height. */
const overhang = 0.12;

/**
 * @param print boxes of printed words
 * @returns the picture with these, and the printed lines to write on, in white
 */
export function hidePrint(picture: Bitmap, print: readonly ShareBox[]): Bitmap {
  const boxes = print.map(([left, top, width, height]): ShareBox => {
    const over = overhang * height;
    return [left - over, top - over, width + 2 * over, height + 2 * over];
  });
  return withoutRules(whiten(picture, boxes));
}

/** How far strokes extend beyond their boxes (half their width), as a share of the page's width. */
const strokeReach = 0.008;

/** The picture with everything outside these boxes in white. */
export function showOnly(picture: Bitmap, boxes: readonly ShareBox[]): Bitmap {
  const { width, height, channels } = picture;
  const data = new Uint8Array(picture.data.length).fill(255);
  const reach = strokeReach * width;
  for (const [left, top, wide, tall] of boxes) {
    const from = Math.max(0, Math.floor(left * width - reach)) * channels;
    const to = Math.min(width, Math.ceil((left + wide) * width + reach)) * channels;
    const bottom = Math.min(height, Math.ceil((top + tall) * height + reach));
    for (let y = Math.max(0, Math.floor(top * height - reach)); y < bottom; y++) {
      const row = y * width * channels;
      data.set(picture.data.subarray(row + from, row + to), row + from);
    }
  }
  return { ...picture, data };
}

/** On a printed page, less other ink than this (share of all pixels) is dust and the edges of letters. */
export const minInk = 0.0002;

/** The share of a picture's pixels that are ink, 0 … 1. */
export function inkShare(picture: Bitmap): number {
  const { data } = toGrey(picture);
  let count = 0;
  for (let at = 0; at < data.length; at++) if (data[at]! < inkLevel) count++;
  return count / data.length;
}

/** Removes horizontal rules; strokes that cross them stay where they are thicker than the rule. */
function withoutRules(picture: Bitmap): Bitmap {
  const { width, height, channels } = picture;
  const grey = toGrey(picture).data;
  const isInk = (x: number, y: number) => grey[y * width + x]! < inkLevel;
  const thickest = Math.max(2, Math.round(thickestRule * height));
  const step = Math.max(1, Math.floor(minRule * width));
  // a rule covers one of these pixels, and most rows have no ink at any
  const mayHaveRule = (y: number) => {
    for (let x = step - 1; x < width; x += step) if (isInk(x, y)) return true;
    return false;
  };
  const data = Uint8Array.from(picture.data);
  for (let y = 0; y < height; y++) {
    if (!mayHaveRule(y)) continue;
    for (let x = 0, from = 0; x <= width; x++) {
      if (x < width && isInk(x, y)) continue;
      if (x - from >= minRule * width)
        for (let at = from; at < x; at++) {
          let [top, bottom] = [y, y];
          while (top > 0 && y - top <= thickest && isInk(at, top - 1)) top--;
          while (bottom + 1 < height && bottom - y <= thickest && isInk(at, bottom + 1)) bottom++;
          if (bottom - top + 1 > thickest) continue;
          // with its soft edges
          for (let row = Math.max(0, top - 1); row <= Math.min(height - 1, bottom + 1); row++)
            data.fill(255, (row * width + at) * channels, (row * width + at + 1) * channels);
        }
      from = x + 1;
    }
  }
  return { ...picture, data };
}
