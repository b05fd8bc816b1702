/** Rows of a matrix, which look like those of a table. */
import { expect, test } from 'vitest';
import { standInBracket } from './find-brackets.ts';

const [width, height] = [300, 200];
const rows = { left: 120, right: 180, top: 60, bottom: 140 };

/** Whether the rows stand in a bracket where a stroke is drawn, `wide` pixels wide, from `top` to `bottom`. */
function isMatrix(left: number, wide: number, top: number, bottom: number): boolean {
  const data = new Uint8Array(width * height).fill(255);
  for (const row of [60, 90, 120])
    for (let y = row; y < row + 20; y++)
      for (const x of [120, 170]) data.fill(0, y * width + x, y * width + x + 8);
  for (let y = top; y < bottom; y++) data.fill(0, y * width + left, y * width + left + wide);
  return standInBracket({ width, height, channels: 1, data }, rows, 22);
}

test('rows behind a bracket as high as they are no table', () => {
  expect(isMatrix(104, 4, 54, 146)).toBe(true);
  // a letter of the text before them, and nothing
  expect(isMatrix(104, 4, 90, 112)).toBe(false);
  expect(isMatrix(20, 4, 54, 146)).toBe(false);
});
