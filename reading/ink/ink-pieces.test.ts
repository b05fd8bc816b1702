import { expect, test } from 'vitest';
import { findInkPieces } from './ink-pieces.ts';

test('pieces touch at their corners too, and are numbered from the top', () => {
  const rows = ['..#....#', '.#.....#', '#...##..', '........', '######..'];
  const ink = rows.join('');
  const { labels, pieces } = findInkPieces(8, rows.length, (at) => ink[at] === '#');
  expect(pieces).toEqual([
    { label: 1, left: 0, top: 0, right: 3, bottom: 3, pixels: 3 },
    { label: 2, left: 7, top: 0, right: 8, bottom: 2, pixels: 2 },
    { label: 3, left: 4, top: 2, right: 6, bottom: 3, pixels: 2 },
    { label: 4, left: 0, top: 4, right: 6, bottom: 5, pixels: 6 },
  ]);
  expect([...labels].map((label) => (label === 0 ? '.' : String(label))).join('')).toBe(
    ['..1....2', '.1.....2', '1...33..', '........', '444444..'].join(''),
  );
});
