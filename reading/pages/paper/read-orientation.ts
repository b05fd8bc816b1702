/**
 * Determines the orientation of handwriting by reading it: the line model is more confident on upright ink than on
 * the same ink rotated.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findInkRows } from '../../ink/layout/find-ink-lines.ts';
import { cutOut } from '../../ink/line/cut-line.ts';
import { type LineModel, type LineScores, openLineModel } from '../../ink/line/line-model.ts';
import { toLinePicture } from '../../ink/line/line-picture.ts';
import type { Bitmap, Quarters } from '../../page.ts';
import { turnQuarters } from './geometry.ts';

const weights = path.resolve(import.meta.dirname, '../../models/line-reader.onnx');
/** Number of largest lines used; fewer than the minimum are no evidence. */
const mostLines = 10;
const leastLines = 5;
/** A line is longer than it is high by this factor. */
const leastElongation = 1.5;
const overhang = 0.15;

let opened: Promise<LineModel> | null = null;

/**
 * @param page evenly lit, grey
 * @param candidates quarter turns clockwise that may make it upright
 * @returns for each candidate the mean log probability of the most likely signs, 0 at best; null if there are too few
 * lines, or no weights
 */
export async function readOrientations(
  page: Bitmap,
  candidates: readonly Quarters[],
): Promise<Map<Quarters, number> | null> {
  if (!existsSync(weights)) return null;
  opened ??= openLineModel(weights);
  const model = await opened;
  const beliefs = new Map<Quarters, number>();
  for (const axis of [0, 1] as const) {
    const own = candidates.filter((quarters) => quarters % 2 === axis);
    if (own.length === 0) continue;
    const lying = turnQuarters(page, axis);
    const { boxes, foreign } = findInkRows(lying, true, false);
    const lines = boxes
      .filter(([, , wide, tall]) => wide * lying.width > leastElongation * tall * lying.height)
      .sort((a, b) => b[2] * b[3] - a[2] * a[3])
      .slice(0, mostLines);
    if (lines.length < leastLines) return null;
    for (const quarters of own) {
      let sum = 0;
      for (const box of lines) {
        const crop = cutOut(lying, box, foreign, overhang)[0]!;
        const turned = quarters >= 2 ? turnQuarters(crop, 2) : crop;
        sum += beliefIn(await model.score(toLinePicture(turned)), model.tokens.length);
      }
      beliefs.set(quarters, sum / lines.length);
    }
  }
  return beliefs;
}

/** Score if nothing at all is read. */
const nothingRead = -3;

function beliefIn({ frames, values }: LineScores, size: number): number {
  let [sum, count] = [0, 0];
  for (let row = 0; row < frames * size; row += size) {
    let best = row;
    for (let at = row + 1; at < row + size; at++) if (values[at]! > values[best]!) best = at;
    if (best === row) continue;
    sum += values[best]!;
    count++;
  }
  return count === 0 ? nothingRead : sum / count;
}
