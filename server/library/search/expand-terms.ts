/** From what was typed to the words that the person’s documents have: begun ones completed, mistyped ones forgiven. */
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import type { Term } from './parse-query.ts';
import type { Library } from './transaction.ts';
import { countSlips, forgivenSlips } from './word-likeness.ts';

export interface KnownWord extends Record<string, unknown> {
  word: string;
  /** In how many of the person's documents it is. */
  documents: number;
}

export interface ExpandedTerm {
  /** The word as typed, when there is such a word. */
  exact: KnownWord | null;
  /** Words that begin so, the most used first; without `exact`. */
  completions: KnownWord[];
  /** Words that may have been meant, the likeliest first. */
  forgiven: KnownWord[];
}

/** All words that a term stands for, the likeliest first. */
export const wordsOf = ({ exact, completions, forgiven }: ExpandedTerm): KnownWord[] => [
  ...(exact ? [exact] : []),
  ...completions,
  ...forgiven,
];

/** Words that begin alike, the most used first: fewer of one letter or two, which say little. */
const mostCompletions = [0, 30, 80, 200];
/** They are enough once together they are in so many times the documents there are, and in so many at least. */
const enoughTimes = 2;
const enoughDocuments = 1_000;
/** Of the shortest beginnings in large libraries only common words are looked at. */
const shortBeginning = 2;
const largeLibrary = 5_000;
/** Alike words that are looked at closely for each part they share, and those that are taken. */
const mostAlike = 3_000;
const mostForgiven = 20;
/** A word that so few documents have may be a slip itself: alike ones are looked for too. */
const rareDocuments = 3;

const afterAll = '\u{10ffff}';
const beginsWith = (column: SQL, beginning: string): SQL =>
  sql`${column} >= ${beginning} and ${column} < ${beginning + afterAll}`;

export async function expandTerms(
  db: Database,
  library: Library,
  terms: readonly Term[],
): Promise<ExpandedTerm[]> {
  if (terms.length === 0) return [];
  const parts = terms.flatMap(({ word, isPrefix }, index) => [
    sql`(select ${index}::int as term, term as word, sum(documents)::int as documents from private.search_postings
      where library = ${library.id} and term = ${word} group by term)`,
    ...(isPrefix ? [completionsOf(library, word, index)] : []),
  ]);
  const { rows } = await db.execute<KnownWord & { term: number }>(sql.join(parts, sql` union all `));
  const expanded: ExpandedTerm[] = [];
  for (const [index, term] of terms.entries()) {
    const known = rows.filter((row) => row.term === index && row.documents > 0);
    const exact = known.find(({ word }) => word === term.word) ?? null;
    const completions = takeEnough(
      known.filter(({ word }) => word !== term.word),
      library,
    );
    const documents = known.reduce((sum, row) => sum + row.documents, 0);
    const forgiven = documents < rareDocuments ? await findAlike(db, library, term) : [];
    const taken = new Set(known.map(({ word }) => word));
    expanded.push({ exact, completions, forgiven: forgiven.filter(({ word }) => !taken.has(word)) });
  }
  return expanded;
}

function completionsOf(library: Library, word: string, index: number): SQL {
  const { length } = [...word];
  const isShort = length <= shortBeginning && library.documents > largeLibrary;
  return sql`(select ${index}::int as term, term as word, sum(documents)::int as documents from private.search_postings
    where library = ${library.id} and term <> ${word} and ${beginsWith(sql`term`, word)}
      ${isShort ? sql`and first = 0 and is_common = 1 and term >= '0'` : sql``}
    group by term order by 3 desc, 2 limit ${mostCompletions[Math.min(length, 3)]})`;
}

/** So many words that further ones would add few documents. */
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
 * Words within a slip or two. One slip leaves the first or the second half of a word as it was (of two slips most do),
 * so alike words are among those that begin or end alike. Of a word that is still being typed the end is not known:
 * there, two letters at the beginning are enough, and are put right where they were exchanged or are one too many.
 */
async function findAlike(
  db: Database,
  { id: library }: Library,
  { word, isPrefix }: Term,
): Promise<KnownWord[]> {
  const characters = [...word];
  const { length } = characters;
  const slips = forgivenSlips(length);
  // another number is no slip: 2023 is not 2024
  if (slips === 0 || /\p{N}/u.test(word)) return [];
  const shared = Math.min(3, (length - 1) >> 1);
  const end = characters.slice(-shared).toReversed().join('');
  const beginnings = isPrefix
    ? [characters.slice(0, 2).join(''), ...mendBeginnings(characters, 2)]
    : [characters.slice(0, shared).join('')];
  const hasLength = (most: number) => sql`length(term) between ${length - slips} and ${most}`;
  const parts = [
    ...[...new Set(beginnings)].map(
      (one) => sql`(select term as word from private.search_postings
        where library = ${library} and first = 0 and term >= 'a' and ${beginsWith(sql`term`, one)}
          and ${hasLength(length + (isPrefix ? 12 : slips))} limit ${mostAlike})`,
    ),
    sql`(select term as word from private.search_postings
      where library = ${library} and first = 0 and term >= 'a'
        and ${beginsWith(sql`reverse(term) collate "C"`, end)}
        and ${hasLength(length + slips)} limit ${mostAlike})`,
  ];
  const { rows } = await db.execute<{ word: string }>(sql.join(parts, sql` union `));
  const alike = rows
    .map((row) => ({
      word: row.word,
      slips: Math.min(
        countSlips(word, row.word, slips),
        isPrefix ? countSlips(word, row.word, slips, true) + 0.5 : slips + 1,
      ),
    }))
    .filter((row) => row.slips <= slips + 0.5 && row.word !== word)
    .sort((a, b) => a.slips - b.slips)
    .slice(0, mostForgiven);
  if (alike.length === 0) return [];
  const { rows: known } = await db.execute<KnownWord>(sql`
    select term as word, sum(documents)::int as documents from private.search_postings
    where library = ${library} and term = any(${sql.param(alike.map((row) => row.word))}::text[]) group by term`);
  const byWord = new Map(known.map((row) => [row.word, row]));
  return alike.flatMap((row) => byWord.get(row.word) ?? []);
}

/** The first letters with two neighbours exchanged, or with one of them left out. */
function mendBeginnings(characters: readonly string[], length: number): string[] {
  const mended: string[] = [];
  for (let i = 0; i < length; i++) {
    const exchanged = [...characters];
    exchanged.splice(i, 2, characters[i + 1]!, characters[i]!);
    mended.push(
      exchanged.slice(0, length + 1).join(''),
      characters.toSpliced(i, 1).slice(0, length).join(''),
    );
  }
  return mended;
}
