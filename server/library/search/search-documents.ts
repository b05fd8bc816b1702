/**
 * From what a person typed to what is shown: the query is taken apart (parse-query.ts), its words are looked up among
 * the person's own (expand-terms.ts), the index gives the documents that have them, best first (match-documents.ts).
 * Phrases and formulas are suggested by the index and known by the text: candidates are looked at until there are enough.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/database.ts';
import { maxFound, type Snippet, type SnippetPart } from '#shared/api/search.ts';
import { fingerprintQuery } from '#shared/latex/formula/index.ts';
import { expandTerms, wordsOf } from './expand-terms.ts';
import { type DocumentFilter, findScope, isFiltered, passes } from './filter.ts';
import { type MatchedDocuments, matchDocuments } from './match-documents.ts';
import { parseQuery, type Query } from './parse-query.ts';
import { type FoundText, holdsFormulas, presentFound, type Sought } from './snippets.ts';
import { formulaTerm, pairTerm } from './terms.ts';
import type { Library, Transaction } from './transaction.ts';

export interface DocumentSearch extends DocumentFilter {
  userId: string;
  /** As typed: words, `"words in a row"`, `$formula$`; the last word may be begun only. */
  query: string;
  /** LaTeX of one more formula. */
  formula?: string;
  limit: number;
  offset: number;
}

export interface FoundDocument {
  documentId: string;
  title: SnippetPart[];
  /** Up to three places, in the text's order; none when only the title has the words. */
  snippets: Snippet[];
}

export interface FoundDocuments {
  documents: FoundDocument[];
  /** How many were found without limit and offset; with `hasMore` there are more than these. */
  total: number;
  hasMore: boolean;
}

/** Candidates that are looked at one by one, at most: for the filter, and for phrases and formulas. */
const mostFiltered = 20_000;
const mostLookedAt = 4_000;
/** How many of them at a time: first, and from then on so many times more. */
const firstLook = 200;
const moreEachLook = 3;
/** Formulas are read and compared: fewer at a time. */
const mostFormulasAtOnce = 200;

/**
 * The owner's documents that have all that was looked for, best first; where nothing was typed all that the filter
 * leaves, newest first. Pages of one search are parts of one list.
 */
export async function search(db: Database, asked: DocumentSearch): Promise<FoundDocuments> {
  const nothing = { documents: [], total: 0, hasMore: false };
  const query = parseQuery(asked.query, asked.formula);
  if (query.terms.length === 0 && query.formulas.length === 0) {
    const isTyped = `${asked.query}${asked.formula ?? ''}`.trim() !== '';
    return isTyped ? nothing : listNewest(db, asked);
  }
  return db.transaction(
    async (tx) => {
      const library = await openLibrary(tx, asked.userId);
      if (library === null) return nothing;
      return searchLibrary(tx, library, asked, query);
    },
    { accessMode: 'read only' },
  );
}

/** The person's library, with plans that read few rows by an index, however many there are. */
async function openLibrary(tx: Transaction, userId: string): Promise<Library | null> {
  const off = sql.join(
    ['seqscan', 'hashjoin', 'mergejoin'].map((name) => sql`set_config(${`enable_${name}`}, 'off', true)`),
    sql`, `,
  );
  const { rows } = await tx.execute<Library>(sql`
    select l.id, l.documents, l.next_number as "nextNumber", set_config('jit', 'off', true), ${off}
    from (values (1)) v left join private.search_libraries l on l.user_id = ${userId}::uuid`);
  const [library] = rows;
  return library && library.id !== null ? library : null;
}

async function listNewest(db: Database, asked: DocumentSearch): Promise<FoundDocuments> {
  const { rows } = await db.execute<{ id: string; title: string }>(sql`
    select d.id, d.title from documents d where ${passes(asked.userId, asked)}
    order by d.saved_at desc, d.id limit ${maxFound + 1}`);
  const total = Math.min(rows.length, maxFound);
  return {
    documents: rows.slice(asked.offset, Math.min(total, asked.offset + asked.limit)).map(({ id, title }) => ({
      documentId: id,
      title: [{ kind: 'text', text: title, hit: false }],
      snippets: [],
    })),
    total,
    hasMore: rows.length > total,
  };
}

