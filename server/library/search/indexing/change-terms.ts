/**
 * Writes the changes to a document's terms, in a transaction that has locked the library's row. New postings are
 * written to rows, one per term, so that a save rewrites no segments; removed ones are deleted from the row or segment
 * that contains them.
 */
import { eq, sql } from 'drizzle-orm';
import { searchLibraries } from '../schema.ts';
import type { DocumentTerms } from '../terms.ts';
import type { Transaction } from '../transaction.ts';
import { changeSegments } from './change-segments.ts';
import { changeBlock, encodeBlock, hasNumber, numberOf } from './posting-block.ts';
import { backwards, isListedBackwards } from './segment.ts';

type Terms = DocumentTerms['terms'];

/** With this many documents in its first block, a word is common; it stays common, and is never packed. */
export const commonDocuments = 64;

export interface WrittenBlock {
  term: string;
  first: number;
  documents: number;
  postings: Buffer;
}

/** Writes the added, removed and changed terms of the document. */
export async function changeTerms(
  tx: Transaction,
  library: number,
  number: number,
  before: Terms,
  after: Terms,
): Promise<void> {
  const changes = new Map<string, number | null>();
  for (const [term, flags] of after) if (before.get(term) !== flags) changes.set(term, flags);
  for (const term of before.keys()) if (!after.has(term)) changes.set(term, null);
  if (changes.size === 0) return;
  const { rows } = await tx.execute<{ term: string; first: number | null; postings: Buffer | null }>(sql`
    select t.term, p.first, p.postings
    from unnest(${sql.param([...changes.keys()])}::text[]) t (term)
    left join lateral (
      select first, postings from private.search_postings p
      where p.library = ${library} and p.term = t.term and p.first <= ${number}
      order by p.first desc limit 1
    ) p on true`);
  const packed = rows.filter(
    ({ term, postings }) => before.has(term) && !(postings && hasNumber(postings, number)),
  );
  const isChanged = await changePacked(
    tx,
    { library, number, changes },
    packed.map(({ term }) => term),
  );
  const written: WrittenBlock[] = [];
  const emptied: string[] = [];
  for (const { term, first, postings } of rows) {
    if (isChanged.has(term)) continue;
    const parts = changeBlock(postings ?? Buffer.alloc(0), number, changes.get(term) ?? null);
    for (const [index, part] of parts.entries())
      written.push({
        term,
        // the first block of a term begins at 0, whatever it contains
        first: index === 0 ? (first ?? 0) : numberOf(part[0]!),
        documents: part.length,
        postings: encodeBlock(part),
      });
    if (parts[0]!.length === 0) emptied.push(term);
  }
  await writeBlocks(tx, library, written);
  await removeEmpty(tx, library, emptied);
  await tx
    .update(searchLibraries)
    .set({
      unpacked: sql`${searchLibraries.unpacked} + ${
        written.filter(({ documents }) => documents < commonDocuments).length
      }`,
      changedAt: sql`now()`,
    })
    .where(eq(searchLibraries.id, library));
}

/** @returns the terms whose segments contained the document */
async function changePacked(
  tx: Transaction,
  {
    library,
    number,
    changes,
  }: { library: number; number: number; changes: ReadonlyMap<string, number | null> },
  terms: readonly string[],
): Promise<Set<string>> {
  const changed = new Set<string>();
  const dropped = new Set<string>();
  const change = (term: string, postings: Uint8Array | null): Uint8Array | null => {
    if (dropped.has(term)) return null;
    if (!postings || !hasNumber(postings, number)) return postings;
    changed.add(term);
    const [part] = changeBlock(postings, number, changes.get(term) ?? null);
    if (part!.length > 0) return encodeBlock(part!);
    if (isListedBackwards(term)) dropped.add(backwards(term));
    return null;
  };
  const removed = terms.filter((term) => changes.get(term) === null && isListedBackwards(term));
  // reversed words sort after the words
  await changeSegments(tx, library, [...terms, ...removed.map(backwards)], change);
  return changed;
}

export async function writeBlocks(
  tx: Transaction,
  library: number,
  blocks: readonly WrittenBlock[],
): Promise<void> {
  if (blocks.length === 0) return;
  await tx.execute(sql`
    insert into private.search_postings as known (library, term, first, documents, postings, is_common)
    select ${library}, term, first, documents, postings, (documents >= ${commonDocuments})::int
    from unnest(
      ${sql.param(blocks.map(({ term }) => term))}::text[], ${sql.param(blocks.map(({ first }) => first))}::int[],
      ${sql.param(blocks.map(({ documents }) => documents))}::smallint[],
      ${sql.param(blocks.map(({ postings }) => postings))}::bytea[]
    ) as change (term, first, documents, postings)
    on conflict (library, term, first) do update
    set documents = excluded.documents, postings = excluded.postings,
      is_common = greatest(known.is_common, excluded.is_common)`);
}

/** Deletes empty blocks; the first one only if it is the last one left. */
async function removeEmpty(tx: Transaction, library: number, terms: string[]): Promise<void> {
  if (terms.length === 0) return;
  await tx.execute(sql`
    delete from private.search_postings p
    where p.library = ${library} and p.term = any(${sql.param(terms)}::text[]) and p.documents = 0
      and (p.first > 0 or not exists (
        select from private.search_postings o
        where o.library = p.library and o.term = p.term and o.first > 0 and o.documents > 0
      ))`);
}
