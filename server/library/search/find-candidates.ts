/**
 * Which documents have all that is looked for, best first. A person's common words are in most documents, and their
 * lists are as long as the library: then the newest documents are looked at one after the other, and enough of them are
 * found at once. Rare words have short lists: then the index finds them all. What is expected decides, and when the
 * newest do not have enough, the index is asked after all.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type Expansion, type KnownWord, wordsOf } from './expand-terms.ts';
import { rankCandidates } from './rank-candidates.ts';
import { createTokenHash, pairGroup, type TokenKind } from './tokens.ts';
import type { Transaction } from './transaction.ts';

export interface DocumentFilter {
  /** Only documents in one of these folders (not in folders inside them); null: in none. */
  folderIds?: readonly string[] | null;
  starred?: boolean;
  /** When the text was last saved: from this moment on, and before that one. */
  from?: Date;
  to?: Date;
}

export interface CandidateSearch {
  userId: string;
  expansion: Expansion;
  /** Words that follow each other; each is among the terms. */
  phrases: readonly (readonly string[])[];
  /** Fingerprints that all have to be there. */
  fingerprints: readonly string[];
  filter: DocumentFilter;
  /** At most so many, best first. */
  limit: number;
}

/** The newest documents that are looked at one after the other, at most. */
const mostScanned = 4_000;
/** Of a term with very many words only the most used ones count for what a text is about. */
const mostOften = 50;
/** With a filter that leaves so few documents, these are looked at. */
const fewDocuments = 1_500;

/** What a formula alone is taken for: common, until the newest documents say otherwise. */
const formulaShare = 0.5;

/** One of these numbers has to be there. */
type TokenSet = number[];

/** Ids of documents, best first: those with what was typed, and if they are too few, those with what may have been meant. */
export async function findCandidates(tx: Transaction, search: CandidateSearch): Promise<string[]> {
  const scope = await findScope(tx, search);
  if (scope?.length === 0) return [];
  const terms = search.expansion.terms.map((term) => ({ ...term, forgiven: [] }));
  const asTyped = { ...search, expansion: { ...search.expansion, terms } };
  const found = await findWith(tx, asTyped, scope);
  const mayBeMistyped = search.expansion.terms.some(({ forgiven }) => forgiven.length > 0);
  if (found.length < search.limit && mayBeMistyped) found.push(...(await findWith(tx, search, scope)));
  const ids = [...new Set(found)];
  const isRanked = ids.length > 1 && search.expansion.terms.length > 0;
  return (isRanked ? await rankCandidates(tx, search, ids) : ids).slice(0, search.limit);
}

async function findWith(tx: Transaction, search: CandidateSearch, scope: string[] | null): Promise<string[]> {
  const { expansion, fingerprints, phrases, userId } = search;
  const number = createTokenHash(userId);
  const pairs = phrases.flatMap((phrase) =>
    phrase.slice(1).map((word, index): TokenSet => [number('pair', pairGroup(phrase[index]!, word))]),
  );
  const whole = [...pairs, ...fingerprints.map((one): TokenSet => [number('formula', one)])];
  const inAll = async (kind: TokenKind, share: number, choose: (words: KnownWord[]) => KnownWord[]) => {
    const words = expansion.terms.map(
      (term): TokenSet => choose(wordsOf(term)).map(({ word }) => number(kind, word)),
    );
    const sets = [...words, ...whole];
    return sets.length === 0 || sets.some((set) => set.length === 0)
      ? []
      : find(tx, search, scope, { sets, share });
  };
  const share = shareOf(search, 'documents');
  const anywhere = await inAll('word', share, (words) => words);
  // when these are all there are, nothing is gained by asking for the best of them
  if (expansion.terms.length === 0 || anywhere.length < search.limit) return anywhere;
  return [
    ...(await inAll('title', shareOf(search, 'titles'), (words) => words.filter(({ titles }) => titles > 0))),
    ...(await inAll('often', share / 10, (words) => words.slice(0, mostOften))),
    ...anywhere,
  ];
}

/** The share of the person's documents that is expected to have all terms. */
function shareOf(
  { expansion: { terms, documentCount }, fingerprints }: CandidateSearch,
  what: 'documents' | 'titles',
): number {
  if (fingerprints.length > 0 && terms.length === 0) return formulaShare;
  return terms.reduce((share, term) => {
    const sum = wordsOf(term).reduce((total, word) => total + word[what], 0);
    return share * Math.min(1, sum / Math.max(1, documentCount));
  }, 1);
}

