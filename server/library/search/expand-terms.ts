/** Expands query words to the words that occur in the user's documents: completes prefixes and tolerates typos. */
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { backwards, forwards, reverse } from './indexing/segment.ts';
import type { Term } from './parse-query.ts';
import {
  addUp,
  askIndex,
  beginsWith,
  countPacked,
  countsOf,
  type KnownTerm,
  rangesOf,
  readTerms,
  rowsOf,
  type TermRow,
} from './read-terms.ts';
import type { Library } from './transaction.ts';
import { countSlips, forgivenSlips } from './word-likeness.ts';

export interface KnownWord extends KnownTerm {
  word: string;
}

export interface ExpandedTerm {
  /** The word as typed, if it occurs. */
  exact: KnownWord | null;
  /** Words that begin with it, the most frequent first; without `exact`. */
  completions: KnownWord[];
  /** Words that may have been meant, the most likely first. */
  forgiven: KnownWord[];
}

/** All words that a term matches, the most likely first. */
export const wordsOf = ({ exact, completions, forgiven }: ExpandedTerm): KnownWord[] => [
  ...(exact ? [exact] : []),
  ...completions,
  ...forgiven,
];

/**
 * How many words with a given prefix are used, the most frequent first: fewer for one or two letters, which are not
 * specific.
 */
const maxCompletions = [0, 30, 80, 200];
/**
 * Expansion stops once the words together occur in this multiple of the number of documents, and in at least this many.
 */
const enoughTimes = 2;
const enoughDocuments = 1_000;
/** For short prefixes in large libraries only common words are considered. */
const shortBeginning = 2;
const largeLibrary = 5_000;
/** How many similar words are compared for each part they share, and how many are used. */
const mostAlike = 3_000;
const maxForgiven = 20;
/** A word in this few documents may be a typo itself, so similar ones are considered too. */
const rareDocuments = 3;

export interface LookedUp {
  expanded: ExpandedTerm[];
  /** What is known about each of `required`; null if one of them occurs nowhere. */
  required: Map<string, KnownTerm> | null;
}

/** Looks up the typed words, and other required terms (`pairTerm`, `formulaTerm`) unchanged. */
export async function lookUpTerms(
  db: Database,
  library: Library,
  terms: readonly Term[],
  required: readonly string[],
): Promise<LookedUp> {
  const isBegun = ({ word, isPrefix }: Term) => isPrefix && !isTooShort(library, word);
  const words = [...new Set(terms.map(({ word }) => word))];
  const others = [...new Set(required)];
  const { rows, packed } = await askIndex(db, library.id, {
    rows: [
      ...(words.length > 0 ? [rowsOf(library.id, words, terms.length)] : []),
      ...(others.length > 0 ? [countsOf(library.id, others, terms.length)] : []),
      ...terms.flatMap(({ word, isPrefix }, index) =>
        isPrefix ? [completionsOf(library, word, index)] : [],
      ),
    ],
    terms: [...terms.filter((term) => !isBegun(term)).map(({ word }) => word), ...others],
    beginnings: terms.filter(isBegun).map(({ word }) => word),
  });
  const known = others.length > 0 ? addUp(rows, packed) : new Map<string, KnownTerm>();
  const isMissing = others.some((term) => !known.has(term));
  return {
    expanded: isMissing ? [] : await expandTerms(db, library, terms, rows, packed),
    required: isMissing ? null : new Map(others.map((term) => [term, known.get(term)!])),
  };
}

async function expandTerms(
  db: Database,
  library: Library,
  terms: readonly Term[],
  rows: readonly TermRow[],
  packed: ReadonlyMap<string, Uint8Array>,
): Promise<ExpandedTerm[]> {
  const expanded: ExpandedTerm[] = [];
  for (const [index, term] of terms.entries()) {
    const known = wordsFor(term, index, rows, packed);
    const exact = known.find(({ word }) => word === term.word) ?? null;
    const completions = takeEnough(
      known
        .filter(({ word }) => word !== term.word)
        .sort((a, b) => b.documents - a.documents || (a.word < b.word ? -1 : 1))
        .slice(0, mostCompletionsOf(term.word)),
      library,
    );
    const documents = known.reduce((sum, row) => sum + row.documents, 0);
    const forgiven = documents < rareDocuments ? await findAlike(db, library, term) : [];
    const taken = new Set(known.map(({ word }) => word));
    expanded.push({ exact, completions, forgiven: forgiven.filter(({ word }) => !taken.has(word)) });
  }
  return expanded;
}

/** The word itself and, for a prefix, the words that begin with it. */
function wordsFor(
  { word, isPrefix }: Term,
  index: number,
  rows: readonly TermRow[],
  packed: ReadonlyMap<string, Uint8Array>,
): KnownWord[] {
  const own = rows.filter((row) => row.part === index || (row.term === word && row.postings));
  const shared = [...packed].filter(([term]) => term === word || (isPrefix && term.startsWith(word)));
  return [...addUp(own, new Map(shared))].map(([term, known]) => ({ word: term, ...known }));
}

