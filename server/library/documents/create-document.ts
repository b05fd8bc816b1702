/**
 * Creates documents: from text with its figures, from a conversion's result, or as a copy. Files are stored first, then
 * the rows are written in one transaction that checks the limit; files left without rows are removed, at once or by the
 * sweep.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { clipTitle, nameDocument } from '#latex/source/title/name-document.ts';
import { ApiError, invalidInput } from '#platform/errors.ts';
import type { FigureMediaType } from '#shared/api/conversion.ts';
import type { Engine } from '#shared/api/engine.ts';
import { findNameClash } from '#shared/api/file-name.ts';
import type { NewDocument, SourceMap } from '#shared/api/library.ts';
import { maxDocumentFiles, maxTitleLength, textFileEndings } from '#shared/api/library.ts';
import { maxFiguresBytes } from '#shared/api/limits.ts';
import { isSafeAssetName } from '#typesetting/index.ts';
import type { Database } from '../../database/database.ts';
import { type Storage, StorageNotFound } from '../../storage/storage.ts';
import { cleanFile, type RedrawPicture } from '../files/clean-file.ts';
import {
  documentPrefix,
  hashBytes,
  newFigureKey,
  newPageKey,
  newPdfKey,
  newThumbnailKey,
} from '../files/files.ts';
import { readPictureHeader } from '../files/read-picture.ts';
import { requireFolder } from '../folders/folders.ts';
import { fileNotFound } from '../ids.ts';
import { lockLibrary, requireRoom, type Transaction } from '../lock-library.ts';
import { documentFigures, documentPages, documents, documentVersions } from '../schema.ts';
import { getDocument } from './documents.ts';
import { readFileText, writeFileText } from './file-texts.ts';

/** The result of a conversion, as the conversion room provides it. */
interface DeliveredDocument {
  latex: string;
  figures: { name: string; bytes: Uint8Array }[];
  pdf: Uint8Array;
  sourceMap: SourceMap;
}

export interface CreateDeps {
  db: Database;
  storage: Storage;
  /** The result of a conversion that belongs to one of the owners; null if it does not exist or has expired. */
  findDelivered: (conversionId: string, owners: readonly string[]) => Promise<DeliveredDocument | null>;
  redrawPicture: RedrawPicture;
}

interface FigureFile {
  name: string;
  bytes: Uint8Array;
}

/**
 * @param owners the ids the caller acts for: a visitor's conversion may be saved by the account that the visitor created
 * @returns the document's id; for a `save_id` sent before, that of the existing document
 * @throws ApiError NOT_FOUND for the folder or the conversion, INVALID_INPUT for invalid figures,
 * DOCUMENT_LIMIT_EXCEEDED
 */
export async function createDocument(
  deps: CreateDeps,
  userId: string,
  owners: readonly string[],
  given: NewDocument,
): Promise<string> {
  const known = await findBySave(deps.db, userId, given.save_id);
  return known ?? keepDocument(deps, userId, given, await readContent(deps, owners, given));
}

/** The content of a new document. */
export interface DocumentContent {
  latex: string;
  /** The text's file name, unless it is `main.tex`. */
  mainName?: string | null;
  figures: FigureFile[];
  pdf: Uint8Array | null;
  sourceMap: SourceMap | null;
}

/**
 * As `createDocument`, from content in memory. Files need not be images: an imported document brings what it needs.
 * @throws ApiError NOT_FOUND for the folder, INVALID_INPUT for names of files, DOCUMENT_LIMIT_EXCEEDED
 */
export async function keepDocument(
  deps: Pick<CreateDeps, 'db' | 'storage' | 'redrawPicture'>,
  userId: string,
  given: Pick<NewDocument, 'title' | 'folder_id' | 'engine' | 'save_id'>,
  content: DocumentContent,
): Promise<string> {
  const id = randomUUID();
  return withFiles(deps.storage, id, async () => {
    const figures = await storeFigures(deps, userId, id, content.figures);
    const pdf = content.pdf ? { key: newPdfKey(id), sizeBytes: content.pdf.length } : null;
    if (pdf && content.pdf) await deps.storage.put(pdf.key, content.pdf, { contentType: 'application/pdf' });
    return deps.db.transaction(async (tx) => {
      await lockLibrary(tx, userId);
      // the same call may have been sent twice, and this one waited for the lock
      const meanwhile = await findBySave(tx, userId, given.save_id);
      if (meanwhile) return meanwhile;
      await requireFolder(tx, userId, given.folder_id);
      await requireRoom(tx, userId);
      await insertDocument(tx, {
        id,
        userId,
        folderId: given.folder_id,
        title: clipTitle(given.title ?? nameDocument(content.latex) ?? '').toWellFormed() || untitled,
        latex: content.latex.toWellFormed(),
        engine: given.engine,
        mainName: content.mainName ?? null,
        saveId: given.save_id ?? null,
        sourceMap: content.sourceMap,
        pdfKey: pdf?.key ?? null,
        pdfSizeBytes: pdf?.sizeBytes ?? null,
        pdfVersion: pdf ? 1 : null,
      });
      if (figures.length > 0) await tx.insert(documentFigures).values(figures.map(({ row }) => row));
      for (const { row, text } of figures) if (text !== null) await writeFileText(tx, id, row.name, text);
      return id;
    });
  });
}

