import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findInkLines } from '../layout/find-ink-lines.ts';
import { findFrames } from './find-frames.ts';

const [width, height] = [710, 1000];

async function draw(svg: string) {
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${svg}</svg>`;
  const { data } = await sharp(Buffer.from(page))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, channels: 1 as const, data };
}
const frame = (x: number, y: number, wide: number, tall: number, fill = 'none') =>
  `<rect x="${x}" y="${y}" width="${wide}" height="${tall}" stroke="#000" stroke-width="2" fill="${fill}"/>`;
const write = (text: string, x: number, y: number, size = 24) =>
  `<text x="${x}" y="${y}" font-family="Liberation Serif" font-style="italic" font-size="${size}">${text}</text>`;

/** A field with a row of cells above it and marks beside it. */
const field = (y: number) =>
  frame(70, y, 570, 270) +
  frame(70, y, 570, 18) +
  [100, 185, 272, 358, 445, 530, 615]
    .map((x) => `<path d="M${x} ${y}v18" stroke="#000" stroke-width="2"/>`)
    .join('') +
  [y + 2, y + 255].map((at) => frame(45, at, 15, 8, '#ccc') + frame(652, at, 15, 8, '#ccc')).join('');
const form = [40, 350, 660].map(field).join('');
const answers = [40, 350, 660]
  .map((y) => write('2x + 5 = 15', 150, y + 80) + write('x = 5', 150, y + 150))
  .join('');

const marked = async (svg: string) => {
  const { data } = await draw(svg);
  const frames = findFrames(data.map((level) => (level < 160 ? 1 : 0)) as Uint8Array, width, height);
  return frames?.filter(Boolean).length ?? 0;
};

test.each([
  ['as it is scanned', ''],
  ['slanting a little', 'skewY(2)'],
])('of a form, only what is written in its fields makes lines: %s', async (_, transform) => {
  const lines = findInkLines(await draw(`<g transform="${transform}">${form}${answers}</g>`), true);
  expect(lines).toHaveLength(6);
  for (const [left, , wide, tall] of lines) {
    expect(left * width).toBeGreaterThan(140);
    expect(wide * width).toBeLessThan(150);
    expect(tall * height).toBeLessThan(40);
  }
});

test('a field that writing touches is left as it is', async () => {
  const plain = await marked(form);
  expect(plain).toBeGreaterThan(3_000);
  expect(
    await marked(
      `${form}<path d="M300 58q30 20 40 60t-60 30q-60 -10 -10 -40t60 -20" stroke="#000" stroke-width="3" fill="none"/>`,
    ),
  ).toBeLessThan(plain - 1_000);
});

test.each([
  [
    'round letters and words',
    ['OOO000DDD', 'ooo QQQ 888', 'BBB aaa'].map((text, at) => write(text, 100, 200 + 80 * at, 60)).join(''),
  ],
  ['the emblem of a notebook', frame(600, 950, 40, 18, '#000') + answers],
  [
    'ruled paper',
    Array.from(
      { length: 30 },
      (_, at) => `<path d="M20 ${60 + 30 * at}L690 ${64 + 30 * at}" stroke="#000" stroke-width="4"/>`,
    ).join(''),
  ],
  [
    'squared paper',
    Array.from(
      { length: 40 },
      (_, at) => `<path d="M20 ${60 + 17 * at}H700M${20 + 17 * at} 60V723" stroke="#000" stroke-width="2"/>`,
    ).join(''),
  ],
  ['drawn rectangles', [0, 1, 2].map((at) => frame(100 + 180 * at, 300, 120, 160)).join('')],
])('%s have no frames', async (_, svg) => {
  expect(await marked(svg)).toBe(0);
});
