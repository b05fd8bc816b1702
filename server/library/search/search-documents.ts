/**
 * From a query to its results: the query is parsed (parse-query.ts), its words are expanded to those in the user's
 * documents (expand-terms.ts), and the index returns matching documents, best first (match-documents.ts). For phrases
 * and formulas the index only gives candidates; their texts are checked until there are enough results.
 */
import { type SQL, sql } from 'drizzle-orm';
import { fingerprintQuery } from '#latex/formula/index.ts';
import type { Database } from '#server/database/database.ts';
import { maxFound, type Snippet, type SnippetPart } from '#shared/api/search.ts';
import { lookUpTerms, wordsOf } from './expand-terms.ts';
import { type DocumentFilter, findScope, isFiltered, passes } from './filter.ts';
import { readText, type TextColumns } from './indexing/rewrite-rows.ts';
import { encodeRow } from './indexing/stored-text.ts';
import { matchDocuments } from './match-documents.ts';
import { parseQuery, type Query } from './parse-query.ts';
import type { IndexedFile } from './schema.ts';
import { holdsFormulas, presentFound, type Sought } from './snippets.ts';
import { formulaTerm, pairTerm } from './terms.ts';
import type { Library } from './transaction.ts';

export interface DocumentSearch extends DocumentFilter {
  userId: string;
  /** As typed: words, `"an exact phrase"`, `$formula$`; the last word may be incomplete. */
  query: string;
  /** LaTeX of one more formula. */
  formula?: string;
  limit: number;
  offset: number;
}

interface FoundDocument {
  documentId: string;
  title: SnippetPart[];
  /** Up to three places, in text order; none if only the title matches. */
  snippets: Snippet[];
}

export interface FoundDocuments {
  documents: FoundDocument[];
  /** How many were found, regardless of limit and offset; with `hasMore`, there are more than these. */
  total: number;
  hasMore: boolean;
}

/** How many candidates are checked at most: for the filter, and for phrases and formulas. */
const maxFiltered = 20_000;
const maxLookedAt = 4_000;
/** How many of them at a time: at first, and at most. */
const firstLook = 50;
const mostGrowth = 6;
const maxAtOnce = 2_000;
/** Formulas have to be read and compared: fewer at a time, unless a filter matches few documents. */
const maxFormulasAtOnce = 200;

/**
 * The owner's documents that match everything, best first; without a query, all that match the filter, newest first.
 * Pages of one search are parts of one list.
 */
export async function search(db: Database, wanted: DocumentSearch): Promise<FoundDocuments> {
  const nothing = { documents: [], total: 0, hasMore: false };
  const query = parseQuery(wanted.query, wanted.formula);
  if (query.terms.length === 0 && query.formulas.length === 0) {
    const isTyped = `${wanted.query}${wanted.formula ?? ''}`.trim() !== '';
    return isTyped ? nothing : listNewest(db, wanted);
  }
  const library = await findLibrary(db, wanted.userId);
  return library === null ? nothing : searchLibrary(db, library, wanted, query);
}

async function findLibrary(db: Database, userId: string): Promise<Library | null> {
  const { rows } = await db.execute<Library>(sql`
    select id, documents, next_number as "nextNumber" from private.search_libraries where user_id = ${userId}::uuid`);
  return rows[0] ?? null;
}

async function listNewest(db: Database, wanted: DocumentSearch): Promise<FoundDocuments> {
  const { rows } = await db.execute<{ id: string; title: string }>(sql`
    select d.id, d.title from documents d where ${passes(wanted.userId, wanted)}
    order by d.saved_at desc, d.id limit ${maxFound + 1}`);
  const total = Math.min(rows.length, maxFound);
  return {
    documents: rows
      .slice(wanted.offset, Math.min(total, wanted.offset + wanted.limit))
      .map(({ id, title }) => ({
        documentId: id,
        title: [{ kind: 'text', text: title, hit: false }],
        snippets: [],
      })),
    total,
    hasMore: rows.length > total,
  };
}

