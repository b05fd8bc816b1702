import { expect, test } from 'vitest';
import { guessesOf, guessesOfSeen, shapeOf } from './guess-tokens.ts';
import type { LineEvidence } from './seen-signs.ts';
import type { ShapeModel } from './shape-model.ts';

const model: ShapeModel = {
  shapes: [['x', '\\times'], ['2'], ['z'], ['y'], ['-'], []],
  boxes: { x: [0, 0.5], '\\times': [0.1, 0.6], 2: [0, 0.8], z: [0, 0.5], y: [-0.3, 0.5], '-': [0.35, 0.35] },
  name: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};
const tokens = ['<blank>', 'x', '\\times', '2', 'z', 'y', '-'];
const sign = { left: 40, right: 60, top: 20, bottom: 60 };
const shapes = (...shares: number[]) => Float32Array.from(shares, (share) => Math.log(share));

/** The line model is sure of a token in one of ten frames of ten pixels. */
function looking(token: string, frame: number): LineEvidence {
  const values = new Float32Array(10 * tokens.length).fill(Math.log(1e-4));
  values[frame * tokens.length + tokens.indexOf(token)] = Math.log(0.99);
  return {
    read: { tokens: [], share: 1, score: 0, fluency: 0 },
    looks: [{ frames: 10, values }],
    width: 100,
    tokens,
  };
}
const likeliest = (guesses: ReturnType<typeof guessesOf>) =>
  guesses.reduce((a, b) => (b.log > a.log ? b : a)).token;

test('of what is drawn alike, the line model says which, from shortly before the sign on', () => {
  const drawn = shapes(0.96, 0.01, 0.01, 0.01, 0.005, 0.005);
  expect(likeliest(guessesOf(sign, drawn, model, looking('x', 3)))).toBe('x');
  expect(likeliest(guessesOf(sign, drawn, model, looking('\\times', 3)))).toBe('\\times');
  const elsewhere = guessesOf(sign, drawn, model, looking('\\times', 8));
  expect(new Set(elsewhere.map(({ log }) => log)).size).toBe(1);
});

test('what only its neighbours tell apart counts together, and its shape a little', () => {
  const drawn = shapes(0.01, 0.6, 0.36, 0.01, 0.01, 0.01);
  expect(Math.exp(shapeOf('z', drawn, model))).toBeCloseTo(0.96);
  expect(Math.exp(shapeOf('x', drawn, model))).toBeCloseTo(0.01);
  const guesses = guessesOf(sign, drawn, model, looking('y', 0));
  expect(likeliest(guesses)).toBe('2');
  const [two, z] = ['2', 'z'].map((token) => guesses.find((guess) => guess.token === token)!);
  expect(two!.log - z!.log).toBeLessThan(Math.log(0.6 / 0.36));
});

test('a letter drawn like its capital is the small one, unless the line model says otherwise', () => {
  const letters = {
    ...model,
    shapes: [['w', 'W'], ...model.shapes.slice(1)],
    boxes: { ...model.boxes, w: [0, 0.5], W: [0, 0.8] },
  } as ShapeModel;
  const evidence = (token: string) => ({
    ...looking(token, 3),
    tokens: ['<blank>', 'w', 'W', ...tokens.slice(3)],
  });
  const drawn = shapes(0.96, 0.01, 0.01, 0.01, 0.005, 0.005);
  expect(likeliest(guessesOf(sign, drawn, letters, evidence('y')))).toBe('w');
  expect(likeliest(guessesOf(sign, drawn, letters, evidence('\\times')))).toBe('W');
});

test('a sign’s height shows the size of the writing, unless it stands in the middle of its line', () => {
  const guesses = guessesOf(sign, shapes(0.4, 0.1, 0.1, 0.3, 0.05, 0.05), model, looking('x', 3));
  const of = (token: string) => guesses.find((guess) => guess.token === token)!;
  expect(of('x')).toMatchObject({ em: 80, base: 60 });
  expect(of('y').em).toBeCloseTo(50);
  expect(of('y').base).toBeCloseTo(45);
  expect(of('\\times')).toMatchObject({ em: null, base: 40 });
});

test('a part of a piece is what the line model named', () => {
  const line = looking('z', 3);
  const row = line.looks[0]!.values.subarray(3 * tokens.length, 4 * tokens.length);
  const [first] = guessesOfSeen(sign, { token: 'z', x: 35, probability: 0.99, row, path: '' }, model, line);
  expect(first).toMatchObject({ token: 'z', em: 80 });
});
