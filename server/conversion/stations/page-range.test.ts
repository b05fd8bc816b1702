import { describe, expect, it } from 'vitest';
import { parsePageRange, selectPages } from './page-range.ts';

const parse = (start?: string, end?: string) =>
  parsePageRange(
    new Map([
      ...(start === undefined ? [] : [['start_page', start] as const]),
      ...(end === undefined ? [] : [['end_page', end] as const]),
    ]),
  );

describe('parsePageRange', () => {
  it('defaults to the whole document', () => {
    expect(parse()).toEqual({ startPage: 1, endPage: null });
    expect(parse('', ' ')).toEqual({ startPage: 1, endPage: null });
    expect(parse(' 3 ', '5')).toEqual({ startPage: 3, endPage: 5 });
  });

  it.each([
    ['two', undefined, 'start_page must be a page number such as 1 or 12, not “two”.'],
    ['1.5', undefined, 'start_page must be a page number'],
    ['1e3', undefined, 'start_page must be a page number'],
    ['99999999999999999999', undefined, 'start_page must be a page number'],
    ['-2', undefined, 'start_page must be 1 or more'],
    ['0', undefined, 'start_page must be 1 or more'],
    [undefined, 'end', 'end_page must be a page number'],
    [undefined, '-1', 'end_page must be 1 or more'],
    ['7', '3', 'end_page (3) comes before start_page (7)'],
  ])('refuses start_page %j, end_page %j', (start, end, sentence) => {
    expect(() => parse(start, end)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(sentence) }),
    );
  });
});

describe('selectPages', () => {
  it('gives first and last page', () => {
    expect(selectPages({ startPage: 1, endPage: null }, 4)).toEqual({ first: 1, last: 4 });
    expect(selectPages({ startPage: 2, endPage: 3 }, 4)).toEqual({ first: 2, last: 3 });
  });

  it('says how many pages there are when the range is beyond them', () => {
    const beyond = (range: Parameters<typeof selectPages>[0], count: number) => () =>
      selectPages(range, count);
    expect(beyond({ startPage: 5, endPage: null }, 4)).toThrow(
      'start_page is 5, but there are only 4 pages.',
    );
    expect(beyond({ startPage: 1, endPage: 9 }, 1)).toThrow('end_page is 9, but there is only 1 page.');
  });

  it('counts the requested range against the limit, not the file', () => {
    expect(selectPages({ startPage: 4801, endPage: null }, 5000)).toEqual({ first: 4801, last: 5000 });
    expect(selectPages({ startPage: 1, endPage: 200 }, 5000)).toEqual({ first: 1, last: 200 });
    expect(() => selectPages({ startPage: 1, endPage: null }, 201)).toThrow(
      expect.objectContaining({ code: 'PDF_TOO_LONG' }),
    );
    expect(() => selectPages({ startPage: 100, endPage: 300 }, 300)).toThrow(
      expect.objectContaining({ code: 'PDF_TOO_LONG' }),
    );
  });
});
