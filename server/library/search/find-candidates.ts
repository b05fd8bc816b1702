/**
 * Which documents have all that is looked for, best first. A person's common words are in most documents, and their
 * lists are as long as the library: then the newest documents are looked at one after the other, and enough of them are
 * found at once. Rare words have short lists: then the index finds them all. What is expected decides, and when the
 * newest do not have enough, the index is asked after all.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ExpandedTerm, Expansion, KnownWord } from './expand-terms.ts';
import { createTokenHash, type TokenKind } from './tokens.ts';
import type { Transaction } from './transaction.ts';

export interface DocumentFilter {
  /** Only documents in one of these folders (not in folders inside them). */
  folderIds?: readonly string[];
  starred?: boolean;
  /** When the text was last saved: from this moment on, and before that one. */
  from?: Date;
  to?: Date;
}

export interface CandidateSearch {
  userId: string;
  expansion: Expansion;
  /** Fingerprints that all have to be there. */
  fingerprints: readonly string[];
  filter: DocumentFilter;
  /** At most so many, best first. */
  limit: number;
}

/** The newest documents that are looked at one after the other, at most. */
const mostScanned = 4_000;
/** Of a term with very many words only the most used are compared where documents are looked at one after the other. */
const mostCompared = 40;
/** With a filter that leaves so few documents, these are looked at. */
const fewDocuments = 3_000;

/** What a formula alone is taken for: common, until the newest documents say otherwise. */
const formulaShare = 0.5;

/** One of these numbers has to be there. */
type TokenSet = number[];

/** Ids of documents, best first. */
export async function findCandidates(tx: Transaction, search: CandidateSearch): Promise<string[]> {
  const { expansion, fingerprints, userId } = search;
  const number = createTokenHash(userId);
  const formulas = fingerprints.map((one): TokenSet => [number('formula', one)]);
  const tokensOf = (kind: TokenKind) => (term: ExpandedTerm) =>
    wordsOf(term).map(({ word }) => number(kind, word));
  const all = [...expansion.terms.map(tokensOf('word')), ...formulas];
  if (all.length === 0) return [];
  if (all.some((set) => set.length === 0)) return [];
  const scope = await findScope(tx, search);
  if (scope?.length === 0) return [];

  const hasTitles =
    expansion.terms.length > 0 &&
    expansion.terms.every((term) => wordsOf(term).some(({ titles }) => titles > 0));
  const inTitles = hasTitles
    ? await find(tx, search, scope, {
        sets: [...expansion.terms.map(tokensOf('title')), ...formulas],
        share: shareOf(expansion, 'titles'),
      })
    : [];
  const often =
    expansion.terms.length > 0
      ? await find(tx, search, scope, {
          sets: [...expansion.terms.map(tokensOf('often')), ...formulas],
          share: shareOf(expansion, 'documents') / 10,
        })
      : [];
  const anywhere = await find(tx, search, scope, { sets: all, share: shareOf(expansion, 'documents') });
  const found = [...new Set([...inTitles, ...often, ...anywhere])];
  return found.length < 2 ? found : (await rank(tx, search, found, number)).slice(0, search.limit);
}

const wordsOf = ({ exact, others }: ExpandedTerm): KnownWord[] => (exact ? [exact, ...others] : others);

/** The share of the person's documents that is expected to have all terms. */
function shareOf({ terms, documentCount }: Expansion, what: 'documents' | 'titles'): number {
  if (terms.length === 0) return formulaShare;
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

function filterConditions({ folderIds, starred, from, to }: DocumentFilter): SQL[] {
  const conditions: SQL[] = [];
  if (folderIds) conditions.push(sql`d.folder_id = any(${sql.param([...folderIds])}::uuid[])`);
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
      where s.document_id = any(${sql.param(scope)}::uuid[]) and s.user_id = ${userId}::uuid and ${hasSets(sets)}
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
      where ${hasSets(sets.map((set) => set.slice(0, mostCompared)))} and ${passes}
      limit ${limit}`),
    );
    if (
      found.length >= limit ||
      (scanned >= expansion.documentCount && sets.every((set) => set.length <= mostCompared))
    )
      return found;
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

/** All sets: those of one number together, each other with one of its numbers. */
function hasSets(sets: readonly TokenSet[]): SQL {
  const single = sets.filter((set) => set.length === 1).flat();
  const conditions = sets
    .filter((set) => set.length !== 1)
    .map((set) => sql`s.tokens && ${sql.param(set)}::int[]`);
  if (single.length > 0) conditions.unshift(sql`s.tokens @> ${sql.param(single)}::int[]`);
  return sql.join(conditions, sql` and `);
}

const ids = ({ rows }: { rows: { id: string }[] }): string[] => rows.map(({ id }) => id);

/** Words as typed before others, titles before texts, what a text uses often before what it names once; then the newest. */
async function rank(
  tx: Transaction,
  { userId, expansion }: CandidateSearch,
  found: string[],
  number: ReturnType<typeof createTokenHash>,
): Promise<string[]> {
  const points = expansion.terms.flatMap((term) => {
    const every = wordsOf(term).slice(0, mostCompared);
    const weight = Math.log(2 + expansion.documentCount / (1 + (wordsOf(term)[0]?.documents ?? 0)));
    const score = (kind: TokenKind, words: KnownWord[], factor: number) =>
      words.length > 0
        ? [
            sql`${weight * factor}::float8 * (s.tokens && ${sql.param(words.map(({ word }) => number(kind, word)))}::int[])::int`,
          ]
        : [];
    const exact = term.exact ? [term.exact] : [];
    return [
      ...score('word', exact, 1),
      ...score('title', exact, 3),
      ...score('often', exact, 1),
      ...score('title', every, 2),
      ...score('often', every, 0.5),
    ];
  });
  // formulas alone: the newest first, as they were found
  if (points.length === 0) return found;
  return ids(
    await tx.execute<{ id: string }>(sql`
    select s.document_id as id from private.document_search s
    where s.document_id = any(${sql.param(found)}::uuid[]) and s.user_id = ${userId}::uuid
    order by ${sql.join(points, sql` + `)} desc, s.changed_at desc, s.document_id`),
  );
}
