/** Turns the crop of a line into the model's input, exactly as `training/drawing/render.py` makes every training picture. */
import type { Bitmap } from '../../page.ts';

/** Height of the model's pictures, px; widths are multiples of `framePixels`, at most `maxWidth` (training/settings.py). */
export const lineHeight = 64;
export const maxWidth = 1024;
export const framePixels = 4;
/** Percentiles of the crop's grey levels taken for paper and ink, and the least distance between the two. */
export const paperShare = 0.9;
export const inkShare = 0.01;
export const leastSpan = 24;

export interface LinePicture {
  /** A multiple of `framePixels`. */
  width: number;
  /** `lineHeight` rows; 0 paper, 1 full ink. */
  ink: Float32Array;
}

/** @param crop grey, dark ink on light paper, of any size */
export function toLinePicture(crop: Bitmap): LinePicture {
  const fitted = Math.round((crop.width * lineHeight) / crop.height);
  const frames = Math.floor((fitted + framePixels - 1) / framePixels) * framePixels;
  const width = Math.max(4 * framePixels, Math.min(maxWidth, frames));
  const shrinks = crop.height > lineHeight;
  const fittedCrop = resample(crop.data, crop, { width, height: lineHeight }, shrinks);
  return { width, ink: normalise(fittedCrop) };
}

interface Size {
  width: number;
  height: number;
}

/** Resamples grey values: by area when shrinking, otherwise linearly between pixel centres. */
export function resample(from: ArrayLike<number>, size: Size, wanted: Size, byArea: boolean): Float32Array {
  const wide = resampleRows(from, size.width, size.height, wanted.width, byArea);
  // the same for columns
  const turned = transpose(wide, wanted.width, size.height);
  const tall = resampleRows(turned, size.height, wanted.width, wanted.height, byArea);
  return transpose(tall, wanted.height, wanted.width);
}

/** Resamples each row from `width` to `wanted` values: by area when shrinking, otherwise linearly between pixel centres. */
function resampleRows(
  from: ArrayLike<number>,
  width: number,
  height: number,
  wanted: number,
  byArea: boolean,
): Float32Array {
  const to = new Float32Array(wanted * height);
  const scale = width / wanted;
  const weigh = byArea && scale > 1 ? areaWeights : linearWeights;
  // those of all columns one after the other: the rows are passed through in the order of memory
  const columns = Array.from({ length: wanted }, (_, x) => weigh(x, scale, width));
  const starts = Int32Array.from(columns, ({ start }) => start);
  const counts = Int32Array.from(columns, ({ weights }) => weights.length);
  const weights = Float64Array.from(columns.flatMap((column) => column.weights));
  for (let y = 0; y < height; y++)
    for (let x = 0, next = 0; x < wanted; x++) {
      const first = y * width + starts[x]!;
      let sum = 0;
      for (let at = 0; at < counts[x]!; at++) sum += from[first + at]! * weights[next++]!;
      to[y * wanted + x] = sum;
    }
  return to;
}

/** The pixels that one value is made of: the first, and the weight of each. */
interface Weights {
  start: number;
  weights: number[];
}

function areaWeights(x: number, scale: number, width: number): Weights {
  const begin = x * scale;
  const end = Math.min(width, begin + scale);
  const start = Math.floor(begin);
  const weights: number[] = [];
  for (let at = start; at < end; at++)
    weights.push((Math.min(end, at + 1) - Math.max(begin, at)) / (end - begin));
  return { start, weights };
}

function linearWeights(x: number, scale: number, width: number): Weights {
  const centre = Math.max(0, Math.min(width - 1, (x + 0.5) * scale - 0.5));
  const start = Math.floor(centre);
  const share = centre - start;
  return { start, weights: share === 0 ? [1] : [1 - share, share] };
}

function transpose(from: ArrayLike<number>, width: number, height: number): Float32Array {
  const to = new Float32Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) to[x * height + y] = from[y * width + x]!;
  return to;
}

function normalise(grey: Float32Array): Float32Array {
  const counts = new Uint32Array(256);
  for (let at = 0; at < grey.length; at++) {
    grey[at] = Math.round(grey[at]!);
    counts[grey[at]!]!++;
  }
  const levelAt = (share: number) => {
    let below = 0;
    for (let level = 0; level < 256; level++) {
      below += counts[level]!;
      if (below >= share * grey.length) return level;
    }
    return 255;
  };
  const paper = levelAt(paperShare);
  const span = Math.max(leastSpan, paper - levelAt(inkShare));
  // rounded to whole levels, as in the training pictures
  return grey.map((level) => Math.floor(Math.max(0, Math.min(255, ((paper - level) * 255) / span))) / 255);
}
