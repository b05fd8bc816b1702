/** Files that users add to a document: figures, and images of its pages. Stored first, then recorded in a row. */
import { and, eq, ne, sql } from 'drizzle-orm';
import { invalidInput } from '#platform/errors.ts';
import { type FileSave, maxPageImageBytes, maxPageImagesBytes } from '#shared/api/library.ts';
import { maxPages } from '#shared/api/limits.ts';
import type { Database } from '../../database/database.ts';
import { type Storage, StorageNotFound } from '../../storage/storage.ts';
import { cleanFile, type RedrawPicture } from '../files/clean-file.ts';
import { decodeText } from '../files/decode-text.ts';
import { hashBytes, newFigureKey, newPageKey } from '../files/files.ts';
import { readPictureHeader } from '../files/read-picture.ts';
import { fileNotFound } from '../ids.ts';
import type { Transaction } from '../lock-library.ts';
import { documentFigures, documentPages, documents } from '../schema.ts';
import { checkFigure, requireFiguresFit, requireNamesFit } from './create-document.ts';
import { getDocument, lockDocument, needsCompile } from './documents.ts';
import { keepFileText, readFileText, writeFileText } from './file-texts.ts';
import type { SaveOutcome } from './save-latex.ts';

interface FileDeps {
  db: Database;
  storage: Storage;
}

type KeepDeps = FileDeps & { redrawPicture: RedrawPicture };

/** Adds or replaces a figure. @throws ApiError NOT_FOUND, INVALID_INPUT */
export async function putFigure(
  deps: KeepDeps,
  userId: string,
  id: string,
  name: string,
  given: Uint8Array,
): Promise<void> {
  const { db, storage } = deps;
  await getDocument(db, userId, id);
  const mediaType = checkFigure(name, given);
  const bytes = await cleanFile(name, given, deps.redrawPicture, userId);
  const figure = {
    key: newFigureKey(id),
    mediaType,
    sizeBytes: bytes.length,
    hash: hashBytes(bytes),
  };
  await storage.put(figure.key, bytes, { contentType: mediaType });
  await replaceFile(deps, figure.key, async (tx) => {
    await lockDocument(tx, userId, id);
    const old = await findFigure(tx, id, name);
    await writeFigure(tx, id, { name, ...figure, version: (old?.version ?? 0) + 1 }, bytes);
    return old?.key ?? null;
  });
}

/** Writes the row of a figure whose file is stored. @throws ApiError INVALID_INPUT if it does not fit the others */
async function writeFigure(
  tx: Transaction,
  id: string,
  figure: Omit<typeof documentFigures.$inferInsert, 'documentId'>,
  bytes: Uint8Array,
): Promise<void> {
  const others = await tx
    .select({ name: documentFigures.name, sizeBytes: documentFigures.sizeBytes })
    .from(documentFigures)
    .where(and(eq(documentFigures.documentId, id), ne(documentFigures.name, figure.name)));
  requireFiguresFit(others.reduce((sum, { sizeBytes }) => sum + sizeBytes, figure.sizeBytes));
  requireNamesFit([...others.map(({ name }) => name), figure.name]);
  await keepFileText(tx, id, figure.name);
  await tx
    .insert(documentFigures)
    .values({ documentId: id, ...figure })
    .onConflictDoUpdate({ target: [documentFigures.documentId, documentFigures.name], set: figure });
  await writeFileText(tx, id, figure.name, readFileText(figure.name, bytes));
  await tx.update(documents).set(needsCompile).where(eq(documents.id, id));
}

/**
 * Saves the text of one of a document's files. As with the document's own text, nothing is overwritten that the sender
 * has not seen; the same save, sent again because its response was lost, is answered as the first time.
 * @throws ApiError NOT_FOUND, INVALID_INPUT
 */
export async function saveFileText(
  deps: FileDeps,
  userId: string,
  id: string,
  name: string,
  save: FileSave,
): Promise<SaveOutcome> {
  const { storage } = deps;
  await getFigure(deps.db, userId, id, name);
  const bytes = new TextEncoder().encode(save.latex);
  const mediaType = checkFigure(name, bytes);
  const figure = { key: newFigureKey(id), mediaType, sizeBytes: bytes.length, hash: hashBytes(bytes) };
  await storage.put(figure.key, bytes, { contentType: mediaType });
  let outcome: SaveOutcome | null = null;
  let present: typeof documentFigures.$inferSelect | null = null;
  await replaceFile(deps, figure.key, async (tx) => {
    await lockDocument(tx, userId, id);
    const old = await findFigure(tx, id, name);
    if (!old) throw fileNotFound();
    if (old.hash === figure.hash) {
      outcome = { kind: 'saved', version: old.version };
      return figure.key;
    }
    if (old.version !== save.base_version) {
      present = old;
      return figure.key;
    }
    const version = old.version + 1;
    await writeFigure(tx, id, { name, ...figure, version }, bytes);
    outcome = { kind: 'saved', version };
    return old.key;
  });
  return outcome ?? readPresent(deps, userId, id, present!);
}

