import { expect, test } from 'vitest';
import { type LineEvidence, seenAsRead, seenIn } from './seen-signs.ts';

const tokens = ['<blank>', '\\(', '\\)', '^{', '}', 'x', '2', '\\{'];
/** One frame a token; `.` is a blank. */
const look = (said: string[], probability = 0.9) => ({
  frames: said.length,
  values: Float32Array.from(
    said.flatMap((token) =>
      tokens.map((one, at) =>
        Math.log(one === token || (token === '.' && at === 0) ? probability : (1 - probability) / 7),
      ),
    ),
  ),
});
const evidence = (said: string[]): LineEvidence => ({
  read: {
    tokens: said.map((token, at) => ({ token, probability: 0.8, from: at, to: at + 1 })),
    share: 1,
    score: 0,
    fluency: 0,
  },
  looks: [look(said)],
  width: 10 * said.length,
  tokens,
});

test('signs of ink with their columns and their scripts, each once', () => {
  const said = ['\\(', 'x', 'x', '.', '^{', '2', '}', '.', 'x', '\\{', '\\)'];
  const seen = seenIn(look(said), evidence(said));
  expect(seen.map(({ token, x, path }) => [token, x, path])).toEqual([
    ['x', 15, ''],
    ['2', 55, '^'],
    ['x', 85, ''],
    ['\\{', 95, ''],
  ]);
});

test('what is hardly likelier than the rest was not seen', () => {
  const said = ['x', '.', '2'];
  expect(seenIn(look(said, 0.25), evidence(said))).toEqual([]);
});

test('the line as it was read stands before what its first crop says there', () => {
  const line = evidence(['\\(', 'x', '^{', '2', '}', '\\)']);
  line.looks = [look(['\\(', 'x', '.', 'x', '.', '\\)'])];
  const seen = seenAsRead(line);
  expect(seen.map(({ token, x, path }) => [token, Math.round(x), path])).toEqual([
    ['x', 15, ''],
    ['2', 35, '^'],
  ]);
  const [, two] = seen;
  const likeliest = two!.row.indexOf(Math.max(...two!.row));
  expect(tokens[likeliest]).toBe('2');
});
