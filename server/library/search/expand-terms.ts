/** From what was typed to the words that the person’s documents have: begun ones completed, mistyped ones forgiven. */
import { sql } from 'drizzle-orm';
import type { Term } from './parse-query.ts';
import type { Transaction } from './transaction.ts';
import { countSlips, forgivenSlips, lettersOf } from './word-likeness.ts';

export interface KnownWord extends Record<string, unknown> {
  word: string;
  /** In how many of the person's documents it is, and in how many titles. */
  documents: number;
  titles: number;
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

export interface Expansion {
  terms: ExpandedTerm[];
  /** How many documents the person has. */
  documentCount: number;
}

/** Words that begin alike, the most used first: of short beginnings only the first few are looked for. */
const mostCompletions = [0, 20, 50, 200, 1_000];
/** Alike words that are looked at closely, and those that are taken. */
const mostAlike = 2_000;
const mostForgiven = 20;
/** A word that so few documents have may be a slip itself: alike ones are looked for too. */
const rareDocuments = 3;

export async function expandTerms(tx: Transaction, userId: string, terms: Term[]): Promise<Expansion> {
  const parts = terms.map(({ word, isPrefix }, index) =>
    isPrefix
      ? sql`(select ${index}::int as term, word, documents, titles from private.search_words
          where user_id = ${userId}::uuid and word >= ${word} and word < ${`${word}\u{10ffff}`}
          order by documents desc, word limit ${mostCompletions[word.length] ?? mostCompletions.at(-1)!})
        union all (select ${index}::int, word, documents, titles from private.search_words
          where user_id = ${userId}::uuid and word = ${word})`
      : sql`(select ${index}::int as term, word, documents, titles from private.search_words
          where user_id = ${userId}::uuid and word = ${word})`,
  );
  parts.push(sql`(select -1 as term, word, documents, titles from private.search_words
    where user_id = ${userId}::uuid and word = '')`);
  const { rows } = await tx.execute<KnownWord & { term: number }>(sql.join(parts, sql` union all `));
  const expanded: ExpandedTerm[] = [];
  for (const [index, term] of terms.entries()) {
    const known = rows.filter((row) => row.term === index);
    const exact = known.find(({ word }) => word === term.word) ?? null;
    const completions = known.filter(({ word }) => word !== term.word);
    const documents = known.reduce((sum, row) => sum + row.documents, 0);
    const forgiven = documents < rareDocuments ? await findAlike(tx, userId, term) : [];
    const taken = new Set(known.map(({ word }) => word));
    expanded.push({ exact, completions, forgiven: forgiven.filter(({ word }) => !taken.has(word)) });
  }
  return { terms: expanded, documentCount: rows.find(({ term }) => term === -1)?.documents ?? 0 };
}

/** Words within a slip or two: sifted in the database by length and letters, then looked at closely. */
async function findAlike(tx: Transaction, userId: string, { word, isPrefix }: Term): Promise<KnownWord[]> {
  const length = [...word].length;
  const slips = forgivenSlips(length);
  if (slips === 0) return [];
  const letters = lettersOf(word);
  // a slip brings one letter and takes one; what follows a beginning brings any
  const differing = isPrefix
    ? sql`bit_count((${letters}::int & ~letters)::bit(32)) <= ${slips}`
    : sql`bit_count((${letters}::int # letters)::bit(32)) <= ${slips * 2}`;
  const { rows } = await tx.execute<{ word: string }>(sql`
    select word from private.search_words
    where user_id = ${userId}::uuid and length between ${length - slips} and ${length + (isPrefix ? 6 : slips)}
      and ${differing}
    limit ${mostAlike}`);
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
  const { rows: known } = await tx.execute<KnownWord>(sql`
    select word, documents, titles from private.search_words
    where user_id = ${userId}::uuid and word = any(${sql.param(alike.map((row) => row.word))}::text[])`);
  const byWord = new Map(known.map((row) => [row.word, row]));
  return alike.flatMap((row) => byWord.get(row.word) ?? []);
}