async function readContent(
  deps: CreateDeps,
  owners: readonly string[],
  given: NewDocument,
): Promise<DocumentContent> {
  if (given.conversion_id === undefined)
    return {
      latex: given.latex ?? '',
      figures: given.figures.map(({ name, data_base64 }) => {
        const bytes = Buffer.from(data_base64, 'base64');
        checkFigure(name, bytes);
        return { name, bytes };
      }),
      pdf: null,
      sourceMap: given.source_map,
    };
  const delivered = await deps.findDelivered(given.conversion_id, owners);
  if (!delivered) throw new ApiError('NOT_FOUND', { message: 'There is no such conversion.' });
  return {
    ...delivered,
    sourceMap: given.source_map ?? delivered.sourceMap,
  };
}

/**
 * Copies a document within its folder: text, figures and page images, but not history and links.
 * @throws ApiError NOT_FOUND, DOCUMENT_LIMIT_EXCEEDED
 */
export async function duplicateDocument(
  { db, storage }: Pick<CreateDeps, 'db' | 'storage'>,
  userId: string,
  sourceId: string,
): Promise<string> {
  const source = await getDocument(db, userId, sourceId);
  const figures = await db.select().from(documentFigures).where(eq(documentFigures.documentId, sourceId));
  const pages = await db.select().from(documentPages).where(eq(documentPages.documentId, sourceId));
  const id = randomUUID();
  return withFiles(storage, id, async () => {
    const copy = async (from: string, to: string) => {
      await storage.put(to, await getBytes(storage, from));
      return to;
    };
    const copiedFigures: (typeof figures)[number][] = [];
    for (const figure of figures)
      copiedFigures.push({ ...figure, documentId: id, key: await copy(figure.key, newFigureKey(id)) });
    const copiedPages: (typeof pages)[number][] = [];
    for (const page of pages)
      copiedPages.push({ ...page, documentId: id, key: await copy(page.key, newPageKey(id)) });
    const isPdfOfText = source.pdfVersion === source.version;
    const copyOf = (key: string | null, to: string) => (key === null || !isPdfOfText ? null : copy(key, to));
    const pdfKey = await copyOf(source.pdfKey, newPdfKey(id));
    const thumbnailKey = await copyOf(source.thumbnailKey, newThumbnailKey(id));
    await db.transaction(async (tx) => {
      await requireRoom(tx, userId);
      // its folder may have been deleted meanwhile
      const { folderId } = await getDocument(tx, userId, sourceId);
      await insertDocument(tx, {
        id,
        userId,
        folderId,
        title: nameCopy(source.title),
        latex: source.latex,
        engine: source.engine,
        mainName: source.mainName,
        sourceMap: source.sourceMap,
        ...(pdfKey !== null
          ? {
              pdfKey,
              thumbnailKey,
              pdfSizeBytes: source.pdfSizeBytes,
              pdfVersion: 1,
              pageCount: source.pageCount,
              compiledVersion: source.compiledVersion === source.version ? 1 : 0,
            }
          : {}),
      });
      if (copiedFigures.length > 0) await tx.insert(documentFigures).values(copiedFigures);
      await tx.execute(sql`insert into private.document_texts (document_id, name, latex)
        select ${id}, t.name, t.latex from private.document_texts t
          join document_figures f on f.document_id = ${id} and f.name = t.name
        where t.document_id = ${sourceId}`);
      if (copiedPages.length > 0) await tx.insert(documentPages).values(copiedPages);
    });
    return id;
  });
}

async function insertDocument(
  tx: Transaction,
  document: Omit<typeof documents.$inferInsert, 'version'> & { engine: Engine | null },
): Promise<void> {
  await tx.insert(documents).values(document);
  const { id: documentId, latex, title } = document;
  await tx.insert(documentVersions).values({ documentId, version: 1, latex, title, cause: 'create' });
}

