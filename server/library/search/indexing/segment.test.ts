import { expect, test } from 'vitest';
import { changeSegment } from './change-segment.ts';
import { encodeBlock, posting } from './posting-block.ts';
import {
  backwards,
  countPostings,
  cutSegments,
  decodeSegment,
  encodeSegment,
  forwards,
  fromKey,
  maxInSegment,
  readSegment,
  type SegmentEntry,
  toKey,
} from './segment.ts';

const words = ['+12', '0', 'a', 'ab', 'abacus', 'abate', 'é', 'ряд', '微分', '𝔸b', 'z'.repeat(300), 'zz'];
const block = (index: number) =>
  encodeBlock(Array.from({ length: index * 6 }, (_, number) => posting(number * 1_000, index % 8)));
const entries = words
  .map((word, index) => ({ key: toKey(word), postings: block(index) }))
  .sort((a, b) => (a.key < b.key ? -1 : 1));
const plain = (list: readonly SegmentEntry[]) => list.map(({ key, postings }) => [key, [...postings]]);

test('a segment returns the terms and postings it was built from', () => {
  expect(plain(decodeSegment(encodeSegment(entries)))).toEqual(plain(entries));
  expect(decodeSegment(encodeSegment([]))).toEqual([]);
});

test('terms are sorted by their UTF-8, as in the database', () => {
  expect(entries.map(({ key }) => fromKey(key))).toEqual(
    words.toSorted((a, b) => Buffer.from(a).compare(Buffer.from(b))),
  );
});

test('a prefix finds the terms that begin with it, and nothing else', () => {
  // many neighbours that share beginnings of different lengths
  const terms = ['a', 'b', 'ab', 'ba', 'aab', 'abb', 'abab', 'abba', 'bab', 'é', 'éa', 'aé'];
  const all = [...new Set(terms.flatMap((one) => terms.map((other) => one + other)))];
  const sorted = [...terms, ...all].map((term) => ({ key: toKey(term), postings: Buffer.of(1) }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  const unique = sorted.filter(({ key }, index) => key !== sorted[index - 1]?.key);
  const segment = encodeSegment(unique);
  for (const beginning of [...unique.map(({ key }) => key), '', 'aba', 'abaa', 'abc', 'bb', 'c', ' ', 'zz']) {
    const found: string[] = [];
    readSegment(segment, beginning, (key) => found.push(key) > 0);
    expect([beginning, found]).toEqual([
      beginning,
      unique.map(({ key }) => key).filter((key) => key.startsWith(beginning)),
    ]);
  }
});

test('what exceeds one segment is split in order, and nothing is lost', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => ({
    key: `word${String(index).padStart(5, '0')}`,
    postings: encodeBlock([posting(index, 1)]),
  }));
  const long = { key: 'x'.repeat(5_000), postings: Buffer.of(1) };
  const parts = cutSegments([...many, long]);
  expect(parts.length).toBeGreaterThan(4);
  expect(plain(parts.flat())).toEqual(plain([...many, long]));
  for (const part of parts)
    expect(part.length === 1 || encodeSegment(part).length <= maxInSegment).toBe(true);
});

test('a term’s documents are counted without decoding their numbers', () => {
  expect(words.map((_, index) => countPostings(block(index)))).toEqual(words.map((_, index) => index * 6));
});

test('a reversed word is restored, with letters of any size', () => {
  for (const word of words) expect(forwards(backwards(word))).toBe(word);
  // and sorts after all words
  for (const word of words) expect(toKey(backwards('ab𝔸')) > toKey(word)).toBe(true);
});

test('adding, changing and removing entries gives the same result as writing all of them again', () => {
  // few letters, so that neighbours share much
  let seed = 7;
  const below = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  const word = () => Array.from({ length: 1 + below(24) }, () => 'aab'[below(3)]).join('');
  const known = new Map<string, Uint8Array>();
  let segment: Buffer = Buffer.alloc(0);
  for (let round = 0; round < 400; round++) {
    const keys = [...known.keys()];
    const touched = new Set(
      Array.from({ length: below(12) }, () =>
        keys.length > 0 && below(2) ? keys[below(keys.length)]! : word(),
      ),
    );
    const requested: string[] = [];
    const changed = changeSegment(segment, [...touched].sort(), (key, postings) => {
      expect([key, postings && [...postings]]).toEqual([key, known.has(key) ? [...known.get(key)!] : null]);
      requested.push(key);
      const after = below(3) === 0 ? null : below(3) === 0 ? postings : Buffer.of(below(100), below(100));
      if (after) known.set(key, after);
      else known.delete(key);
      return after;
    });
    expect(requested).toEqual([...touched].sort());
    segment = changed ?? segment;
    const expected = [...known].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(plain(decodeSegment(segment))).toEqual(expected.map(([key, postings]) => [key, [...postings]]));
  }
  expect(known.size).toBeGreaterThan(20);
});
