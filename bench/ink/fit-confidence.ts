/**
 * Prints the coefficients of `reading/ink/choice/confidence.ts` for the weights in `reading/models/`: `node
 * bench/ink/fit-confidence.ts`. Fitted to the writers used for choosing constants (`tuning/`), never to those
 * whose figures are quoted.
 */
import process from 'node:process';
import { lineFeatures, wordFeatures } from '#reading/ink/choice/confidence.ts';
import type { ReadToken } from '#reading/ink/line/decode-line.ts';
import { readCrop } from '#reading/ink/read-lines.ts';
import { listTestset, openReader, readPicture } from './read-testset.ts';
import { wordsRight } from './words-right.ts';

interface Sample {
  features: number[];
  isRight: boolean;
}

/** Logistic regression by gradient descent; negative coefficients are held at 0, except the constant. */
function fitTo(samples: readonly Sample[]): number[] {
  const count = samples[0]!.features.length;
  const weights = Array<number>(count + 1).fill(0);
  for (let step = 0; step < 20_000; step++) {
    const slope = Array<number>(count + 1).fill(0);
    for (const { features, isRight } of samples) {
      const sum = features.reduce((all, value, at) => all + value * weights[at + 1]!, weights[0]!);
      const miss = 1 / (1 + Math.exp(-sum)) - (isRight ? 1 : 0);
      slope[0]! += miss;
      for (const [at, value] of features.entries()) slope[at + 1]! += miss * value;
    }
    for (const [at, value] of slope.entries()) weights[at]! -= (0.02 * value) / samples.length;
    for (let at = 1; at < weights.length; at++) weights[at] = Math.max(0, weights[at]!);
  }
  return weights.map((weight) => Math.round(weight * 1000) / 1000);
}

const reader = await openReader();
const lines: Sample[] = [];
const words: Sample[] = [];
const isKnown = await reader.words('en');
for (const entry of await listTestset('tuning')) {
  const read = await readCrop(await readPicture('tuning', entry), reader.model, isKnown);
  const text = read.tokens.map(({ token }) => token).join('');
  const plain = (latex: string) => latex.replaceAll(/ |\\[()]/g, '');
  lines.push({ features: lineFeatures(read), isRight: plain(text) === plain(entry.truth) });
  if (entry.set === 'formulas') continue;
  for (const { tokens, isRight } of wordsRight<ReadToken>(read.tokens, ({ token }) => token, entry.truth))
    words.push({ features: wordFeatures(tokens, read), isRight });
}
process.stdout.write(`lines ${fitTo(lines).join(' ')}\nwords ${fitTo(words).join(' ')}\n`);
await Promise.all([reader.model.close(), reader.shapes?.close()]);
