/** By the weights that are shipped, in strokes of our own. */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DecodedLine } from '../line/decode-line.ts';
import { type LineModel, openLineModel } from '../line/line-model.ts';
import { readDrawn, writeFormula, writeSum } from '../testing/write-formula.ts';
import { readSigns } from './read-signs.ts';
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
  ['x_1+y_2=3', 'x_{1}+y_{2}=3'],
  ['-y_c=y-y_c', '-y_{c}=y-y_{c}'],
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

test('ink that the line model does not see as signs is left to it', async () => {
  const specks = Array.from({ length: 60 }, (_, at) => `M${30 + 9 * at} ${60 + ((17 * at) % 40)}v5`).join('');
  expect((await read({ width: 600, strokes: specks })).bySigns).toBeNull();
});
