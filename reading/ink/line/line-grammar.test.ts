import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../test-support/random.ts';
import { decodeLine } from './decode-line.ts';
import { closing, follow, type LinePlace, lineStart } from './line-grammar.ts';

const own = [
  '<blank>',
  'a',
  'x',
  '2',
  ' ',
  '=',
  '\\(',
  '\\)',
  '^{',
  '_{',
  '\\frac{',
  '\\sqrt[',
  ']{',
  '\\text{',
  '}{',
  '}',
  '\\{',
  '\\alpha',
];

function walk(tokens: readonly string[], from = lineStart): LinePlace | null {
  let place: LinePlace | null = from;
  for (const token of tokens) place = place && follow(place, token);
  return place;
}

/** Groups close in order, scripts are no doubles, formulas hold something. */
function isSound(tokens: readonly string[]): boolean {
  const latex = tokens
    .join('')
    .replaceAll(/\\[{}]/g, '')
    .replaceAll('\\sqrt[', '\\sqrt{')
    .replaceAll(']{', '}{');
  let depth = 0;
  let isMaths = false;
  for (const [sign] of latex.matchAll(/\\\(|\\\)|[{}]/g)) {
    if (sign === '\\(' || sign === '\\)') {
      if (depth !== 0 || isMaths === (sign === '\\(')) return false;
      isMaths = sign === '\\(';
    } else depth += sign === '{' ? 1 : -1;
    if (depth < 0 || (depth > 0 && !isMaths)) return false;
  }
  return depth === 0 && !isMaths && !/\^\{[^{}]*\}\^|_\{[^{}]*\}_/.test(latex);
}

describe('the grammar of a line', () => {
  test.each([
    [
      'a',
      '\\(',
      'x',
      '^{',
      '2',
      '}',
      '_{',
      'a',
      '}',
      '\\)',
      ' ',
      '\\(',
      '\\frac{',
      'x',
      '}{',
      '2',
      '}',
      '\\)',
    ],
    ['\\(', '\\sqrt[', '2', ']{', 'x', '}', '\\)'],
    ['\\(', '\\text{', 'a', ' ', 'a', '}', '\\)'],
  ])('takes what people write: %s %s %s %s', (...tokens) => {
    const place = walk(tokens);
    expect(place?.isMaths).toBe(false);
  });

  test.each([
    ['}', []],
    ['^{', []],
    ['\\)', ['\\(']],
    ['}', ['\\(', '^{']],
    ['^{', ['\\(', 'x', '^{', '2', '}']],
    ['_{', ['\\(', 'x', '_{', '2', '}', '^{', '2', '}']],
    ['\\)', ['\\(', 'x', '^{', '2']],
    ['}', ['\\(', '\\frac{', 'x']],
    ['}{', ['\\(', 'x', '^{', '2']],
    ['\\(', ['\\(', 'x']],
    [' ', ['\\(', 'x']],
  ])('refuses %s after %j', (token, before) => {
    const place = walk(before);
    expect(place).not.toBeNull();
    expect(follow(place!, token)).toBeNull();
  });

  test('from any place it reaches, what closes it makes it whole', () => {
    for (let run = 0; run < 2000; run++) {
      const { next: random } = createRandom(run);
      let place = lineStart;
      const said: string[] = [];
      for (let offered = 0; offered < 40; offered++) {
        const token = own[1 + Math.floor(random() * (own.length - 1))]!;
        const next = follow(place, token);
        if (!next) continue;
        place = next;
        said.push(token);
      }
      expect([...said, ...closing(place)]).toSatisfy(isSound);
    }
  });
});

test.each(['text', 'maths'] as const)('whatever the scores, what is read as %s is balanced', (from) => {
  for (let run = 0; run < 300; run++) {
    const { next: random } = createRandom(run);
    const frames = 1 + Math.floor(random() * 12);
    const values = Float32Array.from({ length: frames * own.length }, () => -9 * random());
    const { tokens } = decodeLine({ frames, values }, own, { from });
    expect(tokens.map(({ token }) => token)).toSatisfy(isSound);
  }
});

test('every token of the shipped model has its place or none', () => {
  const { tokens } = JSON.parse(
    readFileSync(new URL('../../models/line-reader.json', import.meta.url), 'utf8'),
  ) as { tokens: string[] };
  const maths = walk(['\\(', 'x'])!;
  for (const token of tokens.slice(1))
    for (const place of [lineStart, maths]) {
      const next = follow(place, token);
      if (next)
        expect(isSound([...(place === maths ? ['\\(', 'x'] : []), token, ...closing(next)])).toBe(true);
    }
});