async function searchLibrary(
  db: Database,
  library: Library,
  wanted: DocumentSearch,
  query: Query,
): Promise<FoundDocuments> {
  const pairs = query.phrases.flatMap((phrase) =>
    phrase.slice(1).map((word, index) => pairTerm(phrase[index]!, word)),
  );
  const fingerprints = query.formulas.flatMap((tokens) => [...fingerprintQuery(tokens)]);
  // sequentially: a second connection, which may have to be opened, would hardly be faster
  const { expanded, required } = await lookUpTerms(db, library, query.terms, [
    ...pairs,
    ...fingerprints.map(formulaTerm),
  ]);
  const scope = await findScope(db, library, wanted);
  const isLookedAt = query.phrases.length > 0 || query.formulas.length > 0;
  const isCounted = !isLookedAt && !isFiltered(wanted);
  const page = { from: wanted.offset, to: Math.min(maxFound, wanted.offset + wanted.limit) };
  const matched = await matchDocuments(db, {
    library,
    terms: expanded,
    required,
    scope,
    limit: isLookedAt ? maxLookedAt : isCounted ? maxFound : maxFiltered,
  });
  const sought: Sought = {
    words: new Set(expanded.flatMap((term) => wordsOf(term).map(({ word }) => word))),
    phrases: query.phrases,
    formulas: query.formulas,
  };
  // if every candidate matches, only those shown are looked up
  const enough = isCounted ? page.to : page.to + 1;
  const { ids, looked } = await lookAt(db, library, wanted, sought, {
    numbers: matched.numbers,
    isLeftToFilter: isFiltered(wanted) && scope === null,
    enough,
  });
  const found = isCounted ? matched.total - (looked - ids.length) : ids.length;
  const total = Math.min(found, maxFound);
  return {
    documents: await present(db, ids.slice(page.from, Math.min(total, page.to)), sought),
    total,
    hasMore: isCounted ? found > total : ids.length >= enough,
  };
}

interface Candidates {
  /** Best first. */
  numbers: readonly number[];
  /** The filter may match few of them. */
  isLeftToFilter: boolean;
  /** How many are needed. */
  enough: number;
}

/**
 * Ids of the candidates that exist, match the filter and contain all phrases and formulas, in the candidates' order.
 * Stops when there are enough.
 */
async function lookAt(
  db: Database,
  { id: library }: Library,
  wanted: DocumentSearch,
  { phrases, formulas }: Sought,
  { numbers, isLeftToFilter, enough }: Candidates,
): Promise<{ ids: string[]; looked: number }> {
  const ids: string[] = [];
  const hasPhrases = phrases.map((phrase): SQL => {
    const holds = sql`case when s.word_row is null then strpos(s.words, ${` ${phrase.join(' ')} `}) > 0
      else position(${encodeRow(phrase)}::bytea in s.word_row) > 0 end`;
    // the larger column is read last: the words, or in most other cases the documents
    return isLeftToFilter ? sql`and case when passing.id is not null then ${holds} end` : sql`and ${holds}`;
  });
  const most = formulas.length > 0 && !isLeftToFilter ? maxFormulasAtOnce : maxAtOnce;
  let looked = 0;
  for (let size = Math.max(firstLook, enough); looked < numbers.length && ids.length < enough; ) {
    const some = numbers.slice(looked, looked + size);
    // each document is looked up by id, so that the query planner does not read all of them
    const { rows } = await db.execute<{ number: number; id: string; formulas?: string }>(sql`
      select s.number, s.document_id as id ${formulas.length > 0 ? sql`, s.formulas` : sql``}
      from private.document_search s
        cross join lateral (select d.id from documents d
          where d.id = s.document_id and ${passes(wanted.userId, wanted)} offset 0) passing
      where s.library = ${library} and s.number = any(${sql.param(some)}::int[]) ${sql.join(hasPhrases, sql` `)}`);
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    for (const number of some) {
      if (ids.length >= enough) break;
      looked++;
      const row = byNumber.get(number);
      if (row && holdsFormulas(row.formulas ?? '', formulas)) ids.push(row.id);
    }
    // as many as probably contain the missing results, estimated from the few already checked
    const likely = ((enough - ids.length) * looked * 1.3) / Math.max(1, ids.length);
    size = Math.min(most, Math.max(firstLook, Math.ceil(Math.min(likely, looked * mostGrowth))));
  }
  return { ids, looked };
}

async function present(db: Database, ids: readonly string[], sought: Sought): Promise<FoundDocument[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.execute<StoredRow>(sql`
    select document_id as id, title, content, body, places, headings, files,
      ${sought.formulas.length > 0 ? sql`formulas` : sql`''`} as formulas
    from private.document_search where document_id = any(${sql.param([...ids])}::uuid[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((documentId) => {
    const row = byId.get(documentId);
    if (!row) return [];
    const { title, formulas, files } = row;
    return [{ documentId, ...presentFound({ title, formulas, files, ...readText(row) }, sought) }];
  });
}

interface StoredRow extends TextColumns, Record<string, unknown> {
  id: string;
  title: string;
  files: IndexedFile[] | null;
  formulas: string;
}