/** A text that was saved by somebody else meanwhile; once more if it is replaced while it is read. */
async function readPresent(
  deps: FileDeps,
  userId: string,
  id: string,
  { name, key, version }: typeof documentFigures.$inferSelect,
): Promise<SaveOutcome> {
  try {
    const latex = decodeText(await deps.storage.getBytes(key), name);
    return { kind: 'conflict', current: { version, latex } };
  } catch (error) {
    if (!(error instanceof StorageNotFound)) throw error;
    const newer = await getFigure(deps.db, userId, id, name);
    if (newer.key === key) throw fileNotFound();
    return readPresent(deps, userId, id, newer);
  }
}

/** @throws ApiError NOT_FOUND */
export async function getFigure(db: Database, userId: string, id: string, name: string) {
  await getDocument(db, userId, id);
  const figure = await findFigure(db, id, name);
  if (!figure) throw fileNotFound();
  return figure;
}

async function findFigure(db: Database | Transaction, id: string, name: string) {
  const [figure] = await db.select().from(documentFigures).where(figureIs(id, name));
  return figure ?? null;
}

function figureIs(id: string, name: string) {
  return and(eq(documentFigures.documentId, id), eq(documentFigures.name, name));
}

/** @throws ApiError NOT_FOUND */
export async function deleteFigure(
  { db, storage }: FileDeps,
  userId: string,
  id: string,
  name: string,
): Promise<void> {
  const deleted = await db.transaction(async (tx) => {
    await lockDocument(tx, userId, id);
    await keepFileText(tx, id, name);
    const [row] = await tx.delete(documentFigures).where(figureIs(id, name)).returning();
    if (!row) throw fileNotFound();
    await tx.update(documents).set(needsCompile).where(eq(documents.id, id));
    return row;
  });
  await storage.delete(deleted.key);
}

/** Adds or replaces the image of a page. @throws ApiError NOT_FOUND, INVALID_INPUT */
export async function putPage(
  deps: KeepDeps,
  userId: string,
  id: string,
  number: number,
  given: Uint8Array,
): Promise<void> {
  await getDocument(deps.db, userId, id);
  if (number > maxPages) throw invalidInput(`A document has at most ${maxPages} stored page pictures.`);
  if (given.length > maxPageImageBytes)
    throw invalidInput(`A page’s picture can be at most ${maxPageImageBytes / 1_000_000} MB.`);
  if (!readPictureHeader(given)) throw invalidInput('A page’s picture is a PNG or a JPEG.');
  const bytes = await cleanFile(`Page ${number}`, given, deps.redrawPicture, userId);
  const header = readPictureHeader(bytes)!;
  const page = { key: newPageKey(id), sizeBytes: bytes.length, ...header };
  await deps.storage.put(page.key, bytes, { contentType: header.mediaType });
  await replaceFile(deps, page.key, async (tx) => {
    await lockDocument(tx, userId, id);
    const others = and(eq(documentPages.documentId, id), ne(documentPages.number, number));
    const [sum] = await tx
      .select({ bytes: sql<number>`coalesce(sum(${documentPages.sizeBytes}), 0)`.mapWith(Number) })
      .from(documentPages)
      .where(others);
    if ((sum?.bytes ?? 0) + bytes.length > maxPageImagesBytes)
      throw invalidInput(
        `The pictures of all pages can be at most ${maxPageImagesBytes / 1_000_000} MB in total.`,
      );
    const old = await findPage(tx, id, number);
    await tx
      .insert(documentPages)
      .values({ documentId: id, number, ...page })
      .onConflictDoUpdate({ target: [documentPages.documentId, documentPages.number], set: page });
    return old?.key ?? null;
  });
}

/** @throws ApiError NOT_FOUND */
export async function getPage(db: Database, userId: string, id: string, number: number) {
  await getDocument(db, userId, id);
  const page = await findPage(db, id, number);
  if (!page) throw fileNotFound();
  return page;
}

async function findPage(db: Database | Transaction, id: string, number: number) {
  const [page] = await db.select().from(documentPages).where(pageIs(id, number));
  return page ?? null;
}

function pageIs(id: string, number: number) {
  return and(eq(documentPages.documentId, id), eq(documentPages.number, number));
}

/** @throws ApiError NOT_FOUND */
export async function deletePage(
  { db, storage }: FileDeps,
  userId: string,
  id: string,
  number: number,
): Promise<void> {
  await getDocument(db, userId, id);
  const [row] = await db.delete(documentPages).where(pageIs(id, number)).returning();
  if (!row) throw fileNotFound();
  await storage.delete(row.key);
}

/** Writes the row of a stored file, then removes the file it replaces, or the new one if it was refused. */
async function replaceFile(
  { db, storage }: FileDeps,
  newKey: string,
  write: (tx: Transaction) => Promise<string | null>,
): Promise<void> {
  let unused: string | null = newKey;
  try {
    unused = await db.transaction(write);
  } finally {
    // a file left behind is removed with the document
    if (unused !== null) await storage.delete(unused).catch(() => {});
  }
}
