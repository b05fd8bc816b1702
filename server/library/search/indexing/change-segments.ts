/** Rewrites the segments that hold some terms, in a transaction that holds the library's row. */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { searchSegments } from '../schema.ts';
import type { Transaction } from '../transaction.ts';
import { cutSegments, decodeSegment, encodeSegment, fromKey, type SegmentEntry, toKey } from './segment.ts';

/** An entry's new postings from those that it has (null: there is no such entry); null removes it. */
export type ChangeEntry = (term: string, postings: Uint8Array | null) => Uint8Array | null;

export async function changeSegments(
  tx: Transaction,
  library: number,
  terms: readonly string[],
  change: ChangeEntry,
): Promise<void> {
  if (terms.length === 0) return;
  const { rows } = await tx.execute<{ first: string; terms: string[]; entries: Buffer | null }>(sql`
    select place.first, place.terms, s.entries from (
      select coalesce(found.first, '') as first, array_agg(t.term) as terms
      from unnest(${sql.param([...terms])}::text[]) t (term)
      left join lateral (
        select first from private.search_segments
        where library = ${library} and first <= t.term order by first desc limit 1
      ) found on true
      group by 1
    ) place
    left join private.search_segments s on s.library = ${library} and s.first = place.first`);
  const written: { first: string; entries: Buffer }[] = [];
  const emptied: string[] = [];
  for (const { first, terms: changed, entries } of rows) {
    const left = changeEntries(entries ? decodeSegment(entries) : [], changed, change);
    if (left === null) continue;
    if (left.length === 0) emptied.push(first);
    for (const [index, part] of cutSegments(left).entries())
      written.push({ first: index === 0 ? first : fromKey(part[0]!.key), entries: encodeSegment(part) });
  }
  if (written.length > 0)
    await tx.execute(sql`
      insert into private.search_segments (library, first, entries)
      select ${library}, first, entries
      from unnest(
        ${sql.param(written.map(({ first }) => first))}::text[],
        ${sql.param(written.map(({ entries }) => entries))}::bytea[]
      ) as change (first, entries)
      on conflict (library, first) do update set entries = excluded.entries`);
  // a later segment's terms are found in the one before it from then on
  if (emptied.length > 0)
    await tx
      .delete(searchSegments)
      .where(and(eq(searchSegments.library, library), inArray(searchSegments.first, emptied)));
}

/** @returns null when nothing has changed */
function changeEntries(
  entries: SegmentEntry[],
  changed: readonly string[],
  change: ChangeEntry,
): SegmentEntry[] | null {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  let isChanged = false;
  let isSorted = true;
  for (const term of changed) {
    const key = toKey(term);
    const known = byKey.get(key);
    const postings = change(term, known?.postings ?? null);
    if (postings === (known?.postings ?? null)) continue;
    isChanged = true;
    if (postings === null) byKey.delete(key);
    else if (known) known.postings = postings;
    else {
      byKey.set(key, { key, postings });
      isSorted = false;
    }
  }
  if (!isChanged) return null;
  const left = [...byKey.values()];
  return isSorted ? left : left.sort((a, b) => (a.key < b.key ? -1 : 1));
}