async function findBySave(
  db: Database | Transaction,
  userId: string,
  saveId: string | undefined,
): Promise<string | null> {
  if (saveId === undefined) return null;
  const [row] = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.userId, userId), eq(documents.saveId, saveId)));
  return row?.id ?? null;
}

/** Removes the files under the new document's prefix unless `write` has created that document. */
async function withFiles(storage: Storage, id: string, write: () => Promise<string>): Promise<string> {
  let made: string | null = null;
  try {
    made = await write();
    return made;
  } finally {
    if (made !== id) await storage.deletePrefix(documentPrefix(id)).catch(() => {});
  }
}

async function getBytes(storage: Storage, key: string): Promise<Uint8Array> {
  try {
    return await storage.getBytes(key);
  } catch (error) {
    if (error instanceof StorageNotFound) throw fileNotFound();
    throw error;
  }
}

async function storeFigures(
  { storage, redrawPicture }: Pick<CreateDeps, 'storage' | 'redrawPicture'>,
  userId: string,
  documentId: string,
  figures: readonly FigureFile[],
) {
  requireNamesFit(figures.map(({ name }) => name));
  let total = 0;
  const checked = figures.map(({ name, bytes }) => {
    total += bytes.length;
    if (!isSafeAssetName(name)) throw invalidInput(`“${name}” is not a valid name for a file.`);
    return { name, bytes, mediaType: detectMediaType(bytes) };
  });
  requireFiguresFit(total);
  const rows = [];
  for (const { name, bytes: given, mediaType } of checked) {
    const key = newFigureKey(documentId);
    const bytes = await cleanFile(name, given, redrawPicture, userId);
    await storage.put(key, bytes, { contentType: mediaType });
    const row = { documentId, name, key, mediaType, sizeBytes: bytes.length, hash: hashBytes(bytes) };
    rows.push({ row, text: readFileText(name, bytes) });
  }
  return rows;
}

/**
 * Checks a file that a user adds: an image, a drawing as PDF, or a text file that the document reads.
 * @returns its type, by its content. @throws ApiError INVALID_INPUT for an invalid name or content
 */
export function checkFigure(name: string, bytes: Uint8Array): FigureMediaType {
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const isText = (textFileEndings as readonly string[]).includes(ending);
  if (!isSafeAssetName(name) || !(isText || /^(png|jpe?g|pdf)$/.test(ending)))
    throw invalidInput(
      `“${name}” is not a valid name for a file: use letters, digits, “-” and “_”, with folders if you like, and the extension .png, .jpg or .pdf, or that of a text file LaTeX reads (.bib, .sty, .csv …).`,
    );
  const mediaType = detectMediaType(bytes);
  if (isText) {
    if (mediaType !== otherFile || bytes.includes(0)) throw invalidInput(`“${name}” is not a text file.`);
    return mediaType;
  }
  const isPdf = mediaType === 'application/pdf';
  if (mediaType === otherFile || isPdf !== /\.pdf$/i.test(name))
    throw invalidInput(`The figure “${name}” does not match its extension: it has to be a PNG, JPEG or PDF.`);
  return mediaType;
}

/** Inputs of a document that are not images: tables, styles, bibliographies, program code. */
const otherFile = 'application/octet-stream';

function detectMediaType(bytes: Uint8Array): FigureMediaType {
  const isPdf = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(5, bytes.length)).toString() === '%PDF-';
  return isPdf ? 'application/pdf' : (readPictureHeader(bytes)?.mediaType ?? otherFile);
}

/** @throws ApiError INVALID_INPUT for too many files of a document, or two that cannot be there together */
export function requireNamesFit(names: readonly string[]): void {
  if (names.length > maxDocumentFiles)
    throw invalidInput(`A document has at most ${maxDocumentFiles} files besides its text.`);
  const clash = findNameClash(names);
  if (clash !== null) throw invalidInput(`Two files cannot both have the name “${clash}”.`);
}

/** @throws ApiError INVALID_INPUT if a document's figures are too large in total */
export function requireFiguresFit(totalBytes: number): void {
  if (totalBytes > maxFiguresBytes)
    throw invalidInput(`The figures are larger than ${maxFiguresBytes / 1_000_000} MB in total.`);
}

const untitled = 'Untitled document';

function nameCopy(title: string): string {
  return `${clipTitle(title, maxTitleLength - ' (copy)'.length)} (copy)`;
}
