import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findNames, type ScoredSign } from './find-names.ts';
import type { Match } from './match-signs.ts';
import type { LineEvidence } from './seen-signs.ts';
import type { ShapeModel } from './shape-model.ts';

const { shapes, boxes } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../models/written-signs.json'), 'utf8'),
) as Pick<ShapeModel, 'shapes' | 'boxes'>;
const model: ShapeModel = { shapes, boxes, name: () => Promise.resolve([]), close: () => Promise.resolve() };
const tokens = ['<blank>', ...shapes.flat(), '\\cos', '\\lim', '\\log'];

/** A letter 40 px wide on a baseline at 100, in writing of an em of 80: its shape's likeliest names. */
function letter(shares: Record<string, number>, left: number, base = 100, em = 80): ScoredSign {
  const [first] = Object.keys(shares);
  const [low, high] = model.boxes[first!]!;
  const [top, bottom] = [base - high * em, base - low * em];
  const size = { width: 40, height: Math.round(bottom - top) };
  const shareOf = (alike: readonly string[]) => Math.max(1e-3, ...alike.map((one) => shares[one] ?? 0));
  const scores = Float32Array.from(shapes, (alike) => Math.log(shareOf(alike)));
  return {
    sign: {
      left,
      right: left + 40,
      top,
      bottom,
      ink: new Float32Array(size.width * size.height),
      ...size,
      pieces: [left],
    },
    scores,
  };
}

/** Twenty frames of 20 px; the line model is sure of a token in one of them. */
function evidence(...seen: [string, number][]): LineEvidence {
  const values = new Float32Array(20 * tokens.length).fill(Math.log(1e-4));
  for (const [token, x] of seen) values[Math.floor(x / 20) * tokens.length + tokens.indexOf(token)] = -0.05;
  const read = { tokens: [], share: 1, score: 0, fluency: 0 };
  return { read, looks: [{ frames: 20, values }], width: 400, tokens };
}
const seen = (...said: [string, number][]) =>
  said.map(([token, x]) => ({ token, x, probability: 0.95, row: new Float32Array(), path: '' }));
const each = (signs: readonly ScoredSign[]): Match[] =>
  signs.map((_, at) => ({ from: at, to: at + 1, seen: [] }));
function find(signs: readonly ScoredSign[], line = evidence(), matches = each(signs)) {
  return findNames(signs, { matches, cost: 0 }, line, model, 50).map(({ token, signs: own }) => [
    token,
    ...own,
  ]);
}

const cos = [letter({ c: 0.9 }, 0), letter({ o: 0.6, s: 0.3 }, 45), letter({ s: 0.9 }, 90)];

test('letters that follow each other spell a name, though one looks more like another letter', () => {
  expect(find([...cos, letter({ x: 0.9 }, 140)])).toEqual([['\\cos', 0, 1, 2]]);
  const unsure = [cos[0]!, letter({ s: 0.6, o: 0.3 }, 45), cos[2]!];
  expect(find(unsure, evidence(['o', 60]))).toEqual([['\\cos', 0, 1, 2]]);
});

test('the same letters far apart, or not on one line, spell none', () => {
  expect(find([cos[0]!, cos[1]!, letter({ s: 0.9 }, 140)])).toEqual([]);
  expect(find([cos[0]!, cos[1]!, letter({ s: 0.9 }, 90, 75)])).toEqual([]);
  expect(find([cos[0]!, cos[1]!, letter({ x: 0.9 }, 90)])).toEqual([]);
});

test('a name knows where it stands', () => {
  const line = evidence();
  const [name] = findNames(cos, { matches: each(cos), cost: 0 }, line, model, 50);
  expect(name!.base).toBeCloseTo(100);
  expect(name!.em).toBeCloseTo(80);
});

test('what the line model has read letter by letter is a name, also where letters touch', () => {
  const signs = [letter({ l: 0.9 }, 0), letter({ x: 0.9 }, 45), letter({ 2: 0.9 }, 120)];
  const matches = [
    { from: 0, to: 1, seen: seen(['l', 0]) },
    { from: 1, to: 2, seen: seen(['o', 50], ['g', 70]) },
    { from: 2, to: 3, seen: seen(['2', 120]) },
  ];
  expect(find(signs, evidence(), matches)).toEqual([['\\log', 0, 1]]);
});

test('a limit that begins below a name is no letter of it, its last letter is', () => {
  const low = letter({ n: 0.9 }, 20, 170, 50);
  const signs = [letter({ x: 0.9 }, 0), low, letter({ 2: 0.9 }, 42), letter({ m: 0.5, n: 0.4 }, 85)];
  const matches = [
    { from: 0, to: 3, seen: seen(['\\lim', 20]) },
    { from: 3, to: 4, seen: seen(['n', 100]) },
  ];
  expect(find(signs, evidence(['\\lim', 20]), matches)).toEqual([['\\lim', 0, 2, 3]]);
});

test('the dot over a name is of it', () => {
  const small = letter({ x: 0.9 }, 58, 30, 16);
  const dot = { ...small, sign: { ...small.sign, right: 68 } };
  const signs = [letter({ l: 0.9 }, 0), letter({ i: 0.9 }, 45), dot, letter({ m: 0.9 }, 90)];
  expect(find(signs)).toEqual([['\\lim', 0, 1, 3, 2]]);
});
