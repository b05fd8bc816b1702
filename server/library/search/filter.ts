/** Which documents are asked about, whatever they say. */
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/database.ts';
import type { Library } from './transaction.ts';

export interface DocumentFilter {
  /** Only documents in one of these folders (not in folders inside them); null: in none. */
  folderIds?: readonly string[] | null;
  starred?: boolean;
  /** When the text was last saved: from this moment on, and before that one. */
  from?: Date;
  to?: Date;
}

/** With a filter that leaves so few documents, only these are looked at. */
const fewDocuments = 1_500;

export const isFiltered = (filter: DocumentFilter): boolean => listConditions(filter).length > 0;

/** Of a row `d` of the documents: it is the person's, not in the trash, and the filter leaves it. */
export function passes(userId: string, filter: DocumentFilter): SQL {
  const conditions = [
    sql`d.user_id = ${userId}::uuid`,
    sql`d.trashed_at is null`,
    ...listConditions(filter).map(({ condition }) => condition),
  ];
  return sql.join(conditions, sql` and `);
}

function listConditions({ folderIds, starred, from, to }: DocumentFilter) {
  const conditions: { kind: 'place' | 'moment'; condition: SQL }[] = [];
  if (folderIds === null) conditions.push({ kind: 'place', condition: sql`d.folder_id is null` });
  else if (folderIds)
    conditions.push({
      kind: 'place',
      condition: sql`d.folder_id = any(${sql.param([...folderIds])}::uuid[])`,
    });
  if (starred !== undefined)
    conditions.push({
      kind: 'place',
      condition: starred ? sql`d.starred_at is not null` : sql`d.starred_at is null`,
    });
  if (from)
    conditions.push({ kind: 'moment', condition: sql`d.saved_at >= ${from.toISOString()}::timestamptz` });
  if (to) conditions.push({ kind: 'moment', condition: sql`d.saved_at < ${to.toISOString()}::timestamptz` });
  return conditions;
}

/** Numbers of the documents that the filter leaves, when they are few; null when they are many, or there is no filter. */
export async function findScope(
  db: Database,
  library: Library,
  userId: string,
  filter: DocumentFilter,
): Promise<number[] | null> {
  const conditions = listConditions(filter);
  if (conditions.length === 0) return null;
  // a period alone is known from the index's own rows, which are in its order
  const isPeriod = conditions.every(({ kind }) => kind === 'moment');
  const { from, to } = filter;
  const period = [
    ...(from ? [sql`s.saved_at >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql`s.saved_at < ${to.toISOString()}::timestamptz`] : []),
  ];
  const { rows } = await db.execute<{ number: number }>(
    isPeriod
      ? sql`select s.number from private.document_search s
          where s.library = ${library.id} and ${sql.join(period, sql` and `)} limit ${fewDocuments + 1}`
      : sql`select s.number from documents d cross join lateral (
            select number from private.document_search s
            where s.document_id = d.id and s.library = ${library.id} offset 0) s
          where ${passes(userId, filter)} limit ${fewDocuments + 1}`,
  );
  return rows.length > fewDocuments ? null : rows.map(({ number }) => number);
}
