import { expect, test } from 'vitest';
import { kindOf, toReading } from './typed-reading.ts';

test.each([
  // words are words, whatever TeX makes of their signs
  ['5% of it', 'S of it', false, '5\\% of it'],
  ['a_b & c', 'ab', false, 'a\\_b \\& c'],
  ['50\\% \\emph{off}', 'so', false, '50\\% \\emph{off}'],
  ['let $x=2$', 'let', false, 'let $x=2$'],
  // for a formula: a formula, or the words that were mistaken for it
  ['x^2+1', '$x+1$', false, '$x^2+1$'],
  ['7x=21', '$\\displaystyle 1x=21$', false, '$\\displaystyle 7x=21$'],
  ['$y$', '$g$', false, '$y$'],
  ['so that', '$50that$', false, 'so that'],
  // within a formula
  ['\\frac{a}{b}', '\\frac{a}{6}', true, '\\frac{a}{b}'],
  ['$a+b$', 'a+6', true, 'a+b'],
  ['50%', '5', true, '50\\%'],
])('typed text, %s, for %s', (typed, reading, isMaths, latex) => {
  expect(toReading(typed, reading, kindOf(reading, isMaths))).toBe(latex);
});

test.each([
  ['\\frac{a}{b', 'x', true],
  ['a}', 'x', true],
  ['a$b', 'x', true],
  ['let $x', 'let', false],
  ['\\', 'a', false],
  ['x^{2', '$x$', false],
])('an unclosed reading is not accepted: %s', (typed, reading, isMaths) => {
  expect(toReading(typed, reading, kindOf(reading, isMaths))).toBeNull();
});
