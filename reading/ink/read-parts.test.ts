import { expect, test } from 'vitest';
import type { DecodedLine } from './line/decode-line.ts';
import { composeLine, type LinePart, readingOf } from './read-parts.ts';

/** A reading by its tokens, each a frame wide. */
const read = (said: string): DecodedLine => ({
  tokens: said.split(' ').map((token, at) => ({ token, probability: 0.9, from: at, to: at + 1 })),
  share: 0.8,
  score: -1,
  fluency: 0,
});
const formula = (said: string) => read(`\\( ${said} \\)`);
const surely = (said: string, probability: number): DecodedLine => {
  const line = formula(said);
  return { ...line, tokens: line.tokens.map((one) => ({ ...one, probability })) };
};
const said = (line: DecodedLine | null) => line?.tokens.map(({ token }) => token).join(' ');

test('parts become one formula, in the order of LaTeX', () => {
  const line = composeLine([
    { kind: 'beside', read: formula('y =') },
    { kind: 'high', read: formula('x + 1') },
    { kind: 'low', read: formula('2') },
    { kind: 'beside', read: formula('+') },
    { kind: 'inside', read: formula('5') },
  ]);
  expect(said(line)).toBe('\\( y = \\frac{ x + 1 }{ 2 } + \\sqrt{ 5 } \\)');
  const starts = line!.tokens.map(({ from }) => from);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

test('words beside a fraction stay words', () => {
  const line = composeLine([
    { kind: 'beside', read: read('s o') },
    { kind: 'high', read: formula('1') },
    { kind: 'low', read: formula('2') },
  ]);
  expect(said(line)).toBe('s o \\( \\frac{ 1 }{ 2 } \\)');
});

test('a fraction of which a part was not read is not composed', () => {
  const nothing = { ...read(''), tokens: [] };
  const parts = [
    { kind: 'high', read: formula('1') },
    { kind: 'low', read: nothing },
  ] as const;
  expect(composeLine(parts)).toBeNull();
});

const part = (kind: LinePart['kind'], parts: LinePart[] = []) => ({ kind, parts }) as unknown as LinePart;

test('what is above a bar is read of its own parts where it has some', () => {
  const inside = part('inside');
  const high = part('high', [part('beside'), inside]);
  const each = new Map([
    [high, formula('2 5 x')],
    [high.parts[0]!, formula('2')],
    [inside, formula('x')],
  ]);
  expect(said(readingOf(high, { each, isFromScreen: false }))).toBe('\\( 2 \\sqrt{ x } \\)');
});

test('it is read as a whole where that has as much and is as sure', () => {
  const high = part('high', [part('beside'), part('inside')]);
  const whole = formula('2 \\sqrt{ x }');
  const sure = { ...whole, tokens: whole.tokens.map((one) => ({ ...one, probability: 0.99 })) };
  const each = new Map([
    [high, sure],
    [high.parts[0]!, formula('7')],
    [high.parts[1]!, formula('x')],
  ]);
  expect(said(readingOf(high, { each, isFromScreen: false }))).toBe('\\( 2 \\sqrt{ x } \\)');
});

test('on a screen its own parts count unless it is much surer as a whole, and what was read sign by sign before both', () => {
  const rest = part('rest');
  const high = part('high', [part('beside'), part('inside'), rest]);
  const whole = formula('2 \\sqrt{ x }');
  const surelyWhole = (probability: number) => ({
    ...whole,
    tokens: whole.tokens.map((one) => ({ ...one, probability })),
  });
  const readings = (probability: number) => ({
    each: new Map([
      [high, surelyWhole(probability)],
      [high.parts[0]!, formula('7')],
      [high.parts[1]!, formula('x')],
      [rest, formula('7')],
    ]),
    isFromScreen: true,
  });
  expect(said(readingOf(high, readings(0.95)))).toBe('\\( 7 \\sqrt{ x } \\)');
  const bySigns = new Map([[rest, formula('7 \\sqrt{ 2 }')]]);
  expect(said(readingOf(high, { ...readings(0.95), bySigns }))).toBe('\\( 7 \\sqrt{ 2 } \\)');
  const unsure = {
    ...readings(1),
    each: new Map([
      ...readings(1).each,
      [high.parts[0]!, surely('7', 0.4)],
      [high.parts[1]!, surely('x', 0.4)],
    ]),
  };
  expect(said(readingOf(high, unsure))).toBe('\\( 2 \\sqrt{ x } \\)');
});
