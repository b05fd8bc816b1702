/**
 * Cleans files that were stored before files were cleaned on upload. Runs once in the background after each start and
 * continues where the last run ended: a cleaned file has a key of its own (`files.ts`). Safe in several processes.
 */
import { and, asc, eq, notLike, type SQL, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { removeMetadata } from '#platform/pictures/remove-metadata.ts';
import type { Database } from '../../database/database.ts';
import { type Storage, StorageNotFound } from '../../storage/storage.ts';
import { documentFigures, documentPages, documents } from '../schema.ts';
import { cleanFile, type RedrawPicture } from './clean-file.ts';
import { cleanFolder, hashBytes, newFigureKey, newPageKey, newPdfKey } from './files.ts';
import { readPictureHeader } from './read-picture.ts';

export interface CleaningDeps {
  db: Database;
  storage: Storage;
  redrawPicture: RedrawPicture;
  logger: Logger;
}

/** Rows read at a time. */
const batch = 100;

/** @returns how many files were moved */
export async function cleanStoredFiles(deps: CleaningDeps, signal: AbortSignal): Promise<number> {
  const { db } = deps;
  let moved = 0;
  let after: SQL = sql`true`;
  while (!signal.aborted) {
    const rows = await db
      .select()
      .from(documentFigures)
      .where(and(after, notLike(documentFigures.key, `%/${cleanFolder}%`)))
      .orderBy(asc(documentFigures.documentId), asc(documentFigures.name))
      .limit(batch);
    for (const row of rows) if (!signal.aborted && (await cleanFigure(deps, row))) moved++;
    const last = rows.at(-1);
    if (!last) break;
    after = sql`(${documentFigures.documentId}, ${documentFigures.name}) > (${last.documentId}, ${last.name})`;
  }
  after = sql`true`;
  while (!signal.aborted) {
    const rows = await db
      .select()
      .from(documentPages)
      .where(and(after, notLike(documentPages.key, `%/${cleanFolder}%`)))
      .orderBy(asc(documentPages.documentId), asc(documentPages.number))
      .limit(batch);
    for (const row of rows) if (!signal.aborted && (await cleanPage(deps, row))) moved++;
    const last = rows.at(-1);
    if (!last) break;
    after = sql`(${documentPages.documentId}, ${documentPages.number}) > (${last.documentId}, ${last.number})`;
  }
  return moved;
}

/** Runs in the background until all files are clean. `stop` ends it after the current file. */
export function startFileCleaner(deps: CleaningDeps): { stop(): Promise<void> } {
  const ending = new AbortController();
  const run = cleanStoredFiles(deps, ending.signal)
    .then((moved) => {
      if (moved > 0) deps.logger.info({ files: moved }, 'metadata was removed from stored pictures');
    })
    .catch((err) =>
      deps.logger.error({ err }, 'removing metadata from stored pictures failed; the next start resumes it'),
    );
  return {
    async stop() {
      ending.abort();
      await run;
    },
  };
}

async function cleanFigure(deps: CleaningDeps, row: typeof documentFigures.$inferSelect): Promise<boolean> {
  const { documentId, name, mediaType } = row;
  return moveFile(
    deps,
    row.key,
    newFigureKey(documentId),
    { name, mediaType },
    async (key, bytes, isChanged) => {
      // first, so that a crash between the two only causes one compile too many
      if (isChanged) await cleanPdf(deps, documentId);
      const changed = await deps.db
        .update(documentFigures)
        .set({ key, sizeBytes: bytes.length, hash: hashBytes(bytes) })
        .where(and(eq(documentFigures.documentId, documentId), eq(documentFigures.key, row.key)))
        .returning({ key: documentFigures.key });
      // a compile that ran meanwhile still used the old file
      if (isChanged) await compileSoon(deps.db, documentId);
      return changed.length > 0;
    },
  );
}

async function cleanPage(deps: CleaningDeps, row: typeof documentPages.$inferSelect): Promise<boolean> {
  const { documentId, number, mediaType } = row;
  const file = { name: `Page ${number}`, mediaType };
  return moveFile(deps, row.key, newPageKey(documentId), file, async (key, bytes) => {
    const { width, height } = readPictureHeader(bytes) ?? row;
    const changed = await deps.db
      .update(documentPages)
      .set({ key, sizeBytes: bytes.length, width, height })
      .where(and(eq(documentPages.documentId, documentId), eq(documentPages.key, row.key)))
      .returning({ key: documentPages.key });
    return changed.length > 0;
  });
}

/** @param write puts the new key into the row; false if the row was deleted or has another file by now */
async function moveFile(
  { storage, redrawPicture, logger }: CleaningDeps,
  from: string,
  to: string,
  { name, mediaType }: { name: string; mediaType: string },
  write: (key: string, bytes: Uint8Array, isChanged: boolean) => Promise<boolean>,
): Promise<boolean> {
  try {
    const bytes = await storage.getBytes(from);
    const cleaned = await cleanFile(name, bytes, redrawPicture, 'stored-files');
    await storage.put(to, cleaned, { contentType: mediaType });
    const isMoved = await write(to, cleaned, !Buffer.from(cleaned).equals(bytes));
    await storage.delete(isMoved ? from : to);
    return isMoved;
  } catch (error) {
    // deleted since the row was read, or an image that cannot be decoded: continue with the others
    if (!(error instanceof StorageNotFound))
      logger.warn({ err: error, key: from }, 'a stored file was not cleaned');
    return false;
  }
}

/** Cleans the stored PDF, which contains the photo’s metadata and is open to links until it is compiled again. */
async function cleanPdf({ db, storage }: CleaningDeps, id: string): Promise<void> {
  const [row] = await db.select({ key: documents.pdfKey }).from(documents).where(eq(documents.id, id));
  if (!row?.key) return;
  const { bytes } = removeMetadata(await storage.getBytes(row.key));
  const pdfKey = newPdfKey(id);
  await storage.put(pdfKey, bytes, { contentType: 'application/pdf' });
  const changed = await db
    .update(documents)
    .set({ pdfKey })
    .where(and(eq(documents.id, id), eq(documents.pdfKey, row.key)))
    .returning({ id: documents.id });
  await storage.delete(changed.length > 0 ? row.key : pdfKey);
}

/** Leaves the time of the last change as it is: nobody has changed anything. */
async function compileSoon(db: Database, id: string): Promise<void> {
  await db.update(documents).set({ compiledVersion: 0, compileLeaseUntil: null }).where(eq(documents.id, id));
}
