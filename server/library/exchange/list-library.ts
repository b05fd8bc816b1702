/** All documents of a person for one archive, each read when its turn comes; those in the trash stay where they are. */
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

/** Null when it has just gone. */
export async function openStored(storage: Storage, key: string): Promise<Readable | null> {
  return storage.getStream(key).catch((error: unknown) => {
    if (error instanceof StorageNotFound) return null;
    throw error;
  });
}

/** The paths of all of a person's folders, as names from the outermost in, by folder id. */
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
    // it may have been put into the trash since
    const [row] = await db
      .select({
        title: documents.title,
        latex: documents.latex,
        engine: documents.engine,
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

/** A document's files, none of them opened yet. */
export async function listFigures({ db, storage }: OwnedFiles, documentId: string) {
  const rows = await db
    .select({ name: documentFigures.name, key: documentFigures.key })
    .from(documentFigures)
    .where(eq(documentFigures.documentId, documentId))
    .orderBy(asc(documentFigures.name));
  return rows.map(({ name, key }) => ({ name, bytes: () => openStored(storage, key) }));
}
