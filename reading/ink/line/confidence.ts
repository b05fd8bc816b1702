/**
 * How sure the reader is, in numbers that mean what they say: of the lines that say 0.9, nine in ten are right. The
 * coefficients are fitted to ink of writers kept for choosing (bench/ink/fit-confidence.ts) and tried on others
 * (reading/models/README.md).
 */
import type { DecodedLine, ReadToken } from './decode-line.ts';

/** The constant first, then one for each feature. */
const line = [-0.126, 0.179, 1.069];
const word = [0.711, 0.149, 0.674];
/** Probabilities the model cannot mean. */
const least = 1e-3;
const most = 1 - 1e-4;

const bounded = (probability: number) => Math.min(most, Math.max(least, probability));
const odds = (probability: number) => Math.log(bounded(probability) / (1 - bounded(probability)));
const toProbability = (features: readonly number[], [constant = 0, ...weights]: readonly number[]) =>
  1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * weights[at]!, constant)));

/** What all signs together are believed, and how far the other readings are behind. */
export function lineFeatures({ tokens, share }: DecodedLine): number[] {
  return [tokens.reduce((sum, { probability }) => sum + Math.log(bounded(probability)), 0), odds(share)];
}

/** What its weakest sign is believed, and how far the other readings of the line are behind. */
export function wordFeatures(tokens: readonly ReadToken[], { share }: DecodedLine): number[] {
  return [odds(Math.min(...tokens.map(({ probability }) => probability))), odds(share)];
}

/** 0 … 1: how likely every sign of the line is right. */
export function lineConfidence(read: DecodedLine): number {
  return read.tokens.length === 0 ? 0 : toProbability(lineFeatures(read), line);
}

/** 0 … 1: how likely a word, or a formula, of the line is right. */
export function wordConfidence(tokens: readonly ReadToken[], read: DecodedLine): number {
  return toProbability(wordFeatures(tokens, read), word);
}
