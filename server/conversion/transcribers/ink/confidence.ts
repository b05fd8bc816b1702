/**
 * How sure the reader is, in numbers that mean what they say: of the lines that say 0.9, nine in ten are right. The
 * coefficients were fitted (logistic) to ink of writers kept for choosing, and held on others (models/README.md).
 */
import type { DecodedLine, ReadToken } from './decode-line.ts';

const line = { constant: -0.452, probability: 0.135, share: 1.105 };
const word = { constant: 0.547, probability: -0.146, weakest: 0.178, share: 0.572 };
/** Probabilities the model cannot mean. */
const least = 1e-3;
const most = 1 - 1e-4;

const bounded = (probability: number) => Math.min(most, Math.max(least, probability));
const odds = (probability: number) => Math.log(bounded(probability) / (1 - bounded(probability)));
const toProbability = (value: number) => 1 / (1 + Math.exp(-value));
const logOfAll = (tokens: readonly ReadToken[]) =>
  tokens.reduce((sum, { probability }) => sum + Math.log(bounded(probability)), 0);

/** 0 … 1: how likely every sign of the line is right. */
export function lineConfidence({ tokens, share }: DecodedLine): number {
  if (tokens.length === 0) return 0;
  return toProbability(line.constant + line.probability * logOfAll(tokens) + line.share * odds(share));
}

/** 0 … 1: how likely a word, or a formula, of the line is right. */
export function wordConfidence(tokens: readonly ReadToken[], { share }: DecodedLine): number {
  const weakest = Math.min(...tokens.map(({ probability }) => probability));
  return toProbability(
    word.constant +
      word.probability * logOfAll(tokens) +
      word.weakest * odds(weakest) +
      word.share * odds(share),
  );
}
