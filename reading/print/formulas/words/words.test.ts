/** Words in displayed formulas, from their letters and from Tesseract's reading of them. */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Word } from '../../printed-page.ts';
import type { ReadSign } from '../signs/read-signs.ts';
import { openSignModel, type SignModel } from '../signs/sign-model.ts';
import { findWords } from './find-words.ts';
import { spellWords } from './spell-words.ts';

const xHeight = 20;
const baseline = 100;
let model: SignModel;
beforeAll(async () => {
  model = await openSignModel(path.resolve('reading/models/print-signs.onnx'));
});
afterAll(() => model.close());
const print = () => ({ xHeight, typeface: model.typefaces[0]! });

/** Letters set by the commonest typeface, each read as the sign of `readAs` in its place; `gap` in x-heights. */
function setText(
  text: string,
  {
    at = 0,
    face = 'italic',
    gap = 0,
    readAs = text,
  }: { at?: number; face?: string; gap?: number; readAs?: string } = {},
): ReadSign[] {
  let x = at;
  return [...text].map((letter, index) => {
    const { left, top, width, height, advance } = print().typeface.text[model.find(face, letter).index]!;
    const box = {
      left: x + left * xHeight,
      right: x + (left + width) * xHeight,
      top: baseline + top * xHeight,
      bottom: baseline + (top + height) * xHeight,
    };
    x += (advance + gap) * xHeight;
    return { ...box, guesses: [{ sign: model.find(face, readAs[index]!), probability: 0.9 }] };
  });
}
const facesOf = (signs: readonly ReadSign[]) => signs.map(({ guesses }) => guesses[0]!.sign.face);
const textOf = (signs: readonly ReadSign[]) =>
  [...signs]
    .sort((a, b) => a.left - b.left)
    .map(({ guesses }) => guesses[0]!.sign.text)
    .join('');

test('slanted letters that spell a word of formulas are its letters, those of a product are not', () => {
  const find = (signs: ReadSign[]) => facesOf(findWords({ signs, rules: [] }, print(), model).signs);
  expect(find(setText('for'))).toEqual(['roman', 'roman', 'roman']);
  expect(find(setText('fog'))).toEqual(['italic', 'italic', 'italic']);
  expect(find(setText('for', { gap: 0.6 }))).toEqual(['italic', 'italic', 'italic']);
});

test('a word of two letters stands by itself', () => {
  const find = (signs: ReadSign[]) => facesOf(findWords({ signs, rules: [] }, print(), model).signs);
  expect(find([...setText('if'), ...setText('x', { at: 60 })])).toEqual(['roman', 'roman', 'italic']);
  expect(find([...setText('if'), ...setText('x', { at: 27 })])).toEqual(['italic', 'italic', 'italic']);
  // the dot touches the f
  const [stem, f] = setText('if');
  expect(find([{ ...stem!, top: baseline - xHeight }, f!])).toEqual(['roman', 'roman']);
});

function wordOver(signs: readonly ReadSign[], text: string, confidence: number): Word {
  return {
    text,
    confidence,
    left: Math.min(...signs.map(({ left }) => left)),
    right: Math.max(...signs.map(({ right }) => right)),
    top: baseline - 2 * xHeight,
    bottom: baseline,
  };
}

function spell(signs: ReadSign[], text: string, confidence = 90): string {
  return textOf(spellWords({ signs, rules: [] }, [wordOver(signs, text, confidence)], print(), model).signs);
}

test('a word that Tesseract read has its letters where most of them agree', () => {
  const roman = { face: 'roman' };
  expect(spell(setText('where', { ...roman, readAs: 'whcre' }), 'where')).toBe('where');
  expect(spell(setText('where', { ...roman, readAs: 'xyzre' }), 'where')).toBe('xyzre');
  // in doubt all letters must agree
  expect(spell(setText('where', { ...roman, readAs: 'whcre' }), 'where', 50)).toBe('whcre');
});

