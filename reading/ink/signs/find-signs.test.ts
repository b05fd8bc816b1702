import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { LineCrop } from '../line/cut-line.ts';
import { findSigns } from './find-signs.ts';

async function draw(paths: string): Promise<LineCrop> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120"><rect width="400" height="120" fill="white"/><g fill="none" stroke="black" stroke-width="4">${paths}</g></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 1, data: new Uint8Array(data) };
}
const rows = { top: 0, bottom: 120 };
const x = (left: number) => `<path d="M${left} 40l40 40M${left + 40} 40l-40 40"/>`;
const equals = (left: number) => `<path d="M${left} 55h40M${left} 72h40"/>`;

test('pieces from left to right, and those that may be one sign', async () => {
  const { single, joined, size } = findSigns(await draw(x(20) + equals(100) + x(180)), 44, rows);
  expect(single.map(({ left }) => Math.round(left / 10))).toEqual([2, 10, 10, 18]);
  expect(joined).toHaveLength(1);
  expect(joined[0]!.pieces).toHaveLength(2);
  expect(joined[0]!.height).toBeGreaterThan(18);
  expect(size).toBeGreaterThan(35);
  expect(size).toBeLessThan(50);
});

test('dashes far above each other may be one sign, as far as a letter is high', async () => {
  const joinedAt = async (lower: number) => {
    const dashes = `<path d="M100 40h40M100 ${lower}h40"/>`;
    return findSigns(await draw(x(20) + dashes + x(180)), 44, rows).joined.length;
  };
  expect(await joinedAt(81)).toBe(1);
  expect(await joinedAt(100)).toBe(0);
});

test('three points in a row may be one sign', async () => {
  const points = (...at: number[]) => at.map((left) => `<path d="M${left} 75h5v5h-5z"/>`).join('');
  const dots = (found: Awaited<ReturnType<typeof findSigns>>) => found.joined.filter(({ isDots }) => isDots);
  const three = dots(
    findSigns(await draw(x(10) + x(60) + points(120, 150, 180) + x(220) + x(270) + x(320)), 44, rows),
  );
  expect(three).toHaveLength(1);
  expect([three[0]!.left, three[0]!.right].map((edge) => Math.round(edge / 10))).toEqual([12, 19]);
  expect(
    dots(findSigns(await draw(x(10) + x(60) + points(120, 150, 290) + x(220) + x(340)), 44, rows)),
  ).toEqual([]);
  const rings = [120, 150, 180].map((left) => `<circle cx="${left}" cy="76" r="5"/>`).join('');
  expect(
    dots(findSigns(await draw(x(10) + x(60) + rings + x(220) + x(270) + x(320)), 44, rows)),
  ).toHaveLength(1);
  expect(dots(findSigns(await draw(x(20) + equals(100) + x(180)), 44, rows))).toEqual([]);
});

test('a point is a sign, dust is none', async () => {
  const { single } = findSigns(
    await draw(`${x(20)}<path d="M80 78h5v5h-5z"/><path d="M120 78h1" stroke-width="1"/>`),
    44,
    rows,
  );
  expect(single).toHaveLength(2);
});

test('ink of the line above is not the line’s', async () => {
  const crop = await draw(`${x(20)}<path d="M100 2h60"/>`);
  expect(findSigns(crop, 44, { top: 12, bottom: 108 }).single).toHaveLength(1);
});

test('small remains of what was painted over are left out', async () => {
  const crop = await draw(`${x(20)}<path d="M100 60h8"/>`);
  const painted = new Uint8Array(crop.data.length);
  for (let y = 50; y < 70; y++) painted.fill(1, y * crop.width + 109, y * crop.width + 200);
  expect(findSigns(crop, 44, rows).single).toHaveLength(2);
  expect(findSigns({ ...crop, painted }, 44, rows).single).toHaveLength(1);
});

test('paper without ink has no signs', async () => {
  expect(findSigns(await draw(''), 44, rows).single).toEqual([]);
});
