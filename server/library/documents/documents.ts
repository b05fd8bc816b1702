/** Documents of one account: lists, shows and changes all but the text, which is in `save-latex.ts`. */
import { and, asc, count, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { ApiError, invalidInput } from '#platform/errors.ts';
import {
  type DocumentChange,
  type DocumentList,
  type DocumentMark,
  DocumentSummary,
  type Documents,
  documentMarks,
  type Marks,
  type SavedDocument,
} from '#shared/api/library.ts';
import type { Database } from '../../database/database.ts';
import { pickColumns, presentRow } from '../../database/present-row.ts';
import type { Storage } from '../../storage/storage.ts';
import { documentPrefix } from '../files/files.ts';
import { requireFolder } from '../folders/folders.ts';
import { documentNotFound, isUuid } from '../ids.ts';
import { isLive, lockLibrary, lockRoom, now, type Transaction } from '../lock-library.ts';
import { inNameOrder } from '../name-order.ts';
import { documentFigures, documentPages, documents } from '../schema.ts';

/** For changes that affect the PDF but not the text: compiles again, and makes a running compile start over. */
export const needsCompile = { compiledVersion: 0, compileLeaseUntil: null, updatedAt: now };

/** The fields of a list that are columns. */
const summaryFields = DocumentSummary.omit({ thumbnail_version: true }).keyof().options;
/** The columns for lists: without text and source map, which can be megabytes. */
const summaryColumns = { ...pickColumns(documents, summaryFields), thumbnailKey: documents.thumbnailKey };

export type DocumentRow = typeof documents.$inferSelect;

export function presentSummary(row: Pick<DocumentRow, keyof typeof summaryColumns>): DocumentSummary {
  return {
    ...presentRow(row, summaryFields),
    thumbnail_version: row.thumbnailKey === null ? null : row.pdfVersion,
  };
}

const sortKeys: Record<DocumentList['sort'], SQL> = {
  name: inNameOrder(documents.title),
  updated: sql`${documents.updatedAt}`,
  created: sql`${documents.createdAt}`,
};

export async function listDocuments(db: Database, userId: string, query: DocumentList): Promise<Documents> {
  const { folder } = query;
  const where = and(
    eq(documents.userId, userId),
    query.trashed ? isNotNull(documents.trashedAt) : isNull(documents.trashedAt),
    folder === undefined
      ? undefined
      : folder === 'none'
        ? isNull(documents.folderId)
        : eq(documents.folderId, folder),
    ...documentMarks.map((mark) => hasMark(mark, query[mark])),
  );
  const direction = sql.raw(query.order);
  const rows = await db
    .select(summaryColumns)
    .from(documents)
    .where(where)
    .orderBy(sql`${sortKeys[query.sort]} ${direction}, ${documents.id} ${direction}`)
    .limit(query.limit)
    .offset(query.offset);
  const [counted] = await db.select({ total: count() }).from(documents).where(where);
  return { documents: rows.map(presentSummary), total: counted?.total ?? 0 };
}

/** Finds those of these documents that belong to the account and are not in the trash, by id. */
export async function findSummaries(
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, DocumentSummary>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select(summaryColumns)
    .from(documents)
    .where(and(inArray(documents.id, [...ids]), isLive(userId)));
  return new Map(rows.map((row) => [row.id, presentSummary(row)]));
}

/** The whole row. @throws ApiError NOT_FOUND */
export async function getDocument(
  db: Database | Transaction,
  userId: string,
  id: string,
): Promise<DocumentRow> {
  const [row] = isUuid(id)
    ? await db
        .select()
        .from(documents)
        .where(and(eq(documents.id, id), eq(documents.userId, userId)))
    : [];
  if (!row) throw documentNotFound();
  return row;
}

/** Locks the row until the transaction ends. @throws ApiError NOT_FOUND */
export async function lockDocument(tx: Transaction, userId: string, id: string): Promise<DocumentRow> {
  const [row] = isUuid(id)
    ? await tx
        .select()
        .from(documents)
        .where(and(eq(documents.id, id), eq(documents.userId, userId)))
        .for('no key update')
    : [];
  if (!row) throw documentNotFound();
  return row;
}

/** @throws ApiError NOT_FOUND */
export async function showDocument(db: Database, userId: string, id: string): Promise<SavedDocument> {
  const row = await getDocument(db, userId, id);
  const figures = await db
    .select()
    .from(documentFigures)
    .where(eq(documentFigures.documentId, id))
    .orderBy(asc(documentFigures.name));
  const pages = await db
    .select()
    .from(documentPages)
    .where(eq(documentPages.documentId, id))
    .orderBy(asc(documentPages.number));
  return {
    ...presentSummary(row),
    latex: row.latex,
    ...(row.mainName === null ? {} : { main_name: row.mainName }),
    engine: row.engine,
    source_map: row.sourceMap,
    figures: figures.map(({ name, mediaType, sizeBytes, version }) => ({
      name,
      media_type: mediaType,
      size_bytes: sizeBytes,
      version,
    })),
    pages: pages.map(({ number, width, height }) => ({ number, width, height })),
  };
}

/** @throws ApiError NOT_FOUND for the document or the folder */
export async function updateDocument(
  db: Database,
  userId: string,
  id: string,
  change: DocumentChange,
): Promise<DocumentSummary> {
  return db.transaction(async (tx) => {
    // wait for a folder that is being deleted
    if (change.folder_id !== undefined) await lockLibrary(tx, userId);
    const row = await lockDocument(tx, userId, id);
    if (change.folder_id !== undefined) await requireFolder(tx, userId, change.folder_id);
    const isOtherEngine = change.engine !== undefined && change.engine !== row.engine;
    const [changed] = await tx
      .update(documents)
      .set({
        title: change.title?.toWellFormed(),
        folderId: change.folder_id,
        engine: change.engine,
        ...setMarks(change),
        // marking and moving do not count as changes of the document
        updatedAt: change.title === undefined ? documents.updatedAt : now,
        ...(isOtherEngine ? needsCompile : {}),
      })
      .where(eq(documents.id, id))
      .returning(summaryColumns);
    return presentSummary(changed!);
  });
}

function hasMark(mark: DocumentMark, isSet: boolean | undefined): SQL | undefined {
  const column = documents[`${mark}At`];
  return isSet === undefined ? undefined : isSet ? isNotNull(column) : isNull(column);
}

/** The columns of the marks that are named. One that is already set keeps its time. */
export function setMarks(change: Marks) {
  return Object.fromEntries(
    documentMarks
      .filter((mark) => change[mark] !== undefined)
      .map((mark) => {
        const column = `${mark}At` as const;
        return [column, change[mark] ? sql`coalesce(${documents[column]}, ${now})` : sql`null`];
      }),
  );
}

/** @throws ApiError NOT_FOUND */
export async function trashDocument(db: Database, userId: string, id: string): Promise<DocumentSummary> {
  return db.transaction(async (tx) => {
    await lockDocument(tx, userId, id);
    const [row] = await tx
      .update(documents)
      .set({ trashedAt: sql`coalesce(${documents.trashedAt}, ${now})`, updatedAt: now })
      .where(eq(documents.id, id))
      .returning(summaryColumns);
    return presentSummary(row!);
  });
}

/**
 * Restores a document from the trash to its folder, if that still exists.
 * @throws ApiError NOT_FOUND, DOCUMENT_LIMIT_EXCEEDED
 */
export async function restoreDocument(db: Database, userId: string, id: string): Promise<DocumentSummary> {
  return db.transaction(async (tx) => {
    const { left } = await lockRoom(tx, userId);
    const row = await lockDocument(tx, userId, id);
    if (row.trashedAt === null) return presentSummary(row);
    if (left < 1) throw new ApiError('DOCUMENT_LIMIT_EXCEEDED');
    const [restored] = await tx
      .update(documents)
      .set({ trashedAt: null, updatedAt: now })
      .where(eq(documents.id, id))
      .returning(summaryColumns);
    return presentSummary(restored!);
  });
}

/**
 * Deletes a document permanently, with history, files and links. Only from the trash, because it cannot be undone.
 * @throws ApiError NOT_FOUND, INVALID_INPUT if it is not in the trash
 */
export async function deleteDocument(
  { db, storage }: { db: Database; storage: Storage },
  userId: string,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockLibrary(tx, userId);
    const row = await lockDocument(tx, userId, id);
    if (row.trashedAt === null) throw invalidInput('Put the document into the trash first.');
    await tx.delete(documents).where(eq(documents.id, id));
  });
  // if the process dies here, the sweep finds the files without a document
  await storage.deletePrefix(documentPrefix(id));
}
