import { expect, test } from 'vitest';
import { gatherWords, joinNumbers } from './gather-words.ts';
import { splitBlocks } from './split-blocks.ts';

const size = 10;
const word = (left: number, top: number, wide: number, tall = size) => ({
  left,
  top,
  right: left + wide,
  bottom: top + tall,
  pixels: wide * 2,
});
const rowOf = (words: ReturnType<typeof word>[]) =>
  word(words[0]!.left, words[0]!.top, Math.max(...words.map(({ right }) => right)) - words[0]!.left);

test('rows that leave the same gutter free are two columns; such a row by itself is one line', () => {
  const alone = [word(0, 0, 80), word(150, 0, 80)];
  const across = [word(0, 20, 220)];
  const block = [word(0, 40, 60), word(150, 40, 60), word(0, 55, 40), word(160, 55, 40)];
  const rows = [alone, across, block.slice(0, 2), block.slice(2)];
  const regions = splitBlocks(rows.flat(), rows.map(rowOf), size);
  expect(regions).toEqual([
    [...alone, ...across],
    [block[0], block[2]],
    [block[1], block[3]],
  ]);
});

test('numbers of questions above each other are no column', () => {
  const rows = [
    [word(0, 0, 12), word(60, 0, 80)],
    [word(0, 15, 12), word(60, 15, 90)],
  ];
  expect(splitBlocks(rows.flat(), rows.map(rowOf), size)).toEqual([rows.flat()]);
});

test('ink far from any text that was seen is no writing; signs beside it are', () => {
  const letters = [word(100, 100, 10), word(112, 100, 10)];
  const bracket = word(126, 95, 4, 20);
  const spiral = word(10, 300, 30, 20);
  const seen = [{ left: 95, top: 95, right: 125, bottom: 115 }];
  expect(gatherWords([...letters, bracket, spiral], seen, size)).toEqual([
    { ...word(100, 100, 22), pixels: 40 },
    bracket,
  ]);
});

test('a number that stands a little apart from its line is of it', () => {
  expect(joinNumbers([word(0, 4, 12), word(50, 0, 100)], size)).toEqual([
    { left: 0, top: 0, right: 150, bottom: 14, pixels: 224 },
  ]);
});
