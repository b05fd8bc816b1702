/** Which pieces of ink are one sign, with a model that takes a bar over a figure for a j. */
import { expect, test } from 'vitest';
import type { Box } from '../../../box.ts';
import { cutSheet } from './pieces.ts';
import { readSigns } from './read-signs.ts';
import type { Guess, SignModel } from './sign-model.ts';
import { tallGuesses } from './tall-signs.ts';

const xHeight = 20;

const sign = (text: string): Guess => ({
  sign: { face: 'roman', text, index: 0 },
  probability: 0.9,
});
/** Names what is taller than a figure a j, what is flat a minus, and anything else by its height. */
const model: SignModel = {
  typefaces: [],
  find: (face, text) => ({ face, text, index: 0 }),
  name: async (cuts) =>
    cuts.map(({ width, height }) => {
      if (height > 1.5 * xHeight) return [sign('j')];
      if (width > height && height > 0.3 * xHeight) return [sign('=')];
      return [sign(height < 0.3 * xHeight ? (width > 0.6 * xHeight ? '−' : '.') : '2')];
    }),
  close: async () => {},
};

/** Black boxes on white paper. */
async function read(boxes: readonly Box[], by = model): Promise<[signs: string, rules: number]> {
  const [width, height] = [120, 120];
  const data = new Uint8Array(width * height).fill(255);
  for (const { left, top, right, bottom } of boxes)
    for (let y = top; y < bottom; y++) data.fill(0, y * width + left, y * width + right);
  const all = { left: 0, top: 0, right: width, bottom: height };
  const found = await readSigns(cutSheet({ width, height, channels: 1, data }, all, xHeight), by);
  const texts = found.signs.sort((a, b) => a.top - b.top).map(({ guesses }) => guesses[0]!.sign.text);
  return [texts.join(' '), found.rules.length];
}

test('a stem with its dot is one sign, a fraction’s bar with what is below is two', async () => {
  const stem = { left: 50, top: 50, right: 56, bottom: 76 };
  expect(await read([{ left: 50, top: 38, right: 55, bottom: 43 }, stem])).toEqual(['j', 0]);
  const numerator = { left: 48, top: 16, right: 60, bottom: 36 };
  const bar = { left: 44, top: 44, right: 64, bottom: 47 };
  const denominator = { left: 48, top: 53, right: 60, bottom: 78 };
  expect(await read([numerator, bar, denominator])).toEqual(['2 2', 1]);
});

test('a fraction’s bar and a line over its denominator are no equals sign', async () => {
  const bar = { left: 40, top: 44, right: 66, bottom: 47 };
  const over = { left: 42, top: 51, right: 64, bottom: 54 };
  expect(await read([bar, over])).toEqual(['=', 0]);
  const numerator = { left: 48, top: 18, right: 58, bottom: 38 };
  const denominator = { left: 48, top: 57, right: 58, bottom: 77 };
  expect(await read([numerator, bar, over, denominator])).toEqual(['2 2', 2]);
});

test('a minus at the end of a numerator is none of its fraction’s bars', async () => {
  const letter = { left: 30, top: 18, right: 42, bottom: 38 };
  const minus = { left: 50, top: 27, right: 64, bottom: 30 };
  const bar = { left: 26, top: 40, right: 86, bottom: 43 };
  const denominator = { left: 50, top: 50, right: 62, bottom: 72 };
  expect(await read([letter, minus, bar, denominator])).toEqual(['2 − 2', 1]);
});

test('ink that hardly looks like a point is a speck', async () => {
  const unsure: SignModel = {
    ...model,
    name: async (cuts) => cuts.map(() => [{ ...sign('.'), probability: 0.02 }]),
  };
  const data = new Uint8Array(60 * 60).fill(255);
  for (let y = 20; y < 27; y++) data.fill(0, y * 60 + 20, y * 60 + 27);
  const all = { left: 0, top: 0, right: 60, bottom: 60 };
  const sheet = cutSheet({ width: 60, height: 60, channels: 1, data }, all, xHeight);
  expect((await readSigns(sheet, unsure)).signs).toMatchObject([{ isSpeck: true }]);
  expect((await readSigns(sheet, model)).signs).not.toMatchObject([{ isSpeck: true }]);
});

test('what is as tall as an integral and as narrow is not several signs, nor two integrals', () => {
  const guess = (text: string, probability: number): Guess => ({ ...sign(text), probability });
  const guesses = [guess('', 0.5), guess('∬', 0.2), guess('∫', 0.1)];
  const tall = { left: 0, top: 0, right: 34, bottom: 90 };
  expect(tallGuesses(guesses, tall)[0]!.sign.text).toBe('∫');
  expect(tallGuesses(guesses, { ...tall, right: 50 })[0]!.sign.text).toBe('∬');
});

test('a short blurred bar right over a letter is a line over it', async () => {
  const dim: SignModel = {
    ...model,
    name: async (cuts) =>
      cuts.map(({ height }) => [{ ...sign(height > 0.8 * xHeight ? '2' : '−'), probability: 0.3 }]),
  };
  const letter = { left: 40, top: 50, right: 60, bottom: 80 };
  expect(await read([{ left: 44, top: 43, right: 56, bottom: 48 }, letter], dim)).toEqual(['2', 1]);
  expect(await read([{ left: 44, top: 30, right: 56, bottom: 35 }, letter], dim)).toEqual(['− 2', 0]);
});

test('a stroke that broke off a letter is joined to it if both are certainly another one', async () => {
  const w = (together: number): SignModel => ({
    ...model,
    name: async (cuts) =>
      cuts.map(({ width }) => {
        if (width < 0.4 * xHeight)
          return [{ sign: { face: 'part', text: '', index: 0 }, probability: 0.9 }, sign('l')];
        return [width > 1.3 * xHeight ? { ...sign('w'), probability: together } : sign('u')];
      }),
  });
  const whole = { left: 30, top: 50, right: 50, bottom: 70 };
  const stroke = (gap: number) => ({ left: 50 + gap, top: 50, right: 54 + gap, bottom: 70 });
  expect(await read([whole, stroke(6)], w(0.97))).toEqual(['w', 0]);
  expect(await read([whole, stroke(6)], w(0.8))).toEqual(['u l', 0]);
  expect(await read([whole, stroke(9)], w(0.97))).toEqual(['u l', 0]);
  // three strokes, none of which is a sign
  const three = [whole.left, whole.left + 12, whole.left + 24].map((left) => ({
    ...whole,
    left,
    right: left + 4,
  }));
  expect(await read(three, w(0.97))).toEqual(['w', 0]);
});
