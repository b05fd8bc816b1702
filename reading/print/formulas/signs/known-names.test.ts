/** What is read again, and what is known. */
import { expect, test } from 'vitest';
import { displayCutter } from '../cut-display.ts';
import { nameAll } from './shapes.ts';
import type { Guess, SignModel } from './sign-model.ts';

test('with another threshold, only ink that breaks or joins is named again', async () => {
  const [width, height] = [200, 60];
  const data = new Uint8Array(width * height).fill(255);
  const paint = (left: number, right: number, level: number) => {
    for (let y = 20; y < 40; y++) data.fill(level, y * width + left, y * width + right);
  };
  paint(60, 72, 0);
  // two letters that touch in pale ink
  paint(110, 120, 0);
  paint(120, 124, 150);
  paint(124, 134, 0);
  const named: number[] = [];
  const guesses: Guess[] = [{ sign: { face: 'letters', text: 'x', index: 0 }, probability: 1 }];
  const model: SignModel = {
    typefaces: [],
    find: () => guesses[0]!.sign,
    name: async (cuts) => {
      named.push(...cuts.map((one) => one.width));
      return cuts.map(() => guesses);
    },
    close: async () => {},
  };
  const box = { left: 0, top: 0, right: width, bottom: height };
  const cut = displayCutter({ width, height, channels: 1, data }, { box, column: box, lines: [] }, 20, []);
  for (const threshold of [0.1, 0.1, 0.6]) {
    const sheet = cut(threshold);
    await nameAll(
      sheet,
      sheet.pieces.map((piece) => [piece]),
      model,
    );
  }
  const wide = named.map((one) => Math.round(one / 6));
  expect(wide).toEqual([2, 4, 2, 2]);
});
