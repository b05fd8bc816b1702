import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { framePixels, lineHeight, toLinePicture } from './line-picture.ts';

/** Written by `normalise(fit_height(crop))` of training/drawing/render.py for crops that `draw` makes, too. */
const pictures = JSON.parse(
  readFileSync(new URL('../testing/line-pictures.json', import.meta.url), 'utf8'),
) as { width: number; height: number; fitted: number; every: number; levels: number[] }[];

function draw(width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isInk = (Math.floor((x * height) / width) + y) % height < Math.floor(height / 8);
      data[y * width + x] = 225 - ((x * 7 + y * 13) % 30) - (isInk ? 170 : 0);
    }
  return data;
}

test.each(pictures)('a crop of $width × $height becomes what the model was trained on', (picture) => {
  const { width, height, fitted, every, levels } = picture;
  const line = toLinePicture({ width, height, channels: 1, data: draw(width, height) });
  expect(line.width).toBe(fitted);
  expect(line.width % framePixels).toBe(0);
  expect(line.ink).toHaveLength(fitted * lineHeight);
  const far = levels.filter((level, at) => Math.abs(line.ink[at * every]! * 255 - level) > 3);
  expect(far).toEqual([]);
});

test('a crop of paper alone, and one of a single pixel, are pictures too', () => {
  expect(toLinePicture({ width: 1, height: 1, channels: 1, data: new Uint8Array([9]) }).width).toBe(64);
  const paper = toLinePicture({ width: 50, height: 20, channels: 1, data: new Uint8Array(1000).fill(240) });
  expect(paper.ink.every((level) => level === 0)).toBe(true);
});
