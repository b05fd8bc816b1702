import { expect, test } from 'vitest';
import { gatherLimits } from './gather-limits.ts';
import type { NamedSign } from './place-signs.ts';

/** A sign of the usual size, 60 px, and what it may be, with logarithms. */
function sign(
  said: string | [string, number][],
  left: number,
  top: number,
  [wide, high]: [number, number] = [30, 40],
): NamedSign {
  const box = { left, top, right: left + wide, bottom: top + high };
  const guesses = typeof said === 'string' ? [[said, -0.1] as const] : said;
  return {
    box,
    guesses: guesses.map(([token, log]) => ({ token, log, shape: log, base: box.bottom, em: 60 })),
  };
}
const say = (signs: readonly NamedSign[]) => signs.map(({ guesses }) => guesses[0]!.token).join('');
function gather(signs: readonly NamedSign[]) {
  const line = gatherLimits(signs, 60);
  return [
    say(line),
    ...line.flatMap(({ limits }) => (limits ? [`_${say(limits.low)}`, `^${say(limits.high)}`] : [])),
  ];
}

const sum = (as: string | [string, number][] = '\\sum') => sign(as, 100, 100, [90, 110]);
const from1 = ['k', '=', '1'].map((token, at) => sign(token, 75 + 52 * at, 225, [28, 30]));
const toN = sign('n', 130, 50, [28, 30]);
const term = [sign('a', 205, 150), sign('k', 248, 175, [24, 28])];

test('what stands below and above an operator are its limits, however wide', () => {
  expect(gather([...from1, toN, sum(), ...term])).toEqual(['\\sumak', '_k=1', '^n']);
});

test('signs of the line, its indices, and exponents beside it are none', () => {
  const index = sign('i', 200, 200, [20, 30]);
  const power = sign('2', 330, 60, [20, 30]);
  expect(gather([sum(), index, ...term, power])).toEqual(['\\sumiak2']);
});

test('the index of the next letter is not added to the limits that it touches', () => {
  const index = sign('m', 232, 222, [90, 28]);
  const narrow = sign('\\sum', 115, 100, [60, 110]);
  expect(gather([...from1, narrow, sign('c', 205, 150), index])[1]).toBe('_k=1');
});

test('with limits, what may be an operator is one', () => {
  const mostlyE: [string, number][] = [
    ['E', -0.4],
    ['\\sum', -1.4],
  ];
  expect(gather([sum(mostlyE), ...from1])).toEqual(['\\sum', '_k=1', '^']);
  expect(gather([sum(mostlyE), ...term])).toEqual(['Eak']);
});

test('what is far below, or begins beside the operator, is no limit', () => {
  const far = [sum(), sign('k', 120, 275, [28, 30]), ...term];
  expect(gather(far)).toEqual(['\\sumkak']);
  const beside = [sum(), sign('k', 170, 180, [28, 60]), ...term];
  expect(gather(beside)).toEqual(['\\sumkak']);
});

test('letters have none', () => {
  expect(gather([sign('x', 100, 100), sign('2', 100, 150)])).toEqual(['x2']);
});
