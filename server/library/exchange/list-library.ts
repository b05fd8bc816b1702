/** Lists a user's documents for one archive, reading one at a time; those in the trash are left out. */
import type { Readable } from 'node:stream';
import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { type Storage, StorageNotFound } from '#server/storage/storage.ts';
import { isLive } from '../lock-library.ts';
import { documentFigures, documents, folders } from '../schema.ts';
import type { FiledDocument } from './export/zip-document.ts';

interface OwnedFiles {
  db: Database;
  storage: Storage;
}

/** Returns null if it has just been deleted. */
export async function openStored(storage: Storage, key: string): Promise<Readable | null> {
  return storage.getStream(key).catch((error: unknown) => {
    if (error instanceof StorageNotFound) return null;
    throw error;
  });
}

/** The paths of a user's folders, by folder id: names, outermost first. */
export async function listFolderPaths(db: Database, userId: string): Promise<Map<string, string[]>> {
  const rows = await db
    .select({ id: folders.id, parentId: folders.parentId, name: folders.name })
    .from(folders)
    .where(eq(folders.userId, userId));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pathOf = (id: string): string[] => {
    const folder = byId.get(id);
    if (!folder) return [];
    return [...(folder.parentId === null ? [] : pathOf(folder.parentId)), folder.name];
  };
  return new Map(rows.map(({ id }) => [id, pathOf(id)]));
}

export async function* listLibrary(
  { db, storage }: OwnedFiles,
  userId: string,
  folderPaths: ReadonlyMap<string, string[]>,
): AsyncGenerator<FiledDocument> {
  const ids = await db
    .select({ id: documents.id })
    .from(documents)
    .where(isLive(userId))
    .orderBy(asc(documents.createdAt), asc(documents.id));
  for (const { id } of ids) {
    // it may have been moved to the trash in the meantime
    const [row] = await db
      .select({
        title: documents.title,
        latex: documents.latex,
        engine: documents.engine,
        mainName: documents.mainName,
        folderId: documents.folderId,
        pdfKey: documents.pdfKey,
      })
      .from(documents)
      .where(and(eq(documents.id, id), isLive(userId)));
    if (!row) continue;
    const { pdfKey, folderId, ...document } = row;
    yield {
      ...document,
      folders: folderId === null ? [] : (folderPaths.get(folderId) ?? []),
      figures: await listFigures({ db, storage }, id),
      pdf: pdfKey === null ? null : () => openStored(storage, pdfKey),
    };
  }
}

/** A document's files, not yet opened. */
export async function listFigures({ db, storage }: OwnedFiles, documentId: string) {
  const rows = await db
    .select({ name: documentFigures.name, key: documentFigures.key })
    .from(documentFigures)
    .where(eq(documentFigures.documentId, documentId))
    .orderBy(asc(documentFigures.name));
  return rows.map(({ name, key }) => ({ name, bytes: () => openStored(storage, key) }));
}
