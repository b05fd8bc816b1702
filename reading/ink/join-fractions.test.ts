import { expect, test } from 'vitest';
import { joinFractions } from './join-fractions.ts';
import type { InkLine } from './read-lines.ts';

/** A formula by its tokens, and how much likelier it is than its other readings. */
const read = (formula: string, share: number) =>
  ({
    tokens: ['\\(', ...formula.split(' '), '\\)'].map((token) => ({ token, probability: 0.99 })),
    share,
    box: [0.1, 0.1, 0.3, 0.03],
  }) as unknown as InkLine;
const fraction = [{ high: 0, low: 1, box: [0.1, 0.1, 0.3, 0.06] as [number, number, number, number] }];

test('a number under a formula is its denominator, though both were read surely apart', () => {
  const both = read('2 x = \\frac{ 1 5 }{ 5 }', 0.2);
  expect(joinFractions([read('2 x = 1 5', 0.82), read('5', 0.99), both], fraction)).toEqual([both]);
});

test('a longer row under a formula, read surely by itself, is the next step', () => {
  const steps = [read('x ^{ 6 } = 4 x', 0.6), read('4 x ^{ 2 }', 0.99)];
  expect(joinFractions([...steps, read('\\frac{ x ^{ 6 } }{ 4 x ^{ 2 } }', 0.2)], fraction)).toEqual(steps);
});

test('the next step under a short one is no denominator', () => {
  const steps = [read('x - 2 = 0', 0.4), read('x = 2', 0.8)];
  expect(joinFractions([...steps, read('x = \\frac{ 2 }{ 2 }', 0.3)], fraction)).toEqual(steps);
});
