import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openWholeFormulas } from './whole-formulas.ts';

const models = path.resolve(import.meta.dirname, '../../models');
const { tokens }: { tokens: string[] } = JSON.parse(
  await readFile(path.join(models, 'line-reader.json'), 'utf8'),
);
const formulas = openWholeFormulas(path.join(models, 'whole-formulas.onnx'), tokens.length);
afterAll(() => formulas.close());

const said = (formula: string) =>
  (formula.match(/\\[A-Za-z]+[{]?|[\^_]\{|\}\{|./gu) ?? []).map((token) => tokens.indexOf(token));

test.each([
  ['a letter comes again', 'x_{1}^{2}+x_{2}^{2}+x_{3}^{2}', 'x_{1}^{2}+x_{2}^{2}+n_{3}^{2}'],
  ['so do functions and their arguments', '\\cos\\theta+i\\sin\\theta', '\\cos\\theta+i\\sin0'],
  ['a bracket is closed', '(a+b)(a+b)', '(a+b)(a+b1'],
  ['powers are mostly digits', 'a^{2}+b^{2}=c^{2}', 'a^{2}+b^{z}=c^{2}'],
])('%s', async (_, usual, unusual) => {
  const [more, less] = await formulas.logProbabilities([said(usual), said(unusual)]);
  expect(more).toBeGreaterThan(less! + 1);
});

test('what a formula is compared with does not matter', async () => {
  const [alone] = await formulas.logProbabilities([said('x=2')]);
  const [, beside] = await formulas.logProbabilities([said('a^{2}+b^{2}=c^{2}'), said('x=2')]);
  expect(beside).toBeCloseTo(alone!, 3);
  expect(await formulas.logProbabilities([])).toEqual([]);
});
