import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Bitmap } from '../../page.ts';
import { layOnPaper, measureLetters } from './lay-on-paper.ts';

/** Text of a size on paper of a size, px. */
async function write(width: number, height: number, size: number, lines: readonly string[]): Promise<Bitmap> {
  const text = lines
    .map(
      (line, at) =>
        `<text x="${0.5 * size}" y="${(1.2 + 1.6 * at) * size}" font-family="Liberation Serif" font-size="${size}">${line}</text>`,
    )
    .join('');
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f4f2ee"/>${text}</svg>`;
  const { data } = await sharp(Buffer.from(page))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, channels: 1, data };
}
const laid = async (picture: Bitmap) => layOnPaper(picture, measureLetters(picture));

test.each([
  ['a page', [1700, 2400, 60, Array(20).fill('some words of a line that are read')]],
  ['a slide', [1920, 1080, 60, ['A title and what it says', 'with a second line', 'and a third']]],
  ['an empty picture', [800, 400, 10, []]],
] as const)('%s stays as it is', async (_, [width, height, size, lines]) => {
  expect(await laid(await write(width, height, size, lines))).toBeNull();
});

test.each([
  ['two formulas seen from near', [1200, 900, 300, ['x + y', '= 9']]],
  ['a strip with one line', [1400, 240, 120, ['12 + 5x = 12x']]],
  ['a few pixels', [160, 60, 34, ['[0, 4)']]],
] as const)(
  '%s: letters as high as those of a page, and margins',
  async (_, [width, height, size, lines]) => {
    const { bitmap, toPicture } = (await laid(await write(width, height, size, lines)))!;
    expect(measureLetters(bitmap)).toBeGreaterThan(0.015);
    expect(measureLetters(bitmap)).toBeLessThan(0.04);
    const dark = [...bitmap.data.keys()].filter((at) => bitmap.data[at]! < 100);
    const columns = dark.map((at) => at % bitmap.width);
    const rows = dark.map((at) => Math.floor(at / bitmap.width));
    const [left, right] = [Math.min(...new Set(columns)), Math.max(...new Set(columns))];
    const [top, bottom] = [Math.min(...new Set(rows)), Math.max(...new Set(rows))];
    expect(left).toBeGreaterThan(0.04 * bitmap.width);
    // where it is on the sheet is where it was on the picture
    const [x, y, wide, tall] = toPicture([
      left / bitmap.width,
      top / bitmap.height,
      (right - left) / bitmap.width,
      (bottom - top) / bitmap.height,
    ]);
    expect(x * width).toBeCloseTo(0.5 * size + 0.05 * size, -1.6);
    expect(y * height).toBeGreaterThan(0.3 * size);
    expect(y * height).toBeLessThan(0.8 * size);
    expect((x + wide) * width).toBeLessThan(width);
    expect((y + tall) * height).toBeLessThan((1.6 + 1.6 * (lines.length - 1)) * size);
  },
);

test('what reaches beyond the picture ends at its edge', async () => {
  const { toPicture } = (await laid(await write(1400, 240, 120, ['12 + 5x = 12x'])))!;
  expect(toPicture([0, 0, 1, 1])).toEqual([0, 0, 1, 1]);
});
