/** The log likelihood of a given sequence of tokens: the sum over all paths that yield it (CTC's forward pass). */
import type { LineScores } from './line-model.ts';

const none = Number.NEGATIVE_INFINITY;

function add(a: number, b: number): number {
  if (a === none) return b;
  if (b === none) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}

/**
 * @param said indices of the tokens among `size` outputs, of which the first is the blank
 * @returns a natural logarithm; −∞ if there are too few frames
 */
export function logLikelihood(said: readonly number[], { frames, values }: LineScores, size: number): number {
  // states: blank, first, blank, second, …, blank
  const states = 2 * said.length + 1;
  const tokens = Int32Array.from({ length: states }, (_, state) =>
    state % 2 === 0 ? 0 : said[(state - 1) / 2]!,
  );
  let scores = new Float64Array(states).fill(none);
  scores[0] = values[0]!;
  if (states > 1) scores[1] = values[tokens[1]!]!;
  for (let frame = 1; frame < frames; frame++) {
    const now = new Float64Array(states);
    for (let state = 0; state < states; state++) {
      let sum = scores[state]!;
      if (state > 0) sum = add(sum, scores[state - 1]!);
      // two different tokens may follow each other without a blank
      const skips = state > 2 && state % 2 === 1 && tokens[state] !== tokens[state - 2];
      if (skips) sum = add(sum, scores[state - 2]!);
      now[state] = sum + values[frame * size + tokens[state]!]!;
    }
    scores = now;
  }
  return add(scores[states - 1]!, states > 1 ? scores[states - 2]! : none);
}
