import { expect, test } from 'vitest';
import type { DecodedLine } from '../line/decode-line.ts';
import { lineConfidence, wordConfidence } from './confidence.ts';

const line = (probabilities: readonly number[], share: number): DecodedLine => ({
  tokens: probabilities.map((probability) => ({ token: 'a', probability, from: 0, to: 1 })),
  share,
  score: 0,
  fluency: 0,
});

test('grows with what the model is sure of, and with how far the other readings are behind', () => {
  const sure = lineConfidence(line([0.99, 0.99, 0.99], 0.95));
  expect(sure).toBeGreaterThan(lineConfidence(line([0.99, 0.6, 0.99], 0.95)));
  expect(sure).toBeGreaterThan(lineConfidence(line([0.99, 0.99, 0.99], 0.6)));
  const word = (weakest: number, share: number) =>
    wordConfidence(line([0.99, weakest], share).tokens, line([0.99, weakest], share));
  expect(word(0.95, 0.9)).toBeGreaterThan(word(0.5, 0.9));
  expect(word(0.95, 0.9)).toBeGreaterThan(word(0.95, 0.4));
});

test('is a share, whatever the scores; of nothing read it is nothing', () => {
  for (const probabilities of [[0], [1], [1e-9, 1], Array<number>(200).fill(0.001)])
    for (const share of [0, 0.5, 1]) {
      const confidence = lineConfidence(line(probabilities, share));
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  expect(lineConfidence(line([], 1))).toBe(0);
});
