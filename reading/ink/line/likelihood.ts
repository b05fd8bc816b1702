/** The log likelihood of a given sequence of tokens: the sum over all paths that yield it (CTC's forward pass). */
import type { LineScores } from './line-model.ts';

/**
 * @param said indices of the tokens among `size` outputs, of which the first is the blank
 * @returns a natural logarithm; −∞ if there are too few frames
 */
export function logLikelihood(said: readonly number[], { frames, values }: LineScores, size: number): number {
  // states: blank, first, blank, second, …, blank
  const states = 2 * said.length + 1;
  // two different tokens may follow each other without a blank
  const skips = said.map((token, at) => at > 0 && token !== said[at - 1]);
  let shares = new Float64Array(states);
  let next = new Float64Array(states);
  shares[0] = Math.exp(values[0]!);
  if (states > 1) shares[1] = Math.exp(values[said[0]!]!);
  // shares are kept at a sum of 1, or they would run out of digits; what they lost is in `scale`
  let scale = rescale(shares);
  for (let frame = 1; frame < frames; frame++) {
    const row = frame * size;
    const blank = Math.exp(values[row]!);
    next[0] = shares[0]! * blank;
    for (let at = 0; at < said.length; at++) {
      const state = 2 * at + 1;
      const came = shares[state]! + shares[state - 1]! + (skips[at] ? shares[state - 2]! : 0);
      next[state] = came * Math.exp(values[row + said[at]!]!);
      next[state + 1] = (shares[state + 1]! + shares[state]!) * blank;
    }
    [shares, next] = [next, shares];
    scale += rescale(shares);
  }
  return scale + Math.log(shares[states - 1]! + (states > 1 ? shares[states - 2]! : 0));
}

/** Divides by the sum, and returns the sum's logarithm; −∞ if all are 0. */
function rescale(shares: Float64Array): number {
  let sum = 0;
  for (const share of shares) sum += share;
  if (sum > 0) for (let at = 0; at < shares.length; at++) shares[at]! /= sum;
  return Math.log(sum);
}
