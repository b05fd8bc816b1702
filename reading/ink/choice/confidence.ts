/**
 * Calibrated confidence: of the lines with 0.9, nine in ten are right. The coefficients are fitted to the development
 * writers (bench/ink/fit-confidence.ts) and measured on others (reading/models/README.md).
 */
import type { DecodedLine, ReadToken } from '../line/decode-line.ts';

/** The constant, then one coefficient per feature. */
const line = [-0.126, 0.179, 1.069];
const word = [0.711, 0.149, 0.674];
/** Probabilities are kept this far from 0 and 1 before their logit is taken. */
const least = 1e-3;
const most = 1 - 1e-4;

const bounded = (probability: number) => Math.min(most, Math.max(least, probability));
const odds = (probability: number) => Math.log(bounded(probability) / (1 - bounded(probability)));
const toProbability = (features: readonly number[], [constant = 0, ...weights]: readonly number[]) =>
  1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * weights[at]!, constant)));

/** Features of a line: the probability of all its signs, and the margin to the other readings. */
export function lineFeatures({ tokens, share }: DecodedLine): number[] {
  return [tokens.reduce((sum, { probability }) => sum + Math.log(bounded(probability)), 0), odds(share)];
}

/** Features of a word: the probability of its weakest sign, and the line's margin to its other readings. */
export function wordFeatures(tokens: readonly ReadToken[], { share }: DecodedLine): number[] {
  return [odds(Math.min(...tokens.map(({ probability }) => probability))), odds(share)];
}

/** 0 … 1: the probability that every sign of the line is right. */
export function lineConfidence(read: DecodedLine): number {
  return read.tokens.length === 0 ? 0 : toProbability(lineFeatures(read), line);
}

/** 0 … 1: the probability that a word or formula of the line is right. */
export function wordConfidence(tokens: readonly ReadToken[], read: DecodedLine): number {
  return toProbability(wordFeatures(tokens, read), word);
}
