/**
 * Thins the history. Keeps all versions of the last hour (at most the newest 500), then the last of each hour for a
 * week, then the last of each day. The first, the present and the named versions are kept as long as the document.
 */
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database/database.ts';
import { now, type Transaction } from '../lock-library.ts';
import { documents } from '../schema.ts';

/** A limit for clients that save without pause: the editor saves every few seconds at most. */
const maxVersionsOfLastHour = 500;

export async function thinHistory(tx: Database | Transaction, documentId: string): Promise<void> {
  await tx.execute(sql`
    with aged as (
      select version, name, created_at, clock_timestamp() - created_at as age,
             max(version) over () as newest, min(version) over () as oldest
        from document_versions where document_id = ${documentId}
    ), slots as (
      select version, name, newest, oldest,
             case when age <= interval '1 hour' then 'all'
                  when age <= interval '7 days' then 'hour ' || date_trunc('hour', created_at, 'UTC')
                  else 'day ' || date_trunc('day', created_at, 'UTC') end as slot
        from aged
    ), ranked as (
      select *, row_number() over (partition by slot order by version desc) as place from slots
    )
    delete from document_versions
     where document_id = ${documentId} and version in (
       select version from ranked
        where name is null and version not in (newest, oldest)
          and place > case when slot = 'all' then ${maxVersionsOfLastHour}::integer else 1 end
     )`);
  await tx.update(documents).set({ thinnedAt: now }).where(eq(documents.id, documentId));
}

/** Documents whose history is due for thinning: an hour after the last save, and again after eight days. */
export async function listDueForThinning(db: Database, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from documents
     where version > 2 and (
       (saved_at < clock_timestamp() - interval '1 hour'
        and (thinned_at is null or thinned_at < saved_at + interval '1 hour'))
       or (saved_at < clock_timestamp() - interval '8 days' and thinned_at < saved_at + interval '8 days'))
     limit ${limit}`);
  return rows.map(({ id }) => id);
}
