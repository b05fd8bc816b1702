/** What belongs to a display though Tesseract found nothing there. */
import { expect, test } from 'vitest';
import type { Box } from '../../box.ts';
import { displayCutter } from './cut-display.ts';

const xHeight = 20;
const column = { left: 20, right: 780 };

/** How many pieces of ink are in a display around `found`. */
function pieces(ink: readonly Box[], found: Box, others: readonly Box[] = []): number {
  const [width, height] = [800, 400];
  const data = new Uint8Array(width * height).fill(255);
  for (const { left, top, right, bottom } of ink)
    for (let y = top; y < bottom; y++) data.fill(0, y * width + left, y * width + right);
  const grey = { width, height, channels: 1 as const, data };
  return displayCutter(grey, { box: found, column, lines: [] }, xHeight, others)().pieces.length;
}
const letter = (left: number, top: number): Box => ({ left, top, right: left + 18, bottom: top + 20 });

test('a display goes on beside a sign at its edge, to the edge of its column', () => {
  const found = { left: 300, top: 150, right: 500, bottom: 250 };
  const inside = [letter(310, 190), letter(400, 190)];
  expect(pieces([...inside, letter(250, 190), letter(200, 190)], found)).toBe(4);
  // with room around what was found, it is all of it
  expect(pieces([letter(400, 190), letter(200, 190)], found)).toBe(1);
});

test('a bracket that goes on above a display is whole, unless a line of prose is there', () => {
  const found = { left: 300, top: 150, right: 500, bottom: 250 };
  const bracket = { left: 390, top: 100, right: 396, bottom: 240 };
  const upper = letter(410, 102);
  expect(pieces([bracket, letter(410, 190), upper], found)).toBe(3);
  const prose = { left: 20, top: 95, right: 780, bottom: 125 };
  expect(pieces([bracket, letter(410, 190), upper], found, [prose])).toBe(2);
});
