/** Which documents are asked about, whatever they say. */
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import type { Library } from './transaction.ts';

export interface DocumentFilter {
  /** Only documents in one of these folders (not in folders inside them); null: in none. */
  folderIds?: readonly string[] | null;
  starred?: boolean;
  /** When the text was last saved: from this moment on, and before that one. */
  from?: Date;
  to?: Date;
}

/** In a library of so many documents the index is asked what the filter leaves; in others the documents that are found. */
const largeLibrary = 1_000;
/** A filter that leaves more than so many is asked of those that are found, too. */
const mostInScope = 20_000;

export const isFiltered = (filter: DocumentFilter): boolean => listConditions(filter, indexed).length > 0;

/** Of a row `d` of the documents: it is the person's, not in the trash, and the filter leaves it. */
export function passes(userId: string, filter: DocumentFilter): SQL {
  const conditions = [
    sql`d.user_id = ${userId}::uuid`,
    sql`d.trashed_at is null`,
    ...listConditions(filter, {
      folder: sql`d.folder_id`,
      isStarred: sql`d.starred_at is not null`,
      savedAt: sql`d.saved_at`,
    }),
  ];
  return sql.join(conditions, sql` and `);
}

const indexed = { folder: sql`folder_id`, isStarred: sql`is_starred`, savedAt: sql`saved_at` };

function listConditions(
  { folderIds, starred, from, to }: DocumentFilter,
  { folder, isStarred, savedAt }: typeof indexed,
): SQL[] {
  const conditions: SQL[] = [];
  if (folderIds === null) conditions.push(sql`${folder} is null`);
  else if (folderIds) conditions.push(sql`${folder} = any(${sql.param([...folderIds])}::uuid[])`);
  if (starred !== undefined) conditions.push(starred ? isStarred : sql`not (${isStarred})`);
  if (from) conditions.push(sql`${savedAt} >= ${from.toISOString()}::timestamptz`);
  if (to) conditions.push(sql`${savedAt} < ${to.toISOString()}::timestamptz`);
  return conditions;
}

/**
 * Numbers of the documents that the filter leaves, as the index has them; null where the documents themselves have to
 * be asked, and where there is no filter.
 */
export async function findScope(
  db: Database,
  library: Library,
  filter: DocumentFilter,
): Promise<number[] | null> {
  const conditions = listConditions(filter, indexed);
  if (conditions.length === 0 || library.documents <= largeLibrary) return null;
  const { rows } = await db.execute<{ numbers: string | null }>(sql`
    select array_agg(number)::text as numbers from (
      select number from private.document_search
      where library = ${library.id} and ${sql.join(conditions, sql` and `)} limit ${mostInScope + 1}) left_over`);
  const numbers = rows[0]?.numbers;
  if (!numbers) return [];
  const list = numbers.slice(1, -1).split(',').map(Number);
  return list.length > mostInScope ? null : list;
}
