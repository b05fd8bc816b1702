import { expect, test } from 'vitest';
import type { FormulaLanguage } from '../line/formula-language.ts';
import { type NamedSign, placeSigns } from './place-signs.ts';

const tokens = [
  '<blank>',
  '^{',
  '_{',
  '}',
  '\\frac{',
  'x',
  '\\times',
  'a',
  '2',
  '1',
  '+',
  '\\sin',
  '=',
  '\\ldots',
  '\\cdots',
];
/** Nothing is likelier than anything else. */
const even: FormulaLanguage = { logProbability: () => -3 };
const boxes: Record<string, [number, number]> = { x: [0, 0.52], a: [0, 0.52], 2: [0, 0.85], 1: [0, 0.85] };

/** A sign on a baseline at `base`, in writing of an em of `em` pixels. */
function sign(token: string, left: number, base = 100, em = 100, others: string[] = []): NamedSign {
  const [low, high] = boxes[token] ?? [0.08, 0.58];
  const box = { left, right: left + 0.4 * em, top: base - high * em, bottom: base - low * em };
  const middle = (box.top + box.bottom) / 2;
  const guess = (one: string, log: number) => ({
    token: one,
    log,
    shape: log,
    base: boxes[one] ? base : middle,
    em: boxes[one] ? em : null,
  });
  return { box, guesses: [guess(token, -0.1), ...others.map((one) => guess(one, -0.2))] };
}

const say = (signs: NamedSign[], language = even) =>
  (placeSigns(signs, tokens, language)[0]?.tokens ?? []).map(({ token }) => token).join('');

test('a small sign above the line is an exponent, one below it an index', () => {
  expect(say([sign('x', 0), sign('2', 50), sign('+', 100), sign('a', 150)])).toBe('x2+a');
  expect(say([sign('x', 0), sign('2', 50, 45, 60), sign('+', 100), sign('a', 150)])).toBe('x^{2}+a');
  expect(say([sign('x', 0), sign('2', 50, 130, 60), sign('+', 100), sign('a', 150)])).toBe('x_{2}+a');
});

test('an index comes before an exponent, however they were written', () => {
  expect(say([sign('x', 0), sign('2', 45, 45, 60), sign('1', 52, 130, 60), sign('=', 110)])).toBe(
    'x_{1}^{2}=',
  );
});

test('an exponent has exponents', () => {
  const power = [sign('2', 0), sign('x', 50, 45, 60), sign('2', 80, 15, 36), sign('+', 120), sign('a', 170)];
  expect(say(power)).toBe('2^{x^{2}}+a');
});

test('what follows in an index stands on the line of the index', () => {
  // by itself, against the formula's line, the last sign would be on that
  const index = [sign('2', 50, 126, 66), sign('2', 80, 122, 70), sign('1', 110, 117, 80)];
  expect(say([sign('x', 0), ...index, sign('=', 150), sign('a', 200)])).toBe('x_{221}=a');
});

test('after a sign of operation there are none', () => {
  expect(say([sign('+', 0), sign('2', 50, 60, 60), sign('x', 110)])).toBe('+2x');
  expect(say([sign('a', 0), sign('2', 50, 60, 60), sign('x', 110)])).toBe('a^{2}x');
});

test('a fraction stands in the line, or in the exponent, where its bar is', () => {
  const half = (left: number, level: number): NamedSign => ({
    box: { left, right: left + 30, top: level - 40, bottom: level + 40 },
    guesses: [{ token: '\\frac{', log: 0, shape: 0, base: level, em: null }],
    said: ['\\frac{', '1', '}{', '2', '}'].map((token) => ({ token, probability: 0.9, from: 0, to: 1 })),
  });
  expect(say([sign('a', 0), half(50, 66), sign('x', 90)])).toBe('a\\frac{1}{2}x');
  expect(say([sign('a', 0), half(50, 22), sign('x', 90)])).toBe('a^{\\frac{1}{2}}x');
});

test('dots are on the line or in its middle, whichever is more usual', () => {
  const [onLine, inMiddle] = ['\\ldots', '\\cdots'];
  const dots = (base: number): NamedSign => ({
    box: { left: 100, right: 160, top: base - 4, bottom: base + 4 },
    guesses: [onLine, inMiddle].map((token) => ({ token: token!, log: 0, shape: 0, base, em: null })),
  });
  const usual = tokens.indexOf(inMiddle!);
  const language = { logProbability: (_: number, __: number, token: number) => (token === usual ? -1 : -3) };
  const read = (base: number) => say([sign('a', 0), sign('+', 50), dots(base), sign('+', 170)], language);
  expect(read(92)).toBe('a+\\ldots+');
  expect(read(67)).toBe('a+\\cdots+');
});

test('a line that rises is followed', () => {
  const rising = Array.from({ length: 8 }, (_, at) => sign(at % 2 ? '+' : 'x', 60 * at, 200 - 7 * at));
  expect(say(rising)).toBe('x+x+x+x+');
});

test('where the line model has seen it counts, and what usually follows what', () => {
  const between = sign('2', 50, 63, 74);
  expect(say([sign('x', 0), between, sign('=', 110)])).toBe('x2=');
  expect(say([sign('x', 0), { ...between, path: '^' }, sign('=', 110)])).toBe('x^{2}=');

  const alike = [sign('2', 0), sign('x', 50, 100, 100, ['\\times']), sign('2', 100)];
  const times = tokens.indexOf('\\times');
  expect(say(alike)).toBe('2x2');
  const language = { logProbability: (_: number, __: number, token: number) => (token === times ? -1 : -3) };
  expect(say(alike, language)).toBe('2\\times2');
});

test('the name of a function stands on the line, wherever its letters are', () => {
  const name = sign('\\sin', 50, 14, 60);
  expect(say([sign('x', 0), name, sign('a', 120)])).toBe('x^{\\sin}a');
  expect(say([sign('x', 0), { ...name, isName: true }, sign('a', 120)])).toBe('x\\sina');
});

test('tokens that the line model does not have leave nothing behind', () => {
  expect(say([sign('x', 0), sign('?', 50, 45, 60)])).toBe('');
  expect(say([])).toBe('');
});

test('a sign in a script is what the whole formula takes it for, not what the script by itself would', () => {
  const [raised, two] = [tokens.indexOf('^{'), tokens.indexOf('2')];
  const digits = {
    logProbability: (_: number, before: number, one: number) => (before === raised && one === two ? -1 : -3),
  };
  const formula = [sign('x', 0), sign('1', 50, 45, 60, ['2']), sign('+', 100), sign('a', 150)];
  expect(say(formula)).toBe('x^{1}+a');
  expect(say(formula, digits)).toBe('x^{2}+a');
});