/** Whether to consider only common words. */
const isTooShort = (library: Library, word: string): boolean =>
  [...word].length <= shortBeginning && library.documents > largeLibrary;

const mostCompletionsOf = (word: string): number => maxCompletions[Math.min([...word].length, 3)]!;

function completionsOf(library: Library, word: string, index: number): SQL {
  return sql`(select ${index}::int as part, term, sum(documents)::int as documents, null::bytea as postings
    from private.search_postings
    where library = ${library.id} and term <> ${word} and ${beginsWith(sql`term`, word)}
      ${isTooShort(library, word) ? sql`and first = 0 and is_common = 1 and term >= '0'` : sql``}
    group by term order by 3 desc, 2 limit ${mostCompletionsOf(word)})`;
}

/** Whether there are so many words that further ones would add few documents. */
function takeEnough(words: KnownWord[], library: Library): KnownWord[] {
  const enough = Math.max(enoughDocuments, library.documents * enoughTimes);
  let sum = 0;
  return words.filter(({ documents }) => {
    const isTaken = sum < enough;
    sum += documents;
    return isTaken;
  });
}

/**
 * Words within one or two typos. One typo leaves the first or the second half of a word unchanged (as do most pairs of
 * typos), so similar words share their beginning or their end. The end of a word that is still being typed is unknown;
 * there, two letters at the beginning suffice, corrected if they were swapped or one of them is extra.
 */
async function findAlike(
  db: Database,
  { id: library }: Library,
  { word, isPrefix }: Term,
): Promise<KnownWord[]> {
  const characters = [...word];
  const { length } = characters;
  const slips = forgivenSlips(length);
  // a different number is not a typo: 2023 is not 2024
  if (slips === 0 || /\p{N}/u.test(word)) return [];
  const shared = Math.min(3, (length - 1) >> 1);
  const end = characters.slice(-shared).join('');
  const beginnings = [
    ...new Set(
      isPrefix
        ? [characters.slice(0, 2).join(''), ...correctBeginnings(characters, 2)]
        : [characters.slice(0, shared).join('')],
    ),
  ];
  const most = length + (isPrefix ? 12 : slips);
  const isAlike = sql`
    library = ${library} and first = 0 and term >= 'a' and length(term) between ${length - slips} and ${most}`;
  const columns = sql`0 as part, term, documents::int as documents, null::bytea as postings`;
  const { rows, packed } = await askIndex(db, library, {
    rows: [
      sql`(select ${columns} from ${rangesOf(beginnings)} cross join lateral (
        select term, documents from private.search_postings
        where ${isAlike} and term >= range.low and term < range.above
        limit ${mostAlike}) alike)`,
      sql`(select ${columns} from private.search_postings
        where ${isAlike} and ${beginsWith(sql`reverse(term) collate "C"`, reverse(end))}
        limit ${mostAlike})`,
    ],
    terms: [],
    beginnings: [...beginnings, backwards(end)],
    letters: { least: length - slips, most },
  });
  const words = new Set([...rows.map(({ term }) => term), ...[...packed.keys()].map(forwards)]);
  const alike = [...words]
    .map((one) => ({
      word: one,
      slips: Math.min(
        countSlips(word, one, slips),
        isPrefix ? countSlips(word, one, slips, true) + 0.5 : slips + 1,
      ),
    }))
    .filter((row) => row.slips <= slips + 0.5 && row.word !== word)
    .sort((a, b) => a.slips - b.slips || (a.word < b.word ? -1 : 1))
    .slice(0, maxForgiven);
  // terms found only in segments have already been read completely
  const ofRows = new Set(rows.map(({ term }) => term));
  const isRead = ({ word: one }: { word: string }) => packed.has(one) && !ofRows.has(one);
  const others = alike.filter((one) => !isRead(one)).map((row) => row.word);
  const known = await readTerms(
    db,
    library,
    others,
    others.filter((one) => ofRows.has(one)),
  );
  return alike.flatMap((row) => {
    const term = isRead(row) ? countPacked(packed.get(row.word)!) : known.get(row.word);
    return term ? [{ word: row.word, ...term }] : [];
  });
}

/** The first letters with two neighbours swapped, or one of them left out. */
function correctBeginnings(characters: readonly string[], length: number): string[] {
  const corrected: string[] = [];
  for (let i = 0; i < length; i++) {
    const exchanged = [...characters];
    exchanged.splice(i, 2, characters[i + 1]!, characters[i]!);
    corrected.push(
      exchanged.slice(0, length + 1).join(''),
      characters.toSpliced(i, 1).slice(0, length).join(''),
    );
  }
  return corrected;
}
