/** Rewrites the segments that contain some terms, in a transaction that has locked the library's row. */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { searchSegments } from '../schema.ts';
import type { Transaction } from '../transaction.ts';
import { changeSegment } from './change-segment.ts';
import { cutSegments, decodeSegment, encodeSegment, fromKey, maxInSegment, toKey } from './segment.ts';

/** Computes a term's new postings from its current ones (null if there is no such term); null removes it. */
export type ChangeTerm = (term: string, postings: Uint8Array | null) => Uint8Array | null;

interface Place extends Record<string, unknown> {
  /** The segment that contains the terms, or will contain them. */
  first: string;
  terms: string[];
  entries: Buffer | null;
}

/** Calls `change` for each of the terms, in ascending order. */
export async function changeSegments(
  tx: Transaction,
  library: number,
  terms: readonly string[],
  change: ChangeTerm,
): Promise<void> {
  if (terms.length === 0) return;
  const { rows } = await tx.execute<Place>(sql`
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
  for (const { first, terms: changed, entries } of rows.toSorted(inOrder)) {
    const changedEntries = changeSegment(
      entries ?? Buffer.alloc(0),
      changed.map(toKey).sort(),
      (key, postings) => change(fromKey(key), postings),
    );
    if (!changedEntries) continue;
    if (changedEntries.length === 0) emptied.push(first);
    else if (changedEntries.length <= maxInSegment) written.push({ first, entries: changedEntries });
    else
      for (const [index, part] of cutSegments(decodeSegment(changedEntries)).entries())
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
  // from then on, terms that belong there are looked up in the previous segment
  if (emptied.length > 0)
    await tx
      .delete(searchSegments)
      .where(and(eq(searchSegments.library, library), inArray(searchSegments.first, emptied)));
}

const inOrder = (a: Place, b: Place): number => (toKey(a.first) < toKey(b.first) ? -1 : 1);
