/** Commas, full stops and raised points, which a scan makes alike, and specks of dirt between them. */
import { expect, test } from 'vitest';
import type { Box } from '../../../box.ts';
import type { ReadSign } from '../signs/read-signs.ts';
import type { Typeface } from '../signs/sign-model.ts';
import { placeSigns } from './place-signs.ts';

const xHeight = 20;
const baseline = 100;
const names = ['a', 'b', '1', '2', '.', '·', ',', '|', '∑', 'n', '□'];
const noInk = { ink: 0, mostInk: 0 };
const measures = names.map((name) => {
  if (/[.·,]/.test(name))
    return {
      left: 0.05,
      top: name === '·' ? -0.68 : -0.24,
      width: 0.24,
      height: 0.24,
      advance: 0.5,
      ...noInk,
    };
  if (name === '|') return { left: 0.05, top: -1.6, width: 0.1, height: 2.2, advance: 0.6, ...noInk };
  return { left: 0.05, top: -1, width: 1, height: 1, advance: 1.1, ...noInk };
});
const typeface: Typeface = { text: measures, script: measures };
const faceOf = (name: string) =>
  /[.·,□]/.test(name) ? 'symbol' : name === '|' ? 'delimiter' : name === '∑' ? 'large' : 'italic';

/** A sign of the given width and height, in x-heights, that ends `rise` x-heights above the baseline. */
function draw(name: string, x: number, rise = 0, { width = 1, height = 1, ...more } = {}): ReadSign {
  const sign = { face: faceOf(name), text: name, index: names.indexOf(name) };
  const bottom = baseline - rise * xHeight;
  const box = { left: x, right: x + width * xHeight, top: bottom - height * xHeight, bottom };
  return { ...box, guesses: [{ sign, probability: 0.9 }], ...more };
}
const dot = (x: number, rise = 0, more = {}) => draw('.', x, rise, { width: 0.24, height: 0.24, ...more });
const bar = (x: number) => draw('|', x, -0.6, { width: 0.1, height: 2.2 });
const glyphs = (signs: ReadSign[], rules: Box[] = []) =>
  placeSigns({ signs, rules }, { xHeight, typeface }).glyphs.sort((a, b) => a.x - b.x);
const read = (...signs: ReadSign[]) =>
  glyphs(signs)
    .map(({ text }) => text)
    .join('');

test('a full stop between two letters is a comma, one at the end or in a number is not', () => {
  expect(read(draw('a', 0), dot(23), draw('b', 36))).toBe('a,b');
  expect(read(draw('a', 0), draw('b', 36), dot(59))).toBe('ab.');
  expect(read(draw('1', 0), dot(23), draw('2', 33))).toBe('1.2');
  expect(read(draw('a', 0), dot(23), draw('□', 200))).toBe('a.□');
});

test('dots of an ellipsis stay dots', () => {
  expect(read(draw('a', 0), dot(30), dot(48), dot(66), draw('b', 90))).toBe('a...b');
});

test('a point in the middle of a line’s height is a product’s, and all dots beside it are as high', () => {
  expect(read(draw('1', 0), dot(30, 0.45), draw('2', 48))).toBe('1·2');
  expect(read(draw('a', 0), dot(30, 0.45), dot(48, 0.44), dot(66, 0.46), draw('b', 90))).toBe('a···b');
});

test('a speck is a comma where one stands, and dirt elsewhere', () => {
  const speck = { isSpeck: true };
  expect(read(draw('a', 0), dot(23, 0, speck), draw('b', 36))).toBe('a,b');
  expect(read(draw('a', 0), dot(23, 0, speck), draw('b', 84))).toBe('a,b');
  // before the space between two formulas
  expect(read(draw('a', 0), dot(23, 0, speck), draw('b', 124))).toBe('a,b');
  expect(read(draw('a', 0), dot(23, 0, speck), draw('b', 170))).toBe('ab');
  expect(read(draw('a', 0), dot(23, 1.2, speck), draw('b', 36))).toBe('ab');
  expect(read(draw('a', 0), draw('b', 36), dot(90, 0, speck))).toBe('ab');
});

test('a point by itself as high as an exponent is dirt, one over a letter its accent', () => {
  expect(read(draw('a', 0), dot(23, 0.95), draw('b', 36))).toBe('ab');
  expect(read(draw('a', 0), dot(8, 1.15))).not.toBe('a');
});

test('bars close together are a norm’s, those of two absolute values are not', () => {
  expect(read(bar(0), bar(10), draw('a', 20))).toBe('‖a');
  expect(read(draw('a', 0), bar(26), bar(40), draw('b', 50))).toBe('a||b');
});

