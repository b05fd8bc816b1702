import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findBullets } from './find-bullets.ts';
import type { Line } from './printed-page.ts';

/** A line of 30 pixels from y = 20, whose words begin at x = 100, with a drawing before it. */
async function wordsBehind(drawing: string): Promise<string[]> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="70"><rect width="400" height="70" fill="#fff"/>${drawing}<rect x="100" y="28" width="200" height="14"/></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const box = { left: 100, top: 20, right: 300, bottom: 50 };
  const word = { ...box, text: 'wish', confidence: 95 };
  const line: Line = { ...box, words: [word], size: 30, paragraph: 1, area: 1 };
  const [found] = findBullets({ ...info, channels: 1, data: Uint8Array.from(data) }, [line]);
  return found!.words.map(({ text }) => text);
}

test.each([
  ['a disc', '<circle cx="75" cy="36" r="5"/>'],
  ['a square', '<rect x="70" y="31" width="9" height="9"/>'],
  ['a disc between the grid’s points', '<circle cx="75.5" cy="36.5" r="4.6"/>'],
])('%s before a line is its bullet', async (_, drawing) => {
  expect(await wordsBehind(drawing)).toEqual(['•', 'wish']);
});

test.each([
  ['nothing', ''],
  ['a ring', '<circle cx="75" cy="36" r="5" fill="none" stroke="#000" stroke-width="1"/>'],
  ['a dash', '<rect x="65" y="34" width="16" height="3"/>'],
  ['a full stop', '<circle cx="75" cy="46" r="3"/>'],
  ['a large disc', '<circle cx="70" cy="36" r="12"/>'],
  ['a disc behind other ink', '<circle cx="75" cy="36" r="5"/><rect x="45" y="28" width="10" height="14"/>'],
  ['a disc far away', '<circle cx="15" cy="36" r="5"/>'],
])('%s before a line is none', async (_, drawing) => {
  expect(await wordsBehind(drawing)).toEqual(['wish']);
});
