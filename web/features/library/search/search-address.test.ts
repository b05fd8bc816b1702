import { expect, test } from 'vitest';
import { isSearching, readSearch, toQuery, writeSearch } from './search-address.ts';

test('a search is read from the address as written, and the view is kept', () => {
  const search = {
    words: '',
    formula: '\\int e^{-x^2} & 1',
    folder: 'none',
    age: 'week',
    isStarred: true,
  } as const;
  const address = writeSearch(new URLSearchParams('view=starred&q=old'), search);
  expect(readSearch(new URLSearchParams(address.toString()))).toEqual(search);
  expect(address.get('view')).toBe('starred');
});

test('without a query, no search parameters stay in the address', () => {
  const address = writeSearch(new URLSearchParams('q=x&in=none&age=day&starred=1'), {
    ...readSearch(new URLSearchParams('in=none&age=day&starred=1')),
    words: '  ',
  });
  expect(isSearching(address)).toBe(false);
  expect([...address.keys()].filter((name) => name !== 'q')).toEqual([]);
  expect(readSearch(new URLSearchParams('age=century')).age).toBe('any');
});

test('the server is asked for words or a formula, with a start time that stays the same for a while', () => {
  const now = Date.parse('2026-03-10T12:34:56Z');
  const state = { words: ' heat ', formula: null, folder: null, age: 'week', isStarred: false } as const;
  expect(toQuery(state, now)).toEqual({ q: 'heat', since: '2026-03-03T12:00:00.000Z' });
  expect(toQuery({ ...state, formula: 'x', age: 'any', isStarred: true, folder: 'f' }, now)).toEqual({
    formula: 'x',
    folder: 'f',
    starred: true,
  });
});
