/** How much ink a sign is, however sharp the print and wherever its edge is taken to be. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { measureInk } from './measure-ink.ts';
import { enlargePart, findPieces } from './pieces.ts';

const side = 120;

/** Ink of a stroke beside another, in square pixels. */
async function inkOf(width: number, blur: number, threshold: number): Promise<number> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="100%" height="100%" fill="#fff"/><rect x="40" y="30" width="${width}" height="40" fill="#000"/><rect x="${70 + width}" y="20" width="8" height="60" fill="#000"/></svg>`;
  const { data } = await sharp(Buffer.from(svg))
    .greyscale()
    .blur(blur)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grey = { width: side, height: side, channels: 1 as const, data: Uint8Array.from(data) };
  const plane = enlargePart(grey, { left: 0, top: 0, right: side, bottom: side }, 24);
  const sheet = findPieces(plane, [], threshold);
  const stroke = sheet.pieces.toSorted((a, b) => a.left - b.left)[0]!;
  return measureInk(sheet, [stroke])[0]! / sheet.scale ** 2;
}

test('blur and the threshold hardly change it, twice as wide a stroke does', async () => {
  const sharpest = await inkOf(3, 0.4, 0.4);
  for (const [blur, threshold] of [
    [1.2, 0.4],
    [1.2, 0.3],
    [0.8, 0.53],
  ] as const)
    expect(Math.abs((await inkOf(3, blur, threshold)) / sharpest - 1)).toBeLessThan(0.1);
  expect((await inkOf(6, 0.8, 0.4)) / sharpest).toBeGreaterThan(1.8);
});
