/** Signs that print broke or joined, drawn, by the weights that are shipped. */
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutSheet } from './pieces.ts';
import { readSigns } from './read-signs.ts';
import { openSignModel, type SignModel } from './sign-model.ts';

let model: SignModel;
beforeAll(async () => {
  model = await openSignModel(path.resolve('reading/models/print-signs.onnx'));
});
afterAll(() => model.close());

/** The signs of a drawing from left to right, and the number of its rules. */
async function read(drawing: string, xHeight: number): Promise<[signs: string, rules: number]> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="#fff"/>${drawing}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .greyscale()
    .blur(1)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const page = { width: info.width, height: info.height, channels: 1 as const, data: Uint8Array.from(data) };
  const { signs, rules } = await readSigns(
    cutSheet(page, { left: 0, top: 0, right: 200, bottom: 200 }, xHeight),
    model,
  );
  const texts = signs.sort((a, b) => a.left - b.left).map(({ guesses }) => guesses[0]!.sign.text);
  return [texts.join(' '), rules.length];
}
const stroke = (d: string, width: number) =>
  `<path d="${d}" fill="none" stroke="#000" stroke-width="${width}"/>`;

test('an integral whose ball broke off is one sign', async () => {
  const curve = stroke('M128 38 C122 22 112 30 108 60 L92 150 C88 172 82 180 74 172', 6);
  const ball = '<circle cx="66" cy="164" r="6"/><circle cx="132" cy="44" r="6"/>';
  expect(await read(curve + ball, 30)).toEqual(['∫', 0]);
});

test('a radical sign broken above its foot is one, and its index is apart', async () => {
  const foot = stroke('M62 118 L70 112 L84 146', 6);
  const rest = stroke('M92 132 L112 62 H170', 4);
  expect(await read(foot + rest, 34)).toEqual(['√', 1]);
});

test('a fraction’s bar that a sign below it touches is a rule', async () => {
  const letter = (x: number, y: number, text: string) =>
    `<text x="${x}" y="${y}" font-size="44" font-family="TeX Gyre Pagella" font-style="italic">${text}</text>`;
  const bar = '<rect x="40" y="92" width="130" height="4"/>';
  expect(await read(`${letter(84, 78, 'a')}${bar}${letter(84, 123, 'b')}`, 20)).toEqual(['a b', 1]);
});
