/** A search is in the address, so that the way back from a found document leads to it: what is looked for, and where. */
import type { SearchQuery } from '#shared/api/search.ts';

export interface SearchState {
  /** Words, phrases, and formulas between dollars. */
  words: string;
  /** LaTeX; null where words are looked for. */
  formula: string | null;
  /** A folder with those in it; `none`: what lies in no folder; null: everywhere. */
  folder: string | null;
  age: Age;
  isStarred: boolean;
}

export const ages = ['any', 'day', 'week', 'month', 'year'] as const;
/** Saved within the last … */
export type Age = (typeof ages)[number];

const days: Record<Exclude<Age, 'any'>, number> = { day: 1, week: 7, month: 31, year: 366 };
const dayMs = 86_400_000;
/** Moments are cut to this, or each look at the address would be another query. */
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

/** Whether results are shown in place of the shelf. */
export function isSearching(query: URLSearchParams): boolean {
  const { words, formula } = readSearch(query);
  return words.trim() !== '' || (formula ?? '').trim() !== '';
}

/** The address's query with this search; what else is in it (the view) stays. */
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

/** What the server is asked. @param now ms since 1970 */
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
