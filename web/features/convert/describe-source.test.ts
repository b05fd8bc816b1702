import { expect, test } from 'vitest';
import type { SourceMap } from '#shared/api/conversion.ts';
import { listInkInResult } from './describe-source.ts';

const latex = 'one\ntwo\nthree\nfour\n';
const deliveredMap: SourceMap = {
  lines: [
    { first_line: 2, last_line: 2, page: 1, box: [0, 0.2, 1, 0.1] },
    { first_line: 3, last_line: 3, page: 2, box: [0, 0.3, 1, 0.1] },
    { first_line: 4, last_line: 4, page: 2 },
  ],
  doubtful: [],
};

/** The upper edges of the ink highlighted for a range. */
const litFor = (text: string, range: string) => {
  const from = text.indexOf(range);
  return listInkInResult({ latex: text, deliveredLatex: latex, deliveredMap }, from, from + range.length).map(
    ({ page, box }) => [page, box?.[1]],
  );
};

test('the ink of a line follows the current line, on one page', () => {
  expect(litFor(latex, 'w')).toEqual([[1, 0.2]]);
  expect(litFor(`zero\n${latex}`, 'three')).toEqual([[2, 0.3]]);
  expect(litFor(latex, 'two\nthree')).toEqual([[1, 0.2]]);
});

test('a passage without a place highlights nothing', () => {
  expect(litFor(latex, 'one')).toEqual([]);
  expect(litFor(latex, 'four')).toEqual([]);
});