test('what stands over a large operator is its limit, whatever its size', () => {
  const sum = draw('∑', 0, -0.8, { width: 3, height: 3 });
  const [above] = glyphs([sum, draw('n', 18, 2.6, { width: 0.85, height: 0.85 })]).filter(
    ({ text }) => text === 'n',
  );
  expect(above!.size).toBeLessThan(8);
  const [alone] = glyphs([draw('n', 18, 2.6, { width: 0.85, height: 0.85 })]);
  expect(alone!.size).toBe(10);
});

test('a comma with nothing before it is dirt', () => {
  const comma = (x: number) => draw(',', x, 0, { width: 0.24, height: 0.5 });
  expect(read(comma(0), draw('a', 12), draw('b', 36))).toBe('ab');
  expect(read(draw('a', 0), comma(23), draw('b', 36))).toBe('a,b');
  // behind the bracket of a matrix it is farther away
  expect(read(draw('a', 0), comma(46), draw('b', 70))).toBe('a,b');
});

test('a fourth dot is the comma behind an ellipsis', () => {
  expect(read(draw('a', 0), dot(30), dot(48), dot(66), dot(84), draw('b', 100))).toBe('a...,b');
});

test('a comma behind a fraction is on its line', () => {
  const fraction = [draw('a', 0, 0.95), draw('b', 0, -0.8)];
  const rule = { left: -2, right: 24, top: baseline - 0.62 * xHeight, bottom: baseline - 0.54 * xHeight };
  const comma = { ...draw(',', 29, -0.2, { width: 0.24, height: 0.5 }) };
  const [row] = glyphs([draw('n', -60), ...fraction, comma], [rule]).filter(({ text }) => text === 'n');
  const [found] = glyphs([draw('n', -60), ...fraction, comma], [rule]).filter(({ text }) => text === ',');
  expect(found!.baseline).toBeCloseTo(row!.baseline, 0);
  expect(found!.size).toBe(10);
});

test('three dots below each other, or along a diagonal, are those of a matrix, two beside commas are not', () => {
  const column = [0, 1, 2].map((at) => dot(60, 2 - 0.8 * at));
  expect(read(draw('a', 0), draw('b', 120), ...column)).toBe('a⋮b');
  const diagonal = [0, 1, 2].map((at) => dot(60 + 18 * at, 2 - 0.6 * at));
  expect(read(draw('a', 0), draw('b', 120), ...diagonal)).toBe('a⋱b');
  expect(read(draw('a', 0), dot(23), draw('b', 36))).toBe('a,b');
});

test('a point between two signs of an exponent, half as high as they are, is a product’s', () => {
  const small = (name: string, x: number) => draw(name, x, 0.7, { width: 0.7, height: 0.7 });
  const found = glyphs([draw('a', 0), small('b', 22), dot(39, 1), small('n', 48)]);
  expect(found.map(({ text }) => text).join('')).toBe('ab·n');
  expect(found.find(({ text }) => text === '·')!.size).toBe(7);
});

test('under a sum, what looks like ⊢ before a figure is an equals sign', () => {
  const sum = draw('∑', 0, -0.8, { width: 3, height: 3 });
  const small = (name: string, x: number) => draw(name, x, -1.9, { width: 0.7, height: 0.7 });
  const rest = [
    { ...small('□', 24), guesses: [{ sign: { face: 'symbol', text: '⊢', index: 99 }, probability: 0.5 }] },
    small('1', 40),
  ];
  expect(read(sum, small('n', 8), ...rest).replace('∑', '')).toBe('n=1');
  // the letter and the equals sign are one sign
  expect(read(sum, ...rest).replace('∑', '')).toBe('i=1');
});

test('dots between the columns of a matrix are those of its row', () => {
  expect(read(draw('a', 0), dot(100, 0.45), dot(118, 0.44), dot(136, 0.46), draw('b', 240))).toBe('a···b');
});

test('a comma behind an exponent has a sign before it, and is no dirt', () => {
  const small = (name: string, x: number) => draw(name, x, 0.9, { width: 0.7, height: 0.7 });
  const comma = draw(',', 58, -0.2, { width: 0.24, height: 0.5 });
  expect(read(draw('a', 0), small('n', 24), small('b', 40), comma, draw('b', 110))).toBe('anb,b');
});

test('the point of a number before a one, which is narrow, is no comma', () => {
  const one = draw('1', 37, 0, { width: 0.5, height: 1.5 });
  expect(read(draw('2', 0), dot(23), { ...one, left: 40, right: 50 })).toBe('2.1');
});

test('a dot over a letter is its accent, also beside a row as high', () => {
  const high = draw('b', -50, 1.15);
  const texts = glyphs([high, draw('a', 0), dot(8, 1.15), draw('n', 60), draw('b', 90, 1.15)]).map(
    ({ text }) => text,
  );
  expect(texts).toContain('˙');
});
