import { expect, test } from 'vitest';
import { decodeLine } from '../line/decode-line.ts';
import type { LineScores } from '../line/line-model.ts';
import type { InkLine } from '../read-lines.ts';
import { settleNumbers } from './settle-numbers.ts';

const tokens = ['<blank>', '\\(', '\\)', ' ', 'x', '=', ')', '.', ...'0123456789'];

/** Each sign in a frame of its own, with a gap after it; `17|7` may be `17`, or by `share` `7`; `~` is by `share` a point, `_` most likely a space. */
function written(line: string, share: number): InkLine {
  const signs = line.match(/\d+\|\d+|./g)!.flatMap((sign) => {
    const [one, other] = sign.split('|');
    const maybe = (token: string, by: number) => [
      new Map([
        ['', 1 - by],
        [token, by],
      ]),
    ];
    if (sign === '~') return maybe('.', share);
    if (sign === '_') return maybe(' ', 0.97);
    if (other === undefined) return [new Map([[sign, 1]])];
    return [...one!].map((digit, at) => {
      const instead =
        other.length === one!.length ? other[at]! : at < one!.length - other.length ? '' : digit;
      return instead === digit
        ? new Map([[digit, 1]])
        : new Map([
            [digit, 1 - share],
            [instead, share],
          ]);
    });
  });
  const shares = signs.flatMap((sign) => [
    tokens.map((token, at) => sign.get(at === 0 ? '' : token) ?? 1e-6),
    tokens.map((_, at) => (at === 0 ? 1 : 1e-6)),
  ]);
  const look: LineScores = { frames: shares.length, values: Float32Array.from(shares.flat(), Math.log) };
  const inside = decodeLine(look, tokens, { from: 'maths', others: 'all' });
  return { ...inside, box: [0, 0, 1, 0.1], seen: { read: inside, looks: [look] } };
}

const settle = (share: number, ...lines: string[]) =>
  settleNumbers(
    lines.map((line) => written(line, share)),
    tokens,
  ).map((line) =>
    line.tokens
      .map(({ token }) => token)
      .join('')
      .replace('\\(', '')
      .replace('\\)', ''),
  );

test('a number that was misread between two others is what it must be', () => {
  expect(settle(0.2, '6)x=1', 'x=2', '17|7)x=3=x=30', 'x=4', '8)x=5')).toEqual([
    '6)x=1',
    'x=2',
    '7)x=3=x=30',
    'x=4',
    '8)x=5',
  ]);
});

test('so is the first one, and the last one', () => {
  expect(settle(0.2, '4|1)x=1', '2)x=2', '3)x=3', '9|4)x=4')).toEqual(['1)x=1', '2)x=2', '3)x=3', '4)x=4']);
});

test('what the ink says clearly stays', () => {
  const lines = ['6)x=1', '17)x=3', '8)x=5'];
  expect(settle(0, ...lines)).toEqual(lines);
  expect(settle(1e-4, '6)x=1', '17|7)x=3', '8)x=5')).toEqual(lines);
});

test('that a space is seen after a number speaks for no other number', () => {
  expect(settle(0.01, '6)x=1', '17|7)_x=3', '8)x=5')).toEqual(['6)x=1', '17)x=3', '8)x=5']);
});

test('the number of an exercise that is referred to stays', () => {
  expect(settle(0.2, '1)x=1', '2)x=2', '2|3)x=2')).toEqual(['1)x=1', '2)x=2', '2)x=2']);
});

test('a factor in front of a formula becomes no number', () => {
  expect(settle(0.2, '1)x=1', '2~x=4', '3)x=3')).toEqual(['1)x=1', '2x=4', '3)x=3']);
});

test('with one number alone, nothing is known of the others', () => {
  expect(settle(0.2, '6)x=1', '17|7)x=3')).toEqual(['6)x=1', '17)x=3']);
});

test('a number that was changed is set as one, and the first reading stays among the others', () => {
  const [, changed] = settleNumbers(
    ['6)x=1', '17|7)x=3', '8)x=5'].map((line) => written(line, 0.2)),
    tokens,
  );
  expect(changed).toMatchObject({ isNumbered: true });
  expect(changed!.others![0]!.tokens.join('')).toBe('\\(17)x=3\\)');
});
