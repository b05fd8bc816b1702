import path from 'node:path';
import { expect, test } from 'vitest';
import { edge, openFormulaLanguage } from './formula-language.ts';

const tokens = ['x', 'k', 'z', '2', '7', '=', '\\sqrt{', 'V', '}', 'ß'];
const language = await openFormulaLanguage(path.resolve('reading/models/formula-language.json'), tokens);
const after = (earlier: string | null, before: string | null, token: string | null) => {
  const at = (sign: string | null) => (sign === null ? edge : tokens.indexOf(sign));
  return language.logProbability(at(earlier), at(before), at(token));
};

test('signs that look alike are told apart by what precedes them', () => {
  expect(after(null, '2', 'x')).toBeGreaterThan(after(null, '2', 'k'));
  expect(after('x', '=', '2')).toBeGreaterThan(after('x', '=', 'z'));
  expect(after('x', '=', '\\sqrt{')).toBeGreaterThan(after('x', '=', 'V'));
});

test('all digits are alike, and any of them may end a formula rather than a relation', () => {
  expect(after('x', '=', '7')).toBe(after('x', '=', '2'));
  expect(after('=', '7', null)).toBeGreaterThan(after('x', '=', null));
});

test('a sign that no textbook has is unlikely, not impossible', () => {
  expect(after(null, null, 'ß')).toBeLessThan(after(null, null, 'z'));
  expect(after(null, null, 'ß')).toBeGreaterThan(Number.NEGATIVE_INFINITY);
});
