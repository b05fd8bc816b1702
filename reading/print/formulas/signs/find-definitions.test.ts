/** A colon and an equals sign whose pieces touch. */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDefinitions } from './find-definitions.ts';
import { openSignModel, type SignModel } from './sign-model.ts';

const xHeight = 20;
let model: SignModel;
beforeAll(async () => {
  model = await openSignModel(path.resolve('reading/models/print-signs.onnx'));
});
afterAll(() => model.close());

/** What a sign of the given width, half read as another, is with a bar. */
function find(width: number, bar: { left: number; top: number } | null, probability = 0.6, text = '⊨') {
  const sign = { face: 'symbol', text, index: 0 };
  const read = { left: 0, top: 0, right: width, bottom: 20, guesses: [{ sign, probability }] };
  const rules = bar ? [{ ...bar, right: width - 1, bottom: bar.top + 4 }] : [];
  const found = findDefinitions({ signs: [read], rules }, xHeight, model);
  return [found.signs.map(({ guesses }) => guesses[0]!.sign.text).join(''), found.rules.length];
}

test('a colon that looks like one sign with the lower bar of its equals sign is a definition', () => {
  expect(find(46, { left: 10, top: 4 }, 0.6, '∈')).toEqual(['≔', 0]);
  // a line over a sign, and a sign that is certain
  expect(find(46, { left: 10, top: -9 }, 0.6, '∈')).toEqual(['∈', 1]);
  expect(find(46, { left: 10, top: 4 }, 0.99)).toEqual(['⊨', 1]);
});

test('a definition whose pieces all touch has its width', () => {
  expect(find(37, null)).toEqual(['≔', 0]);
  expect(find(30, null)).toEqual(['⊨', 0]);
});

test('a bar of a definition that does not touch its colon is no minus', () => {
  const of = (
    text: string,
    probability: number,
    box: { left: number; right: number; top: number; bottom: number },
  ) => ({
    ...box,
    guesses: [{ sign: { face: 'symbol', text, index: 0 }, probability }],
  });
  const whole = of('⇌', 0.5, { left: 0, right: 37, top: 0, bottom: 20 });
  const minusOf = (left: number) => of('−', 0.99, { left, right: left + 20, top: 14, bottom: 16 });
  const textsOf = (minus: typeof whole) =>
    findDefinitions({ signs: [whole, minus], rules: [] }, xHeight, model)
      .signs.map(({ guesses }) => guesses[0]!.sign.text)
      .join('');
  expect(textsOf(minusOf(14))).toBe('≔');
  expect(textsOf(minusOf(60))).toBe('≔−');
});

test('a narrow bar is of a limit, behind its letter', () => {
  expect(find(30, { left: 9, top: 4 })).toEqual(['i=', 0]);
});
