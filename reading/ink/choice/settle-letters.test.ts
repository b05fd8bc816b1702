import path from 'node:path';
import { expect, test } from 'vitest';
import { decodeLine } from '../line/decode-line.ts';
import { openFormulaLanguage } from '../line/formula-language.ts';
import type { LineScores } from '../line/line-model.ts';
import { agree } from './compare-readings.ts';
import { settleLetters } from './settle-letters.ts';

const tokens = ['<blank>', '\\(', '\\)', 'x', 'k', '=', '-', '2', '3'];
const language = await openFormulaLanguage(path.resolve('reading/models/formula-language.json'), tokens);

/** Each sign in a frame of its own, a gap between; `?` is a shape that looks like a k, and by `share` like an x. */
function written(signs: string, share: number): LineScores {
  const frames = [...signs].flatMap((sign) => {
    const shares: number[] = tokens.map((token) => (token === sign ? 1 : 1e-6));
    if (sign === '?') [shares[3], shares[4]] = [share, 1 - share];
    return [shares, tokens.map((_, at) => (at === 0 ? 1 : 1e-6))];
  });
  return { frames: frames.length, values: Float32Array.from(frames.flat(), Math.log) };
}

function readPage(share: number, ...lines: string[]): string[] {
  const seen = lines.map((line) => {
    const looks = [written(line, share)];
    const readings = looks.map((scores) =>
      decodeLine(scores, tokens, { from: 'maths', others: 'all', language }),
    );
    return { read: agree(readings, looks, tokens, language), looks };
  });
  const before = seen.map(({ read }) => read.tokens.reduce((all, { probability }) => all * probability, 1));
  const settled = settleLetters(seen, tokens, language);
  // a letter is as sure as its shape was
  expect(settled.map((read) => read.tokens.reduce((all, { probability }) => all * probability, 1))).toEqual(
    before,
  );
  return settled.map((read) =>
    read.tokens
      .map(({ token }) => token)
      .join('')
      .slice(2, -2),
  );
}

test('a shape that each line by itself takes for a k is the x of the page', () => {
  expect(readPage(0.01, '?=3')).toEqual(['k=3']);
  expect(readPage(0.01, '?=3', '?-2=3', '?-3=2', '2?=3')).toEqual(['x=3', 'x-2=3', 'x-3=2', '2x=3']);
});

test('what the ink says clearly stays, on however many lines', () => {
  const lines = ['?=3', '?-2=3', '?-3=2', '2?=3', '3?=2', '?=2', '2?-2=3', '3?-3=2'];
  expect(readPage(1e-5, ...lines)).toEqual(lines.map((line) => line.replace('?', 'k')));
});

test('the first reading stays among the other ones', () => {
  const looks = [written('?=3', 0.01)];
  const read = agree(
    [decodeLine(looks[0]!, tokens, { from: 'maths', others: 'all', language })],
    looks,
    tokens,
    language,
  );
  const seen = Array.from({ length: 4 }, () => ({ read, looks }));
  const [settled] = settleLetters(seen, tokens, language);
  expect(settled!.tokens.map(({ token }) => token).join('')).toBe('\\(x=3\\)');
  expect(settled!.others!.map((other) => other.tokens.join(''))).toContain('\\(k=3\\)');
  expect(settled!.others!.map((other) => other.tokens.join(''))).not.toContain('\\(x=3\\)');
});
