/** Folders: one tree per account, without cycles, at most ten deep. Changes to its structure hold the library's lock. */
import { randomUUID } from 'node:crypto';
import { and, count, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { invalidInput } from '#platform/errors.ts';
import {
  Folder,
  type FolderChange,
  type FolderList,
  type Folders,
  maxFolderDepth,
  maxFolders,
  type NewFolder,
} from '#shared/api/library.ts';
import type { Database } from '../../database/database.ts';
import { pickColumns, presentRow } from '../../database/present-row.ts';
import { folderNotFound, isUuid } from '../ids.ts';
import { lockLibrary, now, type Transaction } from '../lock-library.ts';
import { inNameOrder } from '../name-order.ts';
import { documents, folders } from '../schema.ts';

const fields = Folder.keyof().options;
const columns = {
  ...pickColumns(folders, Folder.omit({ document_count: true }).keyof().options),
  // Drizzle omits the table's name from columns here, so they are written out
  documentCount:
    sql<number>`(select count(*) from documents where documents.folder_id = folders.id and documents.trashed_at is null)`.mapWith(
      Number,
    ),
};

export async function listFolders(db: Database, userId: string, query: FolderList): Promise<Folders> {
  const place = query.parent === 'none' ? isNull(folders.parentId) : parentIs(query.parent);
  const where = and(eq(folders.userId, userId), place);
  const direction = sql.raw(query.order);
  const rows = await db
    .select(columns)
    .from(folders)
    .where(where)
    .orderBy(sql`${inNameOrder(folders.name)} ${direction}, ${folders.id} ${direction}`)
    .limit(query.limit)
    .offset(query.offset);
  const [counted] = await db.select({ total: count() }).from(folders).where(where);
  return { folders: rows.map((row) => presentRow(row, fields)), total: counted?.total ?? 0 };
}

function parentIs(parent: string | undefined): SQL | undefined {
  return parent === undefined ? undefined : eq(folders.parentId, parent);
}

/** @throws ApiError NOT_FOUND */
export async function getFolder(db: Database | Transaction, userId: string, id: string): Promise<Folder> {
  if (!isUuid(id)) throw folderNotFound();
  const [row] = await db
    .select(columns)
    .from(folders)
    .where(and(eq(folders.id, id), eq(folders.userId, userId)));
  if (!row) throw folderNotFound();
  return presentRow(row, fields);
}

/** @throws ApiError NOT_FOUND if it is not a folder of this account; null, the top level, always exists */
export async function requireFolder(
  tx: Database | Transaction,
  userId: string,
  id: string | null,
): Promise<void> {
  if (id !== null) await getFolder(tx, userId, id);
}

/** @throws ApiError NOT_FOUND for the parent, INVALID_INPUT if there are too many folders, or it would be too deep */
export async function createFolder(db: Database, userId: string, folder: NewFolder): Promise<Folder> {
  return db.transaction(async (tx) => {
    await lockLibrary(tx, userId);
    const [counted] = await tx.select({ total: count() }).from(folders).where(eq(folders.userId, userId));
    if ((counted?.total ?? 0) >= maxFolders)
      throw invalidInput(`You can have at most ${maxFolders} folders. Delete some you no longer need.`);
    await requireFolder(tx, userId, folder.parent_id);
    if (folder.parent_id !== null && (await findDepth(tx, folder.parent_id)) >= maxFolderDepth)
      throw tooDeep();
    const id = randomUUID();
    await tx.insert(folders).values({
      id,
      userId,
      parentId: folder.parent_id,
      name: folder.name.toWellFormed(),
    });
    return getFolder(tx, userId, id);
  });
}

/** @throws ApiError NOT_FOUND for the folder or its new parent, INVALID_INPUT if it cannot be moved there */
export async function updateFolder(
  db: Database,
  userId: string,
  id: string,
  change: FolderChange,
): Promise<Folder> {
  return db.transaction(async (tx) => {
    await lockLibrary(tx, userId);
    await getFolder(tx, userId, id);
    if (change.parent_id !== undefined) {
      await requireFolder(tx, userId, change.parent_id);
      const moved = await moveFolder(tx, id, change.parent_id);
      if (moved === 'into_itself')
        throw invalidInput('A folder cannot be moved into itself or one of its subfolders.');
      if (moved === 'too_deep') throw tooDeep();
    }
    if (change.name !== undefined)
      await tx
        .update(folders)
        .set({ name: change.name.toWellFormed(), updatedAt: now })
        .where(eq(folders.id, id));
    return getFolder(tx, userId, id);
  });
}

function tooDeep() {
  return invalidInput(`Folders can be nested at most ${maxFolderDepth} deep.`);
}

/** Call under the library's lock, and only if both belong to the account. */
export async function moveFolder(
  tx: Transaction,
  id: string,
  parentId: string | null,
): Promise<'done' | 'into_itself' | 'too_deep'> {
  const subtree = await listSubtree(tx, id);
  if (parentId !== null && subtree.some((one) => one.id === parentId)) return 'into_itself';
  const height = Math.max(...subtree.map(({ depth }) => depth));
  const above = parentId === null ? 0 : await findDepth(tx, parentId);
  if (above + height > maxFolderDepth) return 'too_deep';
  await tx.update(folders).set({ parentId }).where(eq(folders.id, id));
  return 'done';
}

/**
 * Deletes the folder and its subfolders; their documents move to the trash, and are restored to the top level.
 * @throws ApiError NOT_FOUND
 */
export async function deleteFolder(db: Database, userId: string, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockLibrary(tx, userId);
    await getFolder(tx, userId, id);
    await removeFolder(tx, id);
  });
}

/** Call under the library's lock, and only if the folder belongs to the account. */
export async function removeFolder(tx: Transaction, id: string): Promise<void> {
  const ids = (await listSubtree(tx, id)).map((one) => one.id);
  await tx
    .update(documents)
    .set({ trashedAt: now, updatedAt: now })
    .where(and(inArray(documents.folderId, ids), isNull(documents.trashedAt)));
  await tx.delete(folders).where(eq(folders.id, id));
}

/** The folder (depth 1) and everything in it. */
async function listSubtree(tx: Database | Transaction, id: string): Promise<{ id: string; depth: number }[]> {
  const { rows } = await tx.execute<{ id: string; depth: number }>(sql`
    with recursive subtree(id, depth) as (
      select ${id}::uuid, 1
      union all
      select ${folders.id}, subtree.depth + 1 from ${folders} join subtree on ${folders.parentId} = subtree.id
    )
    select id, depth from subtree`);
  return rows;
}

/** Ids of the folder and its subfolders; empty if it is not a folder of this account. */
export async function findFolderTree(db: Database, userId: string, id: string): Promise<string[]> {
  const [folder] = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.id, id), eq(folders.userId, userId)));
  return folder ? (await listSubtree(db, id)).map((one) => one.id) : [];
}

/** Returns 1 for a top-level folder. */
async function findDepth(tx: Transaction, id: string): Promise<number> {
  const { rows } = await tx.execute<{ depth: number }>(sql`
    with recursive chain(id, parent_id, depth) as (
      select ${folders.id}, ${folders.parentId}, 1 from ${folders} where ${folders.id} = ${id}
      union all
      select ${folders.id}, ${folders.parentId}, chain.depth + 1 from ${folders} join chain on ${folders.id} = chain.parent_id
    )
    select max(depth) as depth from chain`);
  return rows[0]?.depth ?? 0;
}
