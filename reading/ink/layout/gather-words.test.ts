import { expect, test } from 'vitest';
import type { Box } from '../../box.ts';
import { gatherWords } from './gather-words.ts';

const size = 20;
/** A letter at each of these places, px. */
const lettersAt = (...places: number[]) =>
  places.map((left) => ({ left, top: 100, right: left + 14, bottom: 120, pixels: 90 }));
const word: Box = { left: 0, top: 95, right: 80, bottom: 125 };

/** Right edge of the last piece that is kept. */
const reached = (...args: Parameters<typeof gatherWords>) =>
  Math.max(...gatherWords(...args).map(({ right }) => right));

test('what follows a detected word sign by sign is writing, however far it goes', () => {
  expect(reached(lettersAt(5, 30, 55, 120, 165, 210, 255, 300, 345), [word], size)).toBe(359);
});

test('what is far from everything is none', () => {
  expect(reached(lettersAt(5, 30, 55, 400), [word], size)).toBe(69);
});

test('what stands beside a fraction is writing, though no text was detected there', () => {
  const fraction: Box = { left: 400, top: 80, right: 480, bottom: 140 };
  const beside = lettersAt(5, 30, 55, 370);
  expect(reached(beside, [word], size)).toBe(69);
  expect(reached(beside, [word], size, false, [fraction])).toBe(384);
});
