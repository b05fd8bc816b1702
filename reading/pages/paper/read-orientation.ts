/** Which way up handwriting lies, told by reading it: the line model believes what it reads upright more than the same ink turned. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findInkRows } from '../../ink/layout/find-ink-lines.ts';
import { cutOut } from '../../ink/line/cut-line.ts';
import { type LineModel, type LineScores, openLineModel } from '../../ink/line/line-model.ts';
import { toLinePicture } from '../../ink/line/line-picture.ts';
import type { Bitmap } from '../../page.ts';
import { turnQuarters } from './geometry.ts';

export type Quarters = 0 | 1 | 2 | 3;

const weights = path.resolve(import.meta.dirname, '../../models/line-reader.onnx');
/** So many of the largest lines tell; fewer than the least tell nothing. */
const mostLines = 10;
const leastLines = 5;
/** A line is longer than it is high by this factor. */
const leastElongation = 1.5;
const overhang = 0.15;

let opened: Promise<LineModel> | null = null;

/**
 * @param page evenly lit, grey
 * @param candidates quarter turns clockwise that may make it upright
 * @returns for each of them how far its lines are believed so: the mean logarithm of the likeliest signs' probabilities, 0 at
 * best; null where the lines are too few, or there are no weights
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

/** Where nothing at all is read. */
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
