/** By the weights that are shipped, in strokes of our own. */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Box } from '../../box.ts';
import type { DecodedLine } from '../line/decode-line.ts';
import { type LineModel, openLineModel } from '../line/line-model.ts';
import { readDrawn, writeFormula, writeSum } from '../testing/write-formula.ts';
import type { FoundSign } from './find-signs.ts';
import { divide, nameStacked, readSigns } from './read-signs.ts';
import { openShapeModel, type ShapeModel } from './shape-model.ts';

const models = path.resolve(import.meta.dirname, '../../models');
let line: LineModel;
let shapes: ShapeModel;
beforeAll(async () => {
  line = await openLineModel(path.join(models, 'line-reader.onnx'));
  shapes = await openShapeModel(path.join(models, 'written-signs.onnx'));
});
afterAll(() => Promise.all([line.close(), shapes.close()]));

async function read(drawn: ReturnType<typeof writeFormula>, formulas = line.formulas) {
  const { crop, scores, plain } = await readDrawn(drawn, line);
  const { tokens } = line;
  const inside = { top: 5, bottom: 175 };
  const evidence = { read: plain, looks: [scores], tokens };
  return { plain, bySigns: await readSigns(crop, 60, inside, evidence, { ...line, formulas, shapes }) };
}
const say = (line: DecodedLine | null) => line?.tokens.map(({ token }) => token).join('');

test.each([
  ['c_c+1=x_x', 'c_{c}+1=x_{x}'],
  ['2x_1-3a_3=1', '2x_{1}-3a_{3}=1'],
  ['a_1x+a_2y=a_3', 'a_{1}x+a_{2}y=a_{3}'],
])('%s: small signs that the line model misreads are read, each at its place', async (said, latex) => {
  const { plain, bySigns } = await read(writeFormula(said));
  expect(say(plain)).not.toBe(`\\(${latex}\\)`);
  expect(say(bySigns)).toBe(`\\(${latex}\\)`);
  const signs = bySigns!.tokens.filter(({ token }) => /^[\w=+-]$/.test(token));
  const starts = signs.map(({ from }) => from);
  expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  expect(signs.every(({ probability }) => probability > 0 && probability <= 1)).toBe(true);
});

test('between signs that look alike, the formula as a whole decides', async () => {
  const drawn = writeFormula('x_1+y_2=3');
  const preferring = (token: string) => ({
    ...line.formulas,
    logProbabilities: async (formulas: readonly (readonly number[])[]) =>
      formulas.map((said) => (said.includes(line.tokens.indexOf(token)) ? 0 : -40)),
  });
  expect(say((await read(drawn, preferring('2'))).bySigns)).toBe('\\(x_{1}+y_{2}=3\\)');
  expect(say((await read(drawn, preferring('z'))).bySigns)).toMatch(/z.*=3/);
});

test('a sum has what is below and above it as its limits, not what is beside it', async () => {
  expect(say((await read(writeSum('a_1+y'))).bySigns)).toBe('\\(\\sum_{x=1}^{3}a_{1}+y\\)');
});

const piece = (box: Box, ...pieces: number[]): FoundSign => {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  return { ...box, width, height, pieces, ink: new Float32Array(width * height).fill(1) };
};
const logs = (...shares: number[]) => Float32Array.from(shares, Math.log);

test('two dashes above each other are an equals sign as surely as both are dashes, beside each other they are not', () => {
  const names = { ...shapes, shapes: [['-'], ['='], ['<', '\\leq', '>', '\\geq', '+', '\\pm'], []] };
  const upper = piece({ left: 0, right: 40, top: 0, bottom: 4 }, 1);
  const stacked = (left: number, top: number) => {
    const lower = piece({ left, right: left + 40, top, bottom: top + 4 }, 2);
    const both = piece({ left: 0, right: left + 40, top: 0, bottom: top + 4 }, 1, 2);
    const scores = [logs(0.8, 0.1, 0.05, 0.05), logs(0.9, 0.05, 0.02, 0.03), logs(0.1, 0.2, 0.05, 0.65)];
    nameStacked({ single: [upper, lower], joined: [both], size: 40 }, scores, names);
    return Math.exp(scores[2]![1]!);
  };
  expect(stacked(18, 30)).toBeCloseTo(0.72);
  expect(stacked(30, 30)).toBeCloseTo(0.2);
  expect(stacked(18, 2)).toBeCloseTo(0.2);
});

test('pieces that look more like several signs than like one stay apart', () => {
  const box = (left: number, right: number) => ({ left, right, top: 0, bottom: 30 });
  const single = [piece(box(0, 20), 1), piece(box(20, 40), 2)];
  const found = { single, joined: [piece(box(0, 40), 1, 2)], size: 30 };
  const apart = [logs(0.3, 0.6), logs(0.3, 0.6)];
  expect(divide(found, [...apart, logs(0.1, 0.9)], () => false)).toEqual([0, 1]);
  expect(divide(found, [...apart, logs(0.1, 0.08)], () => false)).toEqual([2]);
});

test('ink that the line model does not see as signs is left to it', async () => {
  const specks = Array.from({ length: 60 }, (_, at) => `M${30 + 9 * at} ${60 + ((17 * at) % 40)}v5`).join('');
  expect((await read({ width: 600, strokes: specks })).bySigns).toBeNull();
});
