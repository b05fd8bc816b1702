import { expect, test } from 'vitest';
import { planPages } from './plan-pages.ts';

const whole = { startPage: 1, endPage: null };

test('several files become one document in the order sent', () => {
  const planned = planPages([{ pageCount: 2 }, { pageCount: 1 }], whole);
  expect(planned).toEqual([
    { number: 1, fileIndex: 0, pageIndex: 0 },
    { number: 2, fileIndex: 0, pageIndex: 1 },
    { number: 3, fileIndex: 1, pageIndex: 0 },
  ]);
});

test('a range counts across all files, and the document’s own numbers begin at 1', () => {
  const planned = planPages([{ pageCount: 2 }, { pageCount: 3 }], { startPage: 2, endPage: 4 });
  expect(planned).toEqual([
    { number: 1, fileIndex: 0, pageIndex: 1 },
    { number: 2, fileIndex: 1, pageIndex: 0 },
    { number: 3, fileIndex: 1, pageIndex: 1 },
  ]);
});

test('the limit counts the range, not the file', () => {
  const long = [{ pageCount: 5_000 }];
  const refused = (message: string) =>
    expect.objectContaining({ code: 'PDF_TOO_LONG', warnings: [{ code: 'PAGE_LIMIT', message }] });
  expect(() => planPages(long, whole)).toThrow(refused('One conversion can have 200 pages; 5000 were sent.'));
  expect(() => planPages(long, { startPage: 1, endPage: 300 })).toThrow(
    refused('One conversion can have 200 pages; 300 of 5000 were requested.'),
  );
  expect(planPages(long, { startPage: 4_801, endPage: 5_000 })).toHaveLength(200);
});

test('a range beyond the last page is rejected with a message', () => {
  expect(() => planPages([{ pageCount: 3 }], { startPage: 4, endPage: null })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('3 pages') }),
  );
});