/** The ids that the filter leaves, when they are few; null when they are many, or there is no filter. */
async function findScope(tx: Transaction, { userId, filter }: CandidateSearch): Promise<string[] | null> {
  const conditions = filterConditions(filter);
  if (conditions.length === 0) return null;
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from documents d
    where d.user_id = ${userId}::uuid and d.trashed_at is null and ${sql.join(conditions, sql` and `)}
    limit ${fewDocuments + 1}`);
  return rows.length > fewDocuments ? null : rows.map(({ id }) => id);
}

/** What the filter leaves, the one saved last first. */
export async function listNewest(
  tx: Transaction,
  userId: string,
  filter: DocumentFilter,
  limit: number,
): Promise<string[]> {
  const conditions = [
    sql`d.user_id = ${userId}::uuid`,
    sql`d.trashed_at is null`,
    ...filterConditions(filter),
  ];
  return ids(
    await tx.execute<{ id: string }>(sql`
      select d.id from documents d where ${sql.join(conditions, sql` and `)}
      order by d.saved_at desc, d.id limit ${limit}`),
  );
}

function filterConditions({ folderIds, starred, from, to }: DocumentFilter): SQL[] {
  const conditions: SQL[] = [];
  if (folderIds === null) conditions.push(sql`d.folder_id is null`);
  else if (folderIds) conditions.push(sql`d.folder_id = any(${sql.param([...folderIds])}::uuid[])`);
  if (starred !== undefined)
    conditions.push(starred ? sql`d.starred_at is not null` : sql`d.starred_at is null`);
  if (from) conditions.push(sql`d.saved_at >= ${from.toISOString()}::timestamptz`);
  if (to) conditions.push(sql`d.saved_at < ${to.toISOString()}::timestamptz`);
  return conditions;
}

interface Sought {
  sets: TokenSet[];
  /** Of the person's documents, expected to have all sets. */
  share: number;
}

async function find(
  tx: Transaction,
  search: CandidateSearch,
  scope: string[] | null,
  { sets, share }: Sought,
): Promise<string[]> {
  const { userId, limit, filter, expansion } = search;
  const conditions = filterConditions(filter);
  // without a filter the documents themselves need not be asked here: what is trashed is not in the index
  const passes =
    conditions.length > 0
      ? sql`exists (select from documents d where d.id = s.document_id and d.user_id = ${userId}::uuid
          and d.trashed_at is null and ${sql.join(conditions, sql` and `)} offset 0)`
      : sql`true`;
  if (scope) {
    return ids(
      await tx.execute<{ id: string }>(sql`
      select s.document_id as id from private.document_search s
      where s.document_id = any(${sql.param(scope)}::uuid[]) and s.user_id = ${userId}::uuid and ${holdsSets(sets)}
      order by s.changed_at desc limit ${limit}`),
    );
  }
  const scanned = Math.ceil((2 * limit) / Math.max(share, 1e-6)) + 100;
  if (share > 0 && scanned <= mostScanned) {
    const found = ids(
      await tx.execute<{ id: string }>(sql`
      select s.document_id as id
      from (select document_id, tokens, changed_at from private.document_search
        where user_id = ${userId}::uuid order by changed_at desc limit ${scanned}) s
      where ${holdsSets(sets)} and ${passes}
      limit ${limit}`),
    );
    if (found.length >= limit || scanned >= expansion.documentCount) return found;
  }
  return ids(
    await tx.execute<{ id: string }>(sql`
    with s as materialized (
      select document_id, changed_at, user_id from private.document_search s where ${hasSets(sets)}
    )
    select s.document_id as id from s where s.user_id = ${userId}::uuid and ${passes}
    order by s.changed_at desc limit ${limit}`),
  );
}

/** All sets: those of one number together, each other with one of its numbers. For the index. */
function hasSets(sets: readonly TokenSet[]): SQL {
  return joinSets(sets, (set) => sql`s.tokens && ${sql.param(set)}::int[]`);
}

/** The same for documents that are looked at one by one: takes no longer when a set has many numbers. */
function holdsSets(sets: readonly TokenSet[]): SQL {
  return joinSets(
    sets,
    (set) =>
      sql`exists (select from unnest(s.tokens) t (token) where t.token = any(${sql.param(set)}::int[]))`,
  );
}

function joinSets(sets: readonly TokenSet[], hasOne: (set: TokenSet) => SQL): SQL {
  const single = sets.filter((set) => set.length === 1).flat();
  const conditions = sets.filter((set) => set.length !== 1).map(hasOne);
  if (single.length > 0) conditions.unshift(sql`s.tokens @> ${sql.param(single)}::int[]`);
  return sql.join(conditions, sql` and `);
}

const ids = ({ rows }: { rows: { id: string }[] }): string[] => rows.map(({ id }) => id);
