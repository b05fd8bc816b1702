import { expect, test } from 'vitest';
import { parseTurns, turnPages } from './turned-pages.ts';

const file = (pageCount: number) => ({ key: 'k', kind: 'pdf' as const, pageCount });
const pages = [
  { number: 1, fileIndex: 0, pageIndex: 3 },
  { number: 2, fileIndex: 1, pageIndex: 0 },
];

test('turns are pages with degrees', () => {
  expect([...parseTurns('2:90, 5:180')]).toEqual([
    [2, 1],
    [5, 2],
  ]);
  expect(parseTurns(undefined).size + parseTurns('').size).toBe(0);
  for (const bad of ['2', '2:45', 'x:90', '2:90;3:90', '-1:90'])
    expect(() => parseTurns(bad)).toThrow('such as “2:90,5:180”');
});

test('a turn counts from how the page was shown, and belongs to its file', () => {
  const shown = parseTurns('1:270');
  expect(turnPages([file(4), file(1)], pages, parseTurns('1:180,2:90'), shown, 1)).toEqual([
    { ...file(4), turns: { 3: 1 }, rereads: 1 },
    { ...file(1), turns: { 0: 1 }, rereads: 1 },
  ]);
});

test('earlier decisions stay, and other pages are left to the reader', () => {
  expect(turnPages([file(4), file(1)], pages, parseTurns(''), parseTurns('2:0'), 0)).toEqual([
    file(4),
    { ...file(1), turns: { 0: 0 } },
  ]);
});

test('a page that does not exist cannot be turned', () => {
  expect(() => turnPages([file(4), file(1)], pages, parseTurns('3:90'), null, 0)).toThrow('page 3');
});
