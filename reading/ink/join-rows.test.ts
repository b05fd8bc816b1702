import { expect, test } from 'vitest';
import { joinRows } from './join-rows.ts';
import type { InkLine } from './read-lines.ts';

/** A formula by its tokens, and how much likelier it is than its other readings. */
const read = (formula: string, share: number) =>
  ({
    tokens: ['\\(', ...formula.split(' '), '\\)'].map((token) => ({ token, probability: 0.99 })),
    share,
    box: [0.1, 0.1, 0.3, 0.03],
  }) as unknown as InkLine;
const pairOf = (as: 'fraction' | 'limits') => [
  { row: 0, added: [1], as, box: [0.1, 0.1, 0.3, 0.06] as [number, number, number, number] },
];
const fraction = pairOf('fraction');

test('a number under a formula is its denominator, though both were read surely apart', () => {
  const both = read('2 x = \\frac{ 1 5 }{ 5 }', 0.2);
  expect(joinRows([read('2 x = 1 5', 0.82), read('5', 0.99), both], fraction)).toEqual([both]);
});

test('a longer row under a formula, read surely by itself, is the next step', () => {
  const steps = [read('x ^{ 6 } = 4 x', 0.6), read('4 x ^{ 2 }', 0.99)];
  expect(joinRows([...steps, read('\\frac{ x ^{ 6 } }{ 4 x ^{ 2 } }', 0.2)], fraction)).toEqual(steps);
});

test('the next step under a short one is no denominator', () => {
  const steps = [read('x - 2 = 0', 0.4), read('x = 2', 0.8)];
  expect(joinRows([...steps, read('x = \\frac{ 2 }{ 2 }', 0.3)], fraction)).toEqual(steps);
});

test('what is under an operator becomes its limit, though it is read less surely small', () => {
  const apart = [read('P _{ 2 } > 0', 0.4), read('x \\to 0', 0.5)];
  const both = read('\\lim _{ x \\to 0 } P _{ 2 } > 0', 0.03);
  expect(joinRows([...apart, both], pairOf('limits'))).toEqual([both]);
});

test('a row that would cost the one above its scripts, or gets none, is a line of its own', () => {
  const apart = [read('x ^{ 2 } + y ^{ 2 }', 0.6), read('5', 0.9)];
  expect(joinRows([...apart, read('x ^{ 2 } + y', 0.9)], pairOf('limits'))).toEqual(apart);
  const plain = [read('x + y', 0.6), read('5', 0.9)];
  expect(joinRows([...plain, read('x + y 5', 0.9)], pairOf('limits'))).toEqual(plain);
  expect(joinRows([...plain, read('x ^{ 5 }', 0.01)], pairOf('limits'))).toEqual(plain);
});

test('an operator gets both of its limits, and not one of them alone', () => {
  const apart = [read('n', 0.9), read('\\sum x', 0.6), read('k = 1', 0.9)];
  const box: [number, number, number, number] = [0.1, 0.1, 0.3, 0.06];
  const maybe = [[0, 2], [0], [2]].map((added) => ({ row: 1, added, as: 'limits' as const, box }));
  const all = read('\\sum _{ k = 1 } ^{ n } x', 0.1);
  const one = read('\\sum ^{ n } x', 0.5);
  const other = read('\\sum _{ k = 1 } x', 0.5);
  expect(joinRows([...apart, all, one, other], maybe)).toEqual([all]);
  const unlikely = read('\\sum _{ k = 1 } ^{ n } x', 0.0001);
  expect(joinRows([...apart, unlikely, one, other], maybe)).toEqual([one, apart[2]]);
});

test('a line of words is no limit, and has none', () => {
  const words = (said: string) => ({ ...read('', 0.9), tokens: read(said, 0.9).tokens.slice(1, -1) });
  const both = read('\\sum _{ k = 1 } x', 0.9);
  for (const apart of [
    [read('\\sum x', 0.6), words('i t i s s o')],
    [words('a n d s o o n'), read('k = 1', 0.6)],
  ])
    expect(joinRows([...apart, both], pairOf('limits'))).toEqual(apart);
});
