import { expect, test } from 'vitest';
import type { InkLine } from './read-lines.ts';
import { areSurer, findStacked } from './stacked-lines.ts';

/** A formula read with this probability for each sign, from a box this high. */
const read = (signs: string, probability: number, tall = 0.03) =>
  ({
    tokens: ['\\(', ...signs, '\\)'].map((token) => ({ token, probability })),
    box: [0.1, 0.1, 0.3, tall],
  }) as unknown as InkLine;

test('a row as high as two lines that was read badly may be two lines', () => {
  const twoSteps = read('x-y_{k=94+2}', 0.4, 0.06);
  const fraction = read('x=10/2', 0.9, 0.06);
  const scrawl = read('x+y=2', 0.4);
  expect(findStacked([twoSteps, fraction, scrawl, read('x=2', 0.9), read('y=3', 0.9)])).toEqual([twoSteps]);
});

test('its parts are taken if they are read better than the whole', () => {
  const whole = read('x-y_{k=94+2}', 0.42);
  expect(areSurer([read('x-y=2', 0.95), read('x=y+2', 0.8)], whole)).toBe(true);
  expect(areSurer([read('x-y=2', 0.45), read('x=y+2', 0.45)], whole)).toBe(false);
});

test('what could be the denominator of a fraction stays with it', () => {
  expect(areSurer([read('y=12', 0.95), read('5', 0.99)], read('y=\\frac{12}{5}', 0.5))).toBe(false);
  expect(areSurer([], read('y=12', 0.4))).toBe(false);
});
