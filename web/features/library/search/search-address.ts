/** The search is kept in the address, so that going back from a document restores it: the query, and its filters. */
import type { SearchQuery } from '#shared/api/search.ts';

export interface SearchState {
  /** Words, phrases, and formulas between dollars. */
  words: string;
  /** LaTeX; null for a search by words. */
  formula: string | null;
  /** A folder and its descendants; `none`: documents in no folder; null: everywhere. */
  folder: string | null;
  age: Age;
  isStarred: boolean;
}

export const ages = ['any', 'day', 'week', 'month', 'year'] as const;
/** Saved within this period. */
export type Age = (typeof ages)[number];

const days: Record<Exclude<Age, 'any'>, number> = { day: 1, week: 7, month: 31, year: 366 };
const dayMs = 86_400_000;
/** Times are truncated to this, or each render would be a new query. */
const grainMs = 3_600_000;

export function readSearch(query: URLSearchParams): SearchState {
  const age = ages.find((one) => one === query.get('age'));
  return {
    words: query.get('q') ?? '',
    formula: query.get('formula'),
    folder: query.get('in'),
    age: age ?? 'any',
    isStarred: query.get('starred') === '1',
  };
}

/** True if results are shown in place of the shelf. */
export function isSearching(query: URLSearchParams): boolean {
  const { words, formula } = readSearch(query);
  return words.trim() !== '' || (formula ?? '').trim() !== '';
}

/** Writes the search into the address's query; other parameters (the view) stay. */
export function writeSearch(query: URLSearchParams, search: SearchState): URLSearchParams {
  const next = new URLSearchParams(query);
  const put = (name: string, value: string | null) =>
    value === null || value === '' ? next.delete(name) : next.set(name, value);
  put('q', search.formula === null ? search.words : null);
  put('formula', search.formula);
  const isOn = isSearching(next);
  put('in', isOn ? search.folder : null);
  put('age', isOn && search.age !== 'any' ? search.age : null);
  put('starred', isOn && search.isStarred ? '1' : null);
  return next;
}

/** The query sent to the server. @param now ms since 1970 */
export function toQuery(search: SearchState, now: number): Partial<SearchQuery> {
  const since =
    search.age === 'any'
      ? undefined
      : new Date(Math.floor((now - days[search.age] * dayMs) / grainMs) * grainMs).toISOString();
  return {
    ...(search.formula === null ? { q: search.words.trim() } : { formula: search.formula.trim() }),
    ...(search.folder === null ? {} : { folder: search.folder }),
    ...(search.isStarred ? { starred: true } : {}),
    ...(since ? { since } : {}),
  };
}
