import { expect, test } from 'vitest';
import { findBroken } from './broken-lines.ts';
import type { InkLine } from './read-lines.ts';

/** A formula from a box 0.03 high, at a place on the page and so wide. */
const at = (left: number, top: number, wide: number, signs: string) =>
  ({
    tokens: ['\\(', ...signs, '\\)'].map((token) => ({ token, probability: 0.9 })),
    box: [left, top, wide, 0.03],
  }) as unknown as InkLine;

test('steps broken after their relation signs go on in the other column, each in its row', () => {
  const left = [at(0.1, 0.1, 0.2, '3x<'), at(0.1, 0.15, 0.2, '3x<'), at(0.1, 0.2, 0.2, 'x=3')];
  const right = [at(0.4, 0.1, 0.1, '7+2'), at(0.4, 0.151, 0.1, '9'), at(0.4, 0.2, 0.1, 'y=2')];
  const broken = findBroken([...left, ...right]);
  expect(broken.map(({ left, right }) => [left, right])).toEqual([
    [left[0], right[0]],
    [left[1], right[1]],
  ]);
  expect(broken[0]!.box.map((share) => share.toFixed(2))).toEqual(['0.10', '0.10', '0.40', '0.03']);
});

test('what is in another row or far away does not go on a line', () => {
  const step = at(0.1, 0.1, 0.2, 'x=');
  expect(findBroken([step, at(0.4, 0.15, 0.1, '9'), at(0.7, 0.1, 0.1, '9')])).toEqual([]);
});

test('a note in the margin does not go on in the text', () => {
  expect(findBroken([{ ...at(0.02, 0.1, 0.1, 'x='), isNote: true }, at(0.2, 0.1, 0.1, '9')])).toEqual([]);
});
