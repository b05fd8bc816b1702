/** By the weights that are shipped, in strokes of our own. */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DecodedLine } from '../line/decode-line.ts';
import { type LineModel, openLineModel } from '../line/line-model.ts';
import { readDrawn, writeFormula } from '../testing/write-formula.ts';
import { readAgainBySigns } from './read-again.ts';
import { openShapeModel, type ShapeModel } from './shape-model.ts';

const models = path.resolve(import.meta.dirname, '../../models');
let line: LineModel;
let shapes: ShapeModel;
beforeAll(async () => {
  line = await openLineModel(path.join(models, 'line-reader.onnx'));
  shapes = await openShapeModel(path.join(models, 'written-signs.onnx'));
});
afterAll(() => Promise.all([line.close(), shapes.close()]));

const said = ({ tokens }: DecodedLine) => tokens.map(({ token }) => token).join('');

/** A formula, read as the line model reads it or as `otherwise`, and then again. */
async function readTwice(formula: string, otherwise?: (plain: DecodedLine) => DecodedLine) {
  const { crop, scores, plain } = await readDrawn(writeFormula(formula), line);
  const first = otherwise?.(plain) ?? plain;
  const again = await readAgainBySigns({ read: first, looks: [scores] }, crop, {
    letters: 60,
    model: line,
    shapes,
  });
  return { first, again };
}

/** The same tokens but these, and as sure of each. */
const surely = (plain: DecodedLine, tokens: string[], probability: number): DecodedLine => ({
  ...plain,
  tokens: ['\\(', ...tokens, '\\)'].map((token, at) => ({
    token,
    probability,
    from: 4 * at,
    to: 4 * at + 4,
  })),
});

test('what signs say otherwise counts, as doubtful as two readings are', async () => {
  const { first, again } = await readTwice('a_1x+x_2y=a_3');
  expect(said(first)).not.toBe(said(again));
  expect(said(again)).toBe('\\(a_{1}x+x_{2}y=a_{3}\\)');
  expect(again.others?.map(({ tokens }) => tokens.join(''))).toContain(said(first));
  expect(again.share).toBeLessThan(0.6);
});

test('a line model that is sure of each sign is right, unless it has missed one', async () => {
  const other = (probability: number) => (plain: DecodedLine) =>
    surely(plain, ['x', '+', 'y', '=', '2'], probability);
  expect(said((await readTwice('x+y=3', other(0.99))).again)).toBe('\\(x+y=2\\)');
  expect(said((await readTwice('x+y=3', other(0.8))).again)).toBe('\\(x+y=3\\)');
  const less = (plain: DecodedLine) => surely(plain, ['x', '+', 'y', '='], 0.99);
  expect(said((await readTwice('x+y=3', less)).again)).toBe('\\(x+y=3\\)');
});
