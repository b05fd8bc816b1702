import { expect, test } from 'vitest';
import { decodeLine } from '../line/decode-line.ts';
import { logLikelihood } from '../line/likelihood.ts';
import type { LineScores } from '../line/line-model.ts';
import { agree } from './compare-readings.ts';

const tokens = ['<blank>', '\\(', '\\)', '6', 'b', '='];

/** A frame for each list of shares, in the order of `tokens`. */
function look(...frames: number[][]): LineScores {
  const logs = frames.map((shares) => {
    const sum = shares.reduce((a, b) => a + b);
    return shares.map((share) => Math.log(Math.max(1e-6, share / sum)));
  });
  return { frames: frames.length, values: Float32Array.from(logs.flat()) };
}

test('the likelihood of a reading is the sum over all its ways', () => {
  const scores = look([0.5, 0, 0, 0.5, 0, 0], [0.5, 0, 0, 0.5, 0, 0]);
  // 6 and blank, blank and 6, 6 twice
  expect(Math.exp(logLikelihood([3], scores, tokens.length))).toBeCloseTo(0.75);
  expect(Math.exp(logLikelihood([], scores, tokens.length))).toBeCloseTo(0.25);
  // the same sign twice needs a blank between
  expect(logLikelihood([3, 3], scores, tokens.length)).toBeLessThan(-9);
});

test('two looks that lean to one reading outvote the surer third', () => {
  const gap = [1, 0, 0, 0, 0, 0];
  const is = [0, 0, 0, 0, 0, 1];
  const leansToSix = look([0, 0, 0, 0.6, 0.4, 0], gap, is);
  const surelyB = look([0, 0, 0, 0.35, 0.65, 0], gap, is);
  const looks = [surelyB, leansToSix, leansToSix];
  const readings = looks.map((scores) => decodeLine(scores, tokens, { from: 'maths' }));
  expect(readings.map((read) => read.tokens[1]!.token)).toEqual(['b', '6', '6']);
  expect(agree(readings, looks, tokens).tokens.map(({ token }) => token)).toEqual(['\\(', '6', '=', '\\)']);
});

test('what every look considers wins over what each likes best', () => {
  const gap = [1, 0, 0, 0, 0, 0];
  const is = [0, 0, 0, 0, 0, 1];
  const looks = [look([0, 0, 0, 0.45, 0.5, 0.05], gap, is), look([0, 0, 0, 0.45, 0.05, 0.5], gap, is)];
  const readings = looks.map((scores) => decodeLine(scores, tokens, { from: 'maths', others: 'all' }));
  expect(readings.map((read) => read.tokens[1]!.token)).toEqual(['b', '=']);
  const { tokens: read, share, others } = agree(readings, looks, tokens);
  expect(read.map(({ token }) => token)).toEqual(['\\(', '6', '=', '\\)']);
  expect(read[1]!.probability).toBeCloseTo(0.45);
  // the others keep what the look that likes them says, and all shares are of one whole
  expect(others?.map((other) => other.tokens[1])).toEqual(expect.arrayContaining(['b', '=']));
  expect(share).toBeGreaterThan(0.5);
  expect(share + others!.reduce((sum, other) => sum + other.share, 0)).toBeLessThanOrEqual(1 + 1e-9);
});

test('between readings that look alike, the language of formulas decides', () => {
  const looks = [look([0, 0, 0, 0.5, 0.49, 0], [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1])];
  const readings = looks.map((scores) => decodeLine(scores, tokens, { from: 'maths', others: 'all' }));
  const prefersB = {
    logProbability: (_: number, __: number, token: number) => (tokens[token] === 'b' ? -1 : -3),
  };
  expect(agree(readings, looks, tokens).tokens[1]!.token).toBe('6');
  expect(agree(readings, looks, tokens, prefersB).tokens[1]!.token).toBe('b');
});
