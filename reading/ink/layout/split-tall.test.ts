import { expect, test } from 'vitest';
import type { Bitmap } from '../../page.ts';
import { splitTall } from './split-tall.ts';

/** Rows of ink, by their first and last pixel, on a page of 100 × 200. */
function pageOf(...rows: [number, number][]): Bitmap {
  const data = new Uint8Array(100 * 200).fill(255);
  for (const [from, to] of rows) data.fill(0, from * 100, (to + 1) * 100);
  return { width: 100, height: 200, channels: 1, data };
}

test('a box as high as three lines is cut where there is least ink', () => {
  const page = pageOf([20, 36], [42, 55], [63, 78]);
  const lines = splitTall(page, [0.1, 0.1, 0.5, 0.3], 0.1);
  expect(lines.map(([, top, , tall]) => [Math.round(top * 200), Math.round((top + tall) * 200)])).toEqual([
    [20, 40],
    [40, 60],
    [60, 80],
  ]);
  expect(lines.every(([left, , wide]) => left === 0.1 && wide === 0.5)).toBe(true);
});

test('uneven lines are cut between them all the same', () => {
  const [first, second] = splitTall(pageOf([20, 45], [52, 60]), [0.1, 0.1, 0.5, 0.2], 0.1);
  const end = (first![1] + first![3]) * 200;
  expect(end).toBeGreaterThan(45);
  expect(end).toBeLessThanOrEqual(52);
  expect(second![1]).toBeCloseTo(first![1] + first![3]);
});

test('a single line stays whole, and a drawing too', () => {
  expect(splitTall(pageOf([20, 40]), [0.1, 0.1, 0.5, 0.12], 0.1)).toEqual([]);
  expect(splitTall(pageOf([20, 40]), [0.1, 0.1, 0.5, 0.8], 0.1)).toEqual([]);
});
