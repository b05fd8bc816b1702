import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findInkLines } from './find-ink-lines.ts';
import { levelPage, measureSlope, type SeenText } from './level-page.ts';

const [width, height] = [1000, 1400];
const middles = [250, 330, 410, 960, 1040, 1120];
/** Pixels down per pixel to the right: a page photographed from the side. */
const slopeAt = (y: number) => 0.09 - (0.13 * y) / height;

const seen = middles.map(
  (y): SeenText => ({
    box: [0.12, y / height - 0.03, 0.76, 0.06],
    slope: slopeAt(y),
  }),
);

async function drawSlanting() {
  const lines = middles
    .map((y) => {
      const degrees = (Math.atan(slopeAt(y)) * 180) / Math.PI;
      return `<text x="120" y="${y + 10}" transform="rotate(${degrees} 500 ${y})" textLength="760" font-family="Liberation Serif" font-size="30">here is a line that slants from one side to the other</text>`;
    })
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${lines}</svg>`;
  const data = await sharp(Buffer.from(svg)).toColourspace('b-w').raw().toBuffer();
  return { width, height, channels: 1 as const, data: new Uint8Array(data) };
}

test('lines that slant one way above and the other below are level, one under the other', async () => {
  const page = await drawSlanting();
  const slope = measureSlope(seen)!;
  const { bitmap, toPage } = levelPage(page, slope);
  const boxes = findInkLines(bitmap, true);
  expect(boxes).toHaveLength(6);
  for (const [at, [, top, , tall]] of boxes.entries()) {
    expect(Math.abs((top + tall / 2) * height - middles[at]!)).toBeLessThan(8);
    expect(tall * height).toBeLessThan(40);
  }
  // on the page as it was, the first line reaches from far above its middle to far below
  const [left, top, wide, tall] = toPage(boxes[0]!);
  const rise = slopeAt(middles[0]!) * 0.76 * width;
  expect(tall * height).toBeGreaterThan(rise);
  expect(Math.abs((top + tall / 2) * height - middles[0]!)).toBeLessThan(8);
  expect([left, wide]).toEqual([boxes[0]![0], boxes[0]![2]]);
});

test('a level page, one with hardly any text and one whose words go every way stay as they are', () => {
  const level = seen.map((text) => ({ ...text, slope: 0.004 }));
  expect(measureSlope(level)).toBeNull();
  expect(measureSlope(seen.slice(0, 2))).toBeNull();
  const words = seen.map((text, at) => ({ ...text, slope: at % 2 ? 0.06 : -0.06 }));
  expect(measureSlope(words)).toBeNull();
});

test('one crooked word does not bend the page', () => {
  const slope = measureSlope([...seen, { box: [0.3, 0.5, 0.1, 0.05], slope: 0.5 }])!;
  expect(slope.middle).toBeCloseTo(slopeAt(height / 2), 2);
  expect(slope.down).toBeCloseTo(-0.13, 1);
});