async function searchLibrary(
  tx: Transaction,
  library: Library,
  asked: DocumentSearch,
  query: Query,
): Promise<FoundDocuments> {
  const expanded = await expandTerms(tx, library, query.terms);
  const fingerprints = query.formulas.flatMap((tokens) => [...fingerprintQuery(tokens)]);
  const isLookedAt = query.phrases.length > 0 || query.formulas.length > 0;
  const isCounted = !isLookedAt && !isFiltered(asked);
  const matched = await matchDocuments(tx, {
    library,
    terms: expanded,
    required: [
      ...query.phrases.flatMap((phrase) =>
        phrase.slice(1).map((word, index) => pairTerm(phrase[index]!, word)),
      ),
      ...fingerprints.map(formulaTerm),
    ],
    scope: await findScope(tx, library, asked.userId, asked),
    limit: isCounted ? maxFound : isLookedAt ? mostLookedAt : mostFiltered,
  });
  const page = { from: asked.offset, to: Math.min(maxFound, asked.offset + asked.limit) };
  const sought: Sought = {
    words: new Set(expanded.flatMap((term) => wordsOf(term).map(({ word }) => word))),
    phrases: query.phrases,
    formulas: query.formulas,
  };
  const enough = isCounted ? maxFound : page.to + 1;
  const ids = await lookAt(tx, library, asked, sought, matched, enough);
  const total = Math.min(ids.length, maxFound);
  return {
    documents: await present(tx, ids.slice(page.from, Math.min(total, page.to)), sought),
    total,
    hasMore: isCounted ? matched.total > matched.numbers.length : ids.length >= enough,
  };
}

/**
 * Ids of the candidates that are there, pass the filter and have all phrases and formulas, in the candidates' order.
 * Stops when there are enough.
 */
async function lookAt(
  tx: Transaction,
  { id: library }: Library,
  asked: DocumentSearch,
  { phrases, formulas }: Sought,
  { numbers }: MatchedDocuments,
  enough: number,
): Promise<string[]> {
  const found: string[] = [];
  const hasPhrases = phrases.map((phrase): SQL => sql`and strpos(s.words, ${` ${phrase.join(' ')} `}) > 0`);
  const most = formulas.length > 0 ? mostFormulasAtOnce : Number.POSITIVE_INFINITY;
  for (let at = 0, size = firstLook; at < numbers.length && found.length < enough; ) {
    const some = numbers.slice(at, at + size);
    at += size;
    size = Math.min(most, size * moreEachLook);
    const { rows } = await tx.execute<{ number: number; id: string; formulas?: string }>(sql`
      select s.number, s.document_id as id ${formulas.length > 0 ? sql`, s.formulas` : sql``}
      from private.document_search s join documents d on d.id = s.document_id
      where s.library = ${library} and s.number = any(${sql.param(some)}::int[])
        and ${passes(asked.userId, asked)} ${sql.join(hasPhrases, sql` `)}`);
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    for (const number of some) {
      const row = byNumber.get(number);
      if (found.length < enough && row && holdsFormulas(row.formulas ?? '', formulas)) found.push(row.id);
    }
  }
  return found;
}

async function present(tx: Transaction, ids: readonly string[], sought: Sought): Promise<FoundDocument[]> {
  if (ids.length === 0) return [];
  const { rows } = await tx.execute<FoundText & { id: string } & Record<string, unknown>>(sql`
    select document_id as id, title, body, places, formulas from private.document_search
    where document_id = any(${sql.param([...ids])}::uuid[])`);
  const texts = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((documentId) => {
    const row = texts.get(documentId);
    return row ? [{ documentId, ...presentFound(row, sought) }] : [];
  });
}
