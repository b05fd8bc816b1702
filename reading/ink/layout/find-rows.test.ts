import { expect, test } from 'vitest';
import { joinBeside, type Piece } from './find-rows.ts';

const row = (left: number, top: number, right: number, bottom: number): Piece => ({
  left,
  top,
  right,
  bottom,
  pixels: 100,
});

test('rows beside each other and partly level are one line, whatever region they were found in', () => {
  const base = row(0, 40, 60, 80);
  const exponent = row(66, 30, 120, 50);
  const [first, second] = joinBeside([[base], [exponent]], 20);
  expect(first).toMatchObject([{ left: 0, top: 30, right: 120, bottom: 80, pixels: 200 }]);
  expect(second).toEqual([]);
});

test('rows a gutter apart, above each other, or not level stay apart', () => {
  const line = row(0, 40, 60, 80);
  for (const other of [
    row(100, 40, 200, 80),
    row(10, 68, 70, 110),
    row(66, 84, 120, 110),
    row(66, 10, 120, 42),
  ])
    expect(joinBeside([[{ ...line }, other]], 20)[0]).toHaveLength(2);
});
