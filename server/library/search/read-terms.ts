/**
 * Reads a library's terms: common and recently added ones have rows of their own, the others share segments
 * (`indexing/segment.ts`). Each document is in only one of the two, so the results are added up.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { countLetters, countPostings, fromKey, readSegment, toKey } from './indexing/segment.ts';

export interface KnownTerm {
  /** How many documents have it. */
  documents: number;
  /** Which documents these are, encoded by `encodeBlock`. */
  blocks: Uint8Array[];
  /** The rows were counted but not read. */
  isCounted?: boolean;
}

/** Parameters for reading `search_postings`. */
export interface TermRow extends Record<string, unknown> {
  /** Which part of the question. */
  part: number;
  term: string;
  documents: number;
  /** Null if it was only counted. */
  postings: Buffer | null;
}

/** Sorts after every term with the same beginning. */
const afterAll = '\u{10ffff}';
export const beginsWith = (column: SQL, beginning: string): SQL =>
  sql`${column} >= ${beginning} and ${column} < ${beginning + afterAll}`;

/** A prefix range, as `range.low` and `range.above` of a row for each. */
export const rangesOf = (beginnings: readonly string[]): SQL => sql`
  unnest(${sql.param([...beginnings])}::text[], ${sql.param(beginnings.map((one) => one + afterAll))}::text[])
    as range (low, above)`;

export interface IndexQuestion {
  /** Queries of `TermRow`s. */
  rows: readonly SQL[];
  /** What to find in the segments: these terms, and all that begin with these. */
  terms: readonly string[];
  beginnings: readonly string[];
  /** For prefixes, only words with this many letters. */
  letters?: { least: number; most: number };
}

/** One statement, so that rows and segments are read at the same moment: terms packed meanwhile are in one of them. */
export async function askIndex(
  db: Database,
  library: number,
  { rows: questions, terms, beginnings, letters }: IndexQuestion,
): Promise<{ rows: TermRow[]; packed: Map<string, Uint8Array> }> {
  const parts = [...questions];
  if (terms.length > 0)
    parts.push(sql`(
      select distinct on (s.first) -1 as part, s.first as term, 0 as documents, s.entries as postings
      from unnest(${sql.param([...terms])}::text[]) t (term) cross join lateral (
        select first, entries from private.search_segments
        where library = ${library} and first <= t.term order by first desc limit 1
      ) s)`);
  if (beginnings.length > 0)
    parts.push(sql`(
      select -1 as part, s.first as term, 0 as documents, s.entries as postings
      from ${rangesOf(beginnings)} cross join lateral (
        select first, entries from private.search_segments
        where library = ${library} and first < range.above and first >= coalesce((
          select first from private.search_segments
          where library = ${library} and first <= range.low order by first desc limit 1), '')
        offset 0
      ) s)`);
  if (parts.length === 0) return { rows: [], packed: new Map() };
  const { rows } = await db.execute<TermRow>(sql.join(parts, sql` union all `));
  const segments = rows
    .filter(({ part }) => part < 0)
    .map(({ term, postings }) => ({ first: toKey(term), entries: postings! }))
    .sort((a, b) => (a.first < b.first ? -1 : 1));
  const packed = new Map<string, Uint8Array>();
  for (const term of terms) readTerm(segments, term, packed);
  for (const beginning of beginnings)
    for (const { entries } of segments)
      readSegment(entries, toKey(beginning), (key, entry) => {
        const count = letters && countLetters(key);
        if (count === undefined || (count >= letters!.least && count <= letters!.most))
          packed.set(fromKey(key), entry.block());
        return true;
      });
  return { rows: rows.filter(({ part }) => part >= 0), packed };
}

/** @param segments in order; may contain duplicates */
function readTerm(
  segments: readonly { first: string; entries: Buffer }[],
  term: string,
  packed: Map<string, Uint8Array>,
): void {
  const sought = toKey(term);
  const segment = segments.findLast(({ first }) => first <= sought);
  if (segment)
    readSegment(segment.entries, sought, (key, entry) => {
      if (key === sought) packed.set(term, entry.block());
      return false;
    });
}

/** All rows of some terms, with their documents. */
export const rowsOf = (library: number, terms: readonly string[], part = 0): SQL => sql`(
  select ${part}::int as part, term, documents::int as documents, postings from private.search_postings
  where library = ${library} and term = any(${sql.param([...terms])}::text[]))`;

/** How many documents the rows of some terms contain. */
export const countsOf = (library: number, terms: readonly string[], part = 0): SQL => sql`(
  select ${part}::int as part, term, sum(documents)::int as documents, null::bytea as postings
  from private.search_postings
  where library = ${library} and term = any(${sql.param([...terms])}::text[]) group by term)`;

export const countPacked = (block: Uint8Array): KnownTerm => ({
  documents: countPostings(block),
  blocks: [block],
});

/** What is known about each term, from its rows and its segment; terms without documents are left out. */
export function addUp(
  rows: readonly TermRow[],
  packed: ReadonlyMap<string, Uint8Array>,
): Map<string, KnownTerm> {
  const known = new Map<string, KnownTerm>();
  for (const [term, block] of packed) known.set(term, countPacked(block));
  for (const { term, documents, postings } of rows) {
    if (documents === 0) continue;
    const one = known.get(term) ?? { documents: 0, blocks: [] };
    known.set(term, one);
    one.documents += documents;
    if (postings) one.blocks.push(postings);
    else one.isCounted = true;
  }
  return known;
}

/**
 * The terms that occur in any document.
 * @param ofRows those that can have rows
 */
export async function readTerms(
  db: Database,
  library: number,
  terms: readonly string[],
  ofRows = terms,
): Promise<Map<string, KnownTerm>> {
  if (terms.length === 0) return new Map();
  const rows = ofRows.length > 0 ? [rowsOf(library, ofRows)] : [];
  const found = await askIndex(db, library, { rows, terms, beginnings: [] });
  return addUp(found.rows, found.packed);
}

/** The blocks of all these terms: reads the rows that were only counted. */
export async function readBlocks(
  db: Database,
  library: number,
  known: ReadonlyMap<string, KnownTerm>,
): Promise<Map<string, readonly Uint8Array[]>> {
  const blocks = new Map<string, readonly Uint8Array[]>();
  const counted: string[] = [];
  for (const [term, one] of known) {
    blocks.set(term, one.blocks);
    if (one.isCounted) counted.push(term);
  }
  if (counted.length === 0) return blocks;
  const { rows } = await db.execute<TermRow>(rowsOf(library, counted));
  const read = addUp(rows, new Map());
  // packed since they were counted
  const moved = await readTerms(
    db,
    library,
    counted.filter((term) => !read.has(term)),
  );
  for (const term of counted)
    blocks.set(term, [...blocks.get(term)!, ...((read.get(term) ?? moved.get(term))?.blocks ?? [])]);
  return blocks;
}
