/** Limits a search to some documents, regardless of their text. */
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { type DocumentMark, documentMarks, type Marks } from '#shared/api/library.ts';
import type { Library } from './transaction.ts';

export interface DocumentFilter extends Marks {
  /** Only documents in one of these folders (not in subfolders); null: in none. */
  folderIds?: readonly string[] | null;
  /** When the text was last saved: at or after the first, before the second. */
  from?: Date;
  to?: Date;
}

/**
 * From this many documents in a library on, the filter is applied in the index; in smaller ones, to the documents
 * found.
 */
const largeLibrary = 1_000;
/** A filter that matches more than this many is also applied to the documents found. */
const maxInScope = 20_000;

/** Where a filter's values are. */
interface Columns {
  folder: SQL;
  savedAt: SQL;
  /** A condition; null if the mark is not there. */
  hasMark: (mark: DocumentMark) => SQL | null;
}

const ofDocument: Columns = {
  folder: sql`d.folder_id`,
  savedAt: sql`d.saved_at`,
  hasMark: (mark) => sql`d.${sql.identifier(`${mark}_at`)} is not null`,
};
const indexed: Columns = {
  folder: sql`folder_id`,
  savedAt: sql`saved_at`,
  hasMark: (mark) => (mark === 'starred' ? sql`is_starred` : null),
};

export const isFiltered = (filter: DocumentFilter): boolean => listConditions(filter, ofDocument).length > 0;

/** Condition on a row `d` of the documents: it belongs to the user, is not in the trash, and matches the filter. */
export function passes(userId: string, filter: DocumentFilter): SQL {
  const conditions = [
    sql`d.user_id = ${userId}::uuid`,
    sql`d.trashed_at is null`,
    ...listConditions(filter, ofDocument),
  ];
  return sql.join(conditions, sql` and `);
}

function listConditions(filter: DocumentFilter, { folder, savedAt, hasMark }: Columns): SQL[] {
  const { folderIds, from, to } = filter;
  const conditions: SQL[] = [];
  if (folderIds === null) conditions.push(sql`${folder} is null`);
  else if (folderIds) conditions.push(sql`${folder} = any(${sql.param([...folderIds])}::uuid[])`);
  for (const mark of documentMarks) {
    const condition = filter[mark] === undefined ? null : hasMark(mark);
    if (condition) conditions.push(filter[mark] ? condition : sql`not (${condition})`);
  }
  if (from) conditions.push(sql`${savedAt} >= ${from.toISOString()}::timestamptz`);
  if (to) conditions.push(sql`${savedAt} < ${to.toISOString()}::timestamptz`);
  return conditions;
}

/**
 * Index numbers of the documents that match the filter, as far as the index has its values; null if the documents themselves have to be queried, or there
 * is no filter.
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
      where library = ${library.id} and ${sql.join(conditions, sql` and `)} limit ${maxInScope + 1}) left_over`);
  const numbers = rows[0]?.numbers;
  if (!numbers) return [];
  const list = numbers.slice(1, -1).split(',').map(Number);
  return list.length > maxInScope ? null : list;
}
