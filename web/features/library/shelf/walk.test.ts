import { expect, test } from 'vitest';
import { walk } from './walk.ts';

const box = (left: number, top: number, width = 90, height = 120) => ({ left, top, width, height });

/** Two wide folders above three columns of documents, with one document in the last row. */
const boxes = [box(0, 0, 140, 40), box(150, 0, 140, 40), box(0, 60), box(100, 60), box(200, 60), box(0, 200)];

test.each([
  [0, 'right', 1],
  [1, 'right', 2],
  [0, 'left', 0],
  [5, 'right', 5],
  [0, 'down', 2],
  [1, 'down', 4],
  [4, 'up', 1],
  [3, 'down', 5],
  [5, 'up', 2],
  [5, 'down', 5],
  [3, 'first', 0],
  [3, 'last', 5],
] as const)('from %i %s to %i', (from, direction, to) => {
  expect(walk(boxes, from, direction)).toBe(to);
});
