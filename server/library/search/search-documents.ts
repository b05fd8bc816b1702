/**
 * From what a person typed to what is shown: the query is taken apart (parse-query.ts), its words are looked up among
 * the person's own (expand-terms.ts), the index gives candidates, best first (find-candidates.ts), and what only the
 * text can tell, phrases and formulas, is looked at in the texts themselves (snippets.ts).
 */
import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/database.ts';
import { maxFound, type Snippet, type SnippetPart } from '#shared/api/search.ts';
import { fingerprintQuery } from '#shared/latex/formula/index.ts';
import { expandTerms, wordsOf } from './expand-terms.ts';
import { type DocumentFilter, findCandidates, listNewest } from './find-candidates.ts';
import { parseQuery } from './parse-query.ts';
import { type FoundText, presentFound, type Sought } from './snippets.ts';
import type { Transaction } from './transaction.ts';

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

/** Texts that are read at a time where phrases or formulas have to be looked at. */
const batch = 50;
/** Candidates for phrases and formulas, which not all of them have: so many at first, and so many at most. */
const mostLookedAt = [200, 2_000];

/**
 * The owner's documents that have all that was looked for, best first; where nothing was typed all that the filter
 * leaves, newest first. Pages of one search are parts of one list.
 */
export async function search(db: Database, asked: DocumentSearch): Promise<FoundDocuments> {
  const query = parseQuery(asked.query, asked.formula);
  const isAsked = query.terms.length > 0 || query.formulas.length > 0;
  const isTyped = `${asked.query}${asked.formula ?? ''}`.trim() !== '';
  if (!isAsked && isTyped) return { documents: [], total: 0, hasMore: false };
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`);
      const expansion = await expandTerms(tx, asked.userId, query.terms);
      const sought = {
        words: new Set(expansion.terms.flatMap((term) => wordsOf(term).map(({ word }) => word))),
        phrases: query.phrases,
        formulas: query.formulas,
      };
      const find = (limit: number) =>
        findCandidates(tx, {
          userId: asked.userId,
          expansion,
          phrases: query.phrases,
          fingerprints: query.formulas.flatMap((tokens) => [...fingerprintQuery(tokens)]),
          filter: asked,
          limit,
        });
      if (query.phrases.length === 0 && query.formulas.length === 0) {
        // every candidate counts, and only the texts of this page are read
        const ids = isAsked
          ? await find(maxFound + 1)
          : await listNewest(tx, asked.userId, asked, maxFound + 1);
        const total = Math.min(ids.length, maxFound);
        const page = ids.slice(asked.offset, Math.min(total, asked.offset + asked.limit));
        const documents = await readFound(tx, asked.userId, page, sought, page.length);
        return { documents, total, hasMore: ids.length > total };
      }
      return searchTexts(tx, asked, sought, find);
    },
    { accessMode: 'read only' },
  );
}

/** Looks at the candidates until there are enough of them that have what only their texts can tell. */
async function searchTexts(
  tx: Transaction,
  asked: DocumentSearch,
  sought: Sought,
  find: (limit: number) => Promise<string[]>,
): Promise<FoundDocuments> {
  const enough = Math.min(asked.offset + asked.limit, maxFound) + 1;
  const looked = new Set<string>();
  const documents: FoundDocument[] = [];
  for (const limit of mostLookedAt) {
    const candidates = await find(limit);
    const fresh = candidates.filter((id) => !looked.has(id));
    for (const id of fresh) looked.add(id);
    documents.push(...(await readFound(tx, asked.userId, fresh, sought, enough - documents.length)));
    if (documents.length >= enough || candidates.length < limit) break;
  }
  const total = Math.min(documents.length, maxFound);
  return {
    documents: documents.slice(asked.offset, Math.min(total, asked.offset + asked.limit)),
    total,
    hasMore: documents.length >= enough,
  };
}

/** The first so many of the candidates that have all phrases and formulas. */
async function readFound(
  tx: Transaction,
  userId: string,
  candidates: readonly string[],
  sought: Sought,
  enough: number,
): Promise<FoundDocument[]> {
  const documents: FoundDocument[] = [];
  for (let at = 0; at < candidates.length && documents.length < enough; at += batch) {
    const ids = candidates.slice(at, at + batch);
    const rows = await readTexts(tx, userId, ids);
    for (const documentId of ids) {
      const row = rows.get(documentId);
      const shown = row && presentFound(row, sought);
      if (shown) documents.push({ documentId, ...shown });
    }
  }
  return documents.slice(0, enough);
}

/** Texts of the owner's documents that are there and not in the trash. */
async function readTexts(
  tx: Transaction,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, FoundText>> {
  const { rows } = await tx.execute<FoundText & { id: string } & Record<string, unknown>>(sql`
    select s.document_id as id, s.title, s.body, s.places, s.formulas
    from private.document_search s join documents d on d.id = s.document_id
    where s.document_id = any(${sql.param([...ids])}::uuid[])
      and s.user_id = ${userId}::uuid and d.user_id = ${userId}::uuid and d.trashed_at is null`);
  return new Map(rows.map((row) => [row.id, row]));
}
