import { expect, test } from 'vitest';
import { distance, scorePage, signsOf } from './score-page.ts';
import { wordsRight } from './words-right.ts';

test('what leaves no mark on paper is not counted', () => {
  expect(signsOf('\\[ x^{2} = \\text{no } A \\]')).toEqual(['x', '^', '2', '=', 'n', 'o', 'A']);
  expect(signsOf('5. $\\displaystyle c=\\sqrt{36+64}$')).toEqual([...'5.c=', '\\sqrt', ...'{36+64}']);
});

test('counts signs to change, missing signs and superfluous ones', () => {
  expect(distance([...'kitten'], [...'sitting'])).toBe(3);
  expect(distance([], [...'ab'])).toBe(2);
});

test('matches lines in order; a missing line costs its signs, an invented one costs its own', () => {
  const truth = ['c=10', 'x<3', 'F(2)=1'];
  expect(scorePage(truth, truth)).toEqual({ found: 3, lines: 3, errors: 0, signs: 13 });
  expect(scorePage(truth, ['c=1O', 'F(2)=1'])).toMatchObject({ found: 2, errors: 4 });
  expect(scorePage(truth, ['W', ...truth, 'ee'])).toMatchObject({ found: 3, errors: 3 });
  expect(scorePage(truth, [])).toMatchObject({ found: 0, errors: 13 });
});

test('a word is correct if the truth has it at that place', () => {
  const words = wordsRight([...'the cat the mat'], (sign) => sign, 'the cap on the mat');
  expect(words.map(({ tokens, isRight }) => [tokens.join(''), isRight])).toEqual([
    ['the', true],
    ['cat', false],
    ['the', true],
    ['mat', true],
  ]);
});
