import { describe, expect, test } from 'vitest';
import type { DecodedLine } from '../line/decode-line.ts';
import { readOtherwise, withReadings } from './other-readings.ts';

const listed = (said: string) => said.match(/\\[A-Za-z]+[{[]?|\\.|[\^_]\{|\}\{|./gu) ?? [];
const line = (said: string, ...others: string[]): DecodedLine => ({
  tokens: listed(said).map((token) => ({ token, probability: 0.5, from: 0, to: 1 })),
  share: 0.5,
  score: 0,
  fluency: 0,
  others: others.map((other, at) => ({ tokens: listed(other), share: 0.2 / (at + 1), score: -at })),
});
const spelt = (said: string[][]) => said.map((tokens) => tokens.join(''));

test('where one stretch differs, putting the alternative in its place gives exactly the other reading', () => {
  const words = ['the', 'tt', 'a', 'aa', 'ab', 'ba', '\\(x^{2}\\)', '\\(x\\)', '\\{', '4', 'and so'];
  let tried = 0;
  for (const [first, before] of words.entries())
    for (const here of words)
      for (const other of words) {
        const behind = words[(first * 7 + 3) % words.length]!;
        const best = listed(`${before} ${here} ${behind}`);
        const start = listed(before).length + 1;
        const end = start + listed(here).length;
        const [said] = readOtherwise(line(best.join(''), `${before} ${other} ${behind}`), start, end, 'text');
        if (other === here) expect(said).toBeUndefined();
        else
          expect([...best.slice(0, start), ...said!, ...best.slice(end)]).toEqual(
            listed(`${before} ${other} ${behind}`),
          );
        tried++;
      }
  expect(tried).toBe(words.length ** 3);
});

describe('where more than this stretch differs', () => {
  test('each stretch is offered its own part', () => {
    const read = line('cat sat down', 'cut sit town');
    expect(spelt(readOtherwise(read, 0, 3, 'text'))).toEqual(['cut']);
    expect(spelt(readOtherwise(read, 4, 7, 'text'))).toEqual(['sit']);
    expect(spelt(readOtherwise(read, 8, 12, 'text'))).toEqual(['town']);
  });

  test('a reading that runs over the stretch’s ends is not cut into', () => {
    expect(readOtherwise(line('a cat', 'acat'), 2, 5, 'text')).toEqual([]);
  });
});

test('offers each reading once, those that more of the line’s readings share first, four at most', () => {
  const read = line('a b', 'a c', 'x d', 'y d', 'z d', 'a e', 'a f', 'a g', 'a  b');
  expect(spelt(readOtherwise(read, 2, 3, 'text'))).toEqual(['d', 'c', 'e', 'f']);
});

test('what opens and does not close, and words where a formula stands, are not offered', () => {
  const read = line('\\(x^{2}\\)', '\\(x^{2\\)', '\\(x_{2}\\)', 'x2', '\\(x}\\)');
  expect(spelt(readOtherwise(read, 1, 5, 'maths'))).toEqual(['x_{2}']);
  expect(spelt(readOtherwise(read, 0, 6, 'text'))).toEqual(['\\(x_{2}\\)', 'x2']);
});

test('a line with one reading offers nothing', () => {
  expect(readOtherwise(line('a b'), 0, 1, 'text')).toEqual([]);
  const { others: _, ...alone } = line('a b');
  expect(readOtherwise(alone, 0, 1, 'text')).toEqual([]);
});

test('readings by other means come behind those of the beam, without what is known', () => {
  const read = withReadings(line('a b', 'a c'), [line('a  b'), line('a d'), line('a c'), line('')]);
  expect(spelt(readOtherwise(read, 2, 3, 'text'))).toEqual(['c', 'd']);
});
