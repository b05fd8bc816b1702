/** Displays that are read with doubt. */
import { expect, test } from 'vitest';
import { surest } from './read-again.ts';

/** How sure the reading is that is kept, and how often a display was read again: `first`, then the others in order. */
async function read(first: number, ...others: number[]): Promise<[kept: number, again: number]> {
  const tried: number[] = [];
  const again = async (threshold: number) => others[tried.push(threshold) - 1] ?? 0;
  const kept = await surest(first, again, (sure) => sure);
  expect(new Set(tried).size).toBe(tried.length);
  return [kept, tried.length];
}

test('a display read with doubt is read again, until it is sure; the surest reading is kept', async () => {
  expect(await read(0.3, 0.6, 0.2, 0.5, 0.1)).toEqual([0.6, 4]);
  expect(await read(0.3, 0.4, 0.75, 0.9)).toEqual([0.75, 2]);
  expect(await read(0.6)).toEqual([0.6, 4]);
});

test('one that is sure is read once', async () => {
  expect(await read(0.75, 0.9)).toEqual([0.75, 0]);
});