test('what Tesseract joins is not joined: a space, a variable behind a name, a letter that is surely another', () => {
  const roman = { face: 'roman' };
  const all = setText('all', { ...roman, readAs: 'oll' });
  expect(spell(all, 'all')).toBe('all');
  expect(spell([...all, ...setText('n', { at: all.at(-1)!.right + 0.6 * xHeight })], 'alln')).toBe('olln');
  const cos = [...setText('cos', roman), ...setText('x', { at: 58 })];
  const { signs } = spellWords({ signs: cos, rules: [] }, [wordOver(cos, 'cosx', 90)], print(), model);
  expect(facesOf(signs)).toEqual(['roman', 'roman', 'roman', 'italic']);
  const sure = setText('sing', { ...roman, readAs: 'sinx' }).map((sign) => ({
    ...sign,
    guesses: [{ ...sign.guesses[0]!, probability: 0.99 }],
  }));
  expect(spell(sure, 'sing')).toBe('sinx');
});

test('a name of a function is believed where its letters touch', () => {
  const [l, i, m] = setText('lim', { face: 'roman' });
  const touching = {
    ...l!,
    right: i!.right,
    guesses: [{ sign: model.find('roman', 'h'), probability: 0.7 }],
  };
  expect(spell([touching, m!], 'lim')).toBe('lim');
  expect(spell([touching, m!], 'him')).toBe('hm');
});

test('letters of a word that touch say nothing against it', () => {
  const [e, x, i, ...sts] = setText('exists');
  const touching = {
    ...x!,
    right: sts[0]!.right,
    top: i!.top,
    guesses: [{ sign: model.find('several', ''), probability: 0.9 }],
  };
  const end = sts.at(-1)!;
  const word: Word = {
    text: 'exists',
    confidence: 92,
    left: e!.left,
    right: end.right,
    top: 70,
    bottom: 102,
  };
  const read = (signs: ReadSign[]) => textOf(spellWords({ signs, rules: [] }, [word], print(), model).signs);
  expect(read([e!, touching, ...sts.slice(1)])).toBe('exists');
  const others = setText('exists', { readAs: 'eabmts' });
  expect(read(others)).toBe('eabmts');
});

test('a bracket before a word stays', () => {
  const mod = setText('mod', { at: 14, face: 'roman' });
  const [m] = mod;
  const bracket = { ...m!, left: 0, right: 8, top: m!.top - 10, bottom: m!.bottom + 6 };
  const open = { ...bracket, guesses: [{ sign: model.find('delimiter', '('), probability: 0.99 }] };
  expect(spell([open, ...mod], '(mod')).toBe('(mod');
});

test('a word with accents has them', () => {
  const letters = setText('linearite', { face: 'roman' });
  const [, , , e, , , , , last] = letters;
  const accent = (over: ReadSign): ReadSign => ({
    left: over.left + 4,
    right: over.left + 10,
    top: over.top - 12,
    bottom: over.top - 4,
    guesses: [{ sign: model.find('symbol', '′'), probability: 0.5 }],
  });
  expect(spell([...letters, accent(e!), accent(last!)], 'linéarité')).toBe('linéarité');
});

test('what is integrated over is no word', () => {
  const signs = setText('xdx');
  const { signs: spelled } = spellWords({ signs, rules: [] }, [wordOver(signs, 'xdx', 90)], print(), model);
  expect(facesOf(spelled)).toEqual(['italic', 'italic', 'italic']);
});

test('slanted letters behind a sign of an operation are a product', () => {
  const find = (gap: number) => {
    const plus = { ...setText('x')[0]!, guesses: [{ sign: model.find('symbol', '+'), probability: 0.99 }] };
    const by = setText('by', { at: plus.right + gap * xHeight });
    return facesOf(findWords({ signs: [plus, ...by], rules: [] }, print(), model).signs).slice(1);
  };
  expect(find(0.55)).toEqual(['italic', 'italic']);
  expect(find(0.9)).toEqual(['roman', 'roman']);
});
