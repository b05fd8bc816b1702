/** Names of functions in signs whose letters touch or are cracked, where a typeface has them. */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReadSign } from '../signs/read-signs.ts';
import { openSignModel, type SignModel } from '../signs/sign-model.ts';
import { spellNames } from './spell-names.ts';

const xHeight = 20;
let model: SignModel;
beforeAll(async () => {
  model = await openSignModel(path.resolve('reading/models/print-signs.onnx'));
});
afterAll(() => model.close());

/** What each piece was taken for, how surely, and which part of a letter's width it is. */
type Piece = [text: string, probability: number, from?: number, to?: number];

/** Pieces of the letters of a word as the commonest typeface sets it; each letter is one or more pieces. */
function signsOf(word: string, readAs: readonly Piece[][]): ReadSign[] {
  const [typeface] = model.typefaces;
  let origin = 100;
  return [...word].flatMap((letter, at) => {
    const { left, top, width, height, advance } = typeface!.text[model.find('roman', letter).index]!;
    const start = origin + left * xHeight;
    origin += advance * xHeight;
    return readAs[at]!.map(([text, probability, from = 0, to = 1]) => ({
      left: start + from * width * xHeight,
      right: start + to * width * xHeight,
      top: 100 + top * xHeight,
      bottom: 100 + (top + height) * xHeight,
      guesses: [{ sign: model.find('roman', text), probability }],
    }));
  });
}

const spell = (word: string, readAs: readonly Piece[][]) => read(signsOf(word, readAs));

function read(signs: readonly ReadSign[]): string {
  const spelled = spellNames(
    { signs: [...signs], rules: [] },
    { xHeight, typeface: model.typefaces[0]! },
    model,
  );
  return spelled.signs
    .sort((a, b) => a.left - b.left)
    .map(({ guesses }) => guesses[0]!.sign.text)
    .join('');
}

test('a letter that fell into two is the one of the name that has its place', () => {
  const m: Piece[] = [
    ['r', 0.9, 0, 0.45],
    ['n', 0.6, 0.5, 1],
  ];
  expect(spell('lim', [[['l', 0.9]], [['i', 0.9]], m])).toBe('lim');
  expect(spell('lim', [[['I', 0.9]], [['i', 0.9]], m])).toBe('lim');
});

test('letters that touch are those of the name whose width they have together', () => {
  const [l, i, m] = signsOf('lim', [[['l', 0.9]], [['i', 0.9]], [['m', 0.8, 0, 1]]]);
  const touching = [
    l!,
    { ...m!, left: i!.left, right: m!.left + 0.6 * (m!.right - m!.left), top: i!.top },
    {
      ...m!,
      left: m!.left + 0.65 * (m!.right - m!.left),
      guesses: [{ sign: model.find('roman', 'h'), probability: 0.1 }],
    },
  ];
  expect(read(touching)).toBe('lim');
  const equals = { ...touching[1]!, guesses: [{ sign: model.find('symbol', '='), probability: 0.99 }] };
  expect(read([l!, equals, touching[2]!])).toBe('l=h');
});

test('a sign that is hardly read is the letter that is missing', () => {
  expect(spell('cos', [[['c', 0.9]], [['o', 0.9]], [['z', 0.2]]])).toBe('cos');
});

test('what is read surely stays, and so does what is no name by its widths', () => {
  expect(spell('cor', [[['c', 0.9]], [['o', 0.9]], [['r', 0.9]]])).toBe('cor');
  expect(
    spell('lin', [
      [['l', 0.9]],
      [['i', 0.9]],
      [
        ['r', 0.4, 0, 0.5],
        ['i', 0.4, 0.6, 1],
      ],
    ]),
  ).toBe('liri');
});

test('an m with a dot over its first stem is the i and the n of "inf" before an f, and of "sin" behind an s', () => {
  const [i, n, f] = signsOf('inf', [[['i', 0.9]], [['n', 0.9]], [['f', 0.9]]]);
  const m = { ...n!, left: i!.left, guesses: [{ sign: model.find('roman', 'm'), probability: 0.95 }] };
  const size = 0.2 * xHeight;
  const dot = {
    left: i!.left,
    right: i!.left + size,
    top: i!.top,
    bottom: i!.top + size,
    guesses: [{ sign: model.find('symbol', '·'), probability: 0.9 }],
  };
  expect(read([m, dot, f!])).toBe('inf');
  expect(read([m, f!])).toBe('mf');
  const [sign] = signsOf('s', [[['s', 0.9]]]);
  const before = { ...sign!, left: m.left - 0.9 * xHeight, right: m.left - 0.1 * xHeight };
  expect(read([before, m, dot])).toBe('sin');
  // letters that touch so that they look like several as much as like an m
  const several = { sign: model.find('several', ''), probability: 0.6 };
  const unsure = { ...m, guesses: [several, { sign: model.find('roman', 'm'), probability: 0.35 }] };
  expect(read([before, unsure, dot])).toBe('sin');
  // the derivative of a mass
  const italic = { ...m, guesses: [{ sign: model.find('italic', 'm'), probability: 0.95 }] };
  expect(read([italic, dot, f!])).not.toBe('inf');
  expect(read([m, { ...dot, left: m.right - size, right: m.right }, f!])).toContain('m');
});

test('letters as wide as that of a name are not it if they are surely others', () => {
  const word = [...'arcsin'].map((letter): Piece[] => [[letter, 0.98]]);
  const [a, r, c, s, i, n] = signsOf('arcsin', word) as [
    ReadSign,
    ReadSign,
    ReadSign,
    ReadSign,
    ReadSign,
    ReadSign,
  ];
  const m = signsOf('min', [[['m', 0.9]], [['i', 0.9]], [['n', 0.9]]])[0]!;
  // as close together as an m is wide
  const room = (m.right - m.left) / 2;
  const close = [
    { ...c, left: i.left - 2 * room - 2, right: i.left - room - 3 },
    { ...s, left: i.left - room - 2, right: i.left - 3 },
  ];
  expect(read([a, r, ...close, i, n])).toBe('arcsin');
});

test('a raised point and the s of "sin" are no m of "min"', () => {
  const [m, i, n] = signsOf('min', [[['m', 0.9]], [['i', 0.99]], [['n', 0.99]]]) as [
    ReadSign,
    ReadSign,
    ReadSign,
  ];
  const width = m.right - m.left;
  const point = {
    left: m.left,
    right: m.left + 0.2 * width,
    top: m.top + 0.4 * xHeight,
    bottom: m.top + 0.6 * xHeight,
    guesses: [{ sign: model.find('symbol', '·'), probability: 0.5 }],
  };
  const s = {
    ...m,
    left: m.left + 0.5 * width,
    guesses: [{ sign: model.find('roman', 's'), probability: 0.99 }],
  };
  expect(read([point, s, i, n])).toBe('·sin');
});
