import { expect, test } from 'vitest';
import { gatherWords, joinNumbers, withoutBinding } from './gather-words.ts';
import { splitBlocks } from './split-blocks.ts';

const size = 10;
const word = (left: number, top: number, wide: number, tall = size) => ({
  left,
  top,
  right: left + wide,
  bottom: top + tall,
  pixels: wide * 2,
});
type Word = ReturnType<typeof word>;
const rowOf = (words: Word[]) =>
  word(words[0]!.left, words[0]!.top, Math.max(...words.map(({ right }) => right)) - words[0]!.left);
const findRows = (words: readonly Word[]) => [...Map.groupBy(words, ({ top }) => top).values()].map(rowOf);

test('rows that leave the same gutter free are two columns; such a row by itself is one line', () => {
  const alone = [word(0, 0, 80), word(150, 0, 80)];
  const across = [word(0, 20, 220)];
  const block = [word(0, 40, 60), word(150, 40, 60), word(0, 55, 40), word(160, 55, 40)];
  const rows = [alone, across, block.slice(0, 2), block.slice(2)];
  const regions = splitBlocks(rows.flat(), size, findRows);
  expect(regions).toEqual([
    [...alone, ...across],
    [block[0], block[2]],
    [block[1], block[3]],
  ]);
});

test('two rows whose wide gaps hardly share a gutter are two lines', () => {
  const answers = [word(0, 0, 40), word(70, 0, 40)];
  const equations = [word(0, 20, 50), word(170, 20, 60)];
  expect(splitBlocks([...answers, ...equations], size, findRows)).toEqual([[...answers, ...equations]]);
});

test('what has rows of its own under it is the head of a column, though its rows slope', () => {
  const [left, right] = [
    [0, 20, 40],
    [0, 27, 47],
  ].map((tops, side) => tops.map((top) => word(150 * side, top, 60)));
  const rows = [left![0]!, right![0]!, left![1]!, right![1]!, left![2]!, right![2]!];
  expect(splitBlocks(rows, size, findRows)).toEqual([left, right]);
});

test('two columns beside a figure are three', () => {
  const figure = [word(0, 0, 40), word(0, 20, 40)];
  const [left, right] = [100, 200].map((x) => [word(x, 0, 60), word(x, 20, 60)]);
  const rows = [0, 1].flatMap((at) => [figure[at]!, left![at]!, right![at]!]);
  expect(splitBlocks(rows, size, findRows)).toEqual([figure, left, right]);
});

test('numbers of questions above each other are no column', () => {
  const rows = [
    [word(0, 0, 12), word(60, 0, 80)],
    [word(0, 15, 12), word(60, 15, 90)],
  ];
  expect(splitBlocks(rows.flat(), size, findRows)).toEqual([rows.flat()]);
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

test('a bracket just before its words is writing, the edge of the paper further left is not', () => {
  const [edge, bracket] = [word(65, 90, 3, 30), word(92, 90, 4, 30)];
  const seen = [{ left: 98, top: 95, right: 150, bottom: 115 }];
  expect(gatherWords([word(100, 100, 30), edge, bracket], seen, size)).toEqual([word(100, 100, 30), bracket]);
});

test('a number that stands a little apart from its line is of it', () => {
  expect(joinNumbers([word(0, 4, 12), word(50, 0, 100)], size)).toEqual([
    { left: 0, top: 0, right: 150, bottom: 14, pixels: 224 },
  ]);
});

test('the rings of a binding are no words; the numbers of exercises along the other side are', () => {
  const rings = [0, 1, 2, 4, 5, 6, 7].map((at) => word(970 + at, 100 + 40 * at, 24, 32));
  const numbers = [0, 1, 2, 3, 4, 5, 6].map((at) => word(40, 100 + 90 * at, 20, 20));
  const text = word(200, 120, 400, 24);
  expect(withoutBinding([...rings, ...numbers, text], 1000)).toEqual([...numbers, text]);
});
