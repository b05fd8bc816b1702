/** A user's library, for the export of their data. */
import { asc, eq, sql } from 'drizzle-orm';
import type { ExportedFile, ExportPart } from '#platform/export-part.ts';
import type { Database } from '#server/database/database.ts';
import { pickColumns, presentRow } from '#server/database/present-row.ts';
import { type Storage, StorageNotFound } from '#server/storage/storage.ts';
import { presentSummary } from './documents/documents.ts';
import { getPersonalPreamble } from './preamble/personal-preamble.ts';
import { documentFigures, documentPages, documents, documentVersions, folders } from './schema.ts';

interface OwnedFiles {
  db: Database;
  storage: Storage;
}

export function exportLibraryOf(deps: OwnedFiles, userId: string): ExportPart {
  return {
    describes: [
      { path: 'documents/folders.json', meaning: 'your folders' },
      {
        path: 'documents/documents.json',
        meaning:
          'your documents, including those in the trash: titles, folders, times, history without the text',
      },
      { path: 'documents/preamble.json', meaning: 'your own preamble and notation' },
      { path: 'documents/ID/document.tex', meaning: 'the text of a document' },
      { path: 'documents/ID/document.pdf', meaning: 'the PDF of the last version that compiled' },
      {
        path: 'documents/ID/*.png, *.jpg, …',
        meaning:
          'its figures and other files, under the names used in the text (those in its folders “pages” and “versions” are below files/)',
      },
      {
        path: 'documents/ID/pages/N.png, N.jpg',
        meaning: 'pictures of its pages, where you chose to keep them',
      },
      { path: 'documents/ID/versions/N.tex', meaning: 'the versions in its history' },
      {
        path: 'documents/ID/versions/FILE/N',
        meaning: 'earlier versions of its files, numbered from the oldest',
      },
    ],
    files: listFiles(deps, userId),
  };
}

const versionFields = ['version', 'name', 'cause', 'created_at'] as const;

async function* listFiles(deps: OwnedFiles, userId: string): AsyncGenerator<ExportedFile> {
  const { db } = deps;
  const ownFolders = await db
    .select()
    .from(folders)
    .where(eq(folders.userId, userId))
    .orderBy(asc(folders.createdAt));
  yield {
    path: 'documents/folders.json',
    content: toJson(
      ownFolders.map((row) => presentRow(row, ['id', 'name', 'parent_id', 'created_at', 'updated_at'])),
    ),
  };
  const { preamble, notation } = await getPersonalPreamble(db, userId);
  yield { path: 'documents/preamble.json', content: toJson({ preamble, notation }) };
  const ids = await db
    .select({ id: documents.id })
    .from(documents)
    .where(eq(documents.userId, userId))
    .orderBy(asc(documents.createdAt), asc(documents.id));
  const described: unknown[] = [];
  // one at a time: all texts may be hundreds of megabytes
  for (const { id } of ids) {
    const [row] = await db.select().from(documents).where(eq(documents.id, id));
    if (!row) continue;
    const history = await db
      .select(pickColumns(documentVersions, versionFields))
      .from(documentVersions)
      .where(eq(documentVersions.documentId, id))
      .orderBy(asc(documentVersions.version));
    described.push({
      ...presentSummary(row),
      engine: row.engine,
      source_map: row.sourceMap,
      versions: history.map((row) => presentRow(row, versionFields)),
    });
    yield* listFilesOf(deps, row);
  }
  yield { path: 'documents/documents.json', content: toJson(described) };
}

async function* listFilesOf(
  { db, storage }: OwnedFiles,
  { id, latex, pdfKey }: typeof documents.$inferSelect,
): AsyncGenerator<ExportedFile> {
  const folder = `documents/${id}/`;
  yield { path: `${folder}document.tex`, content: latex };
  const figures = await db.select().from(documentFigures).where(eq(documentFigures.documentId, id));
  const pages = await db.select().from(documentPages).where(eq(documentPages.documentId, id));
  const stored = [
    ...(pdfKey === null ? [] : [{ path: 'document.pdf', key: pdfKey }]),
    // two folders are the export's own
    ...figures.map(({ name, key }) => ({
      path: /^(?:pages|versions)\//.test(name) ? `files/${name}` : name,
      key,
    })),
    ...pages.map(({ number, mediaType, key }) => ({
      path: `pages/${number}.${mediaType === 'image/png' ? 'png' : 'jpg'}`,
      key,
    })),
  ];
  for (const { path, key } of stored) {
    const content = await storage.getStream(key).catch((error: unknown) => {
      // replaced or deleted since the rows were read
      if (error instanceof StorageNotFound) return null;
      throw error;
    });
    if (content) yield { path: folder + path, content };
  }
  const versions = await db
    .select({ version: documentVersions.version })
    .from(documentVersions)
    .where(eq(documentVersions.documentId, id))
    .orderBy(asc(documentVersions.version));
  for (const { version } of versions) {
    const text = await readVersion(db, id, version);
    if (text !== null) yield { path: `${folder}versions/${version}.tex`, content: text };
  }
  yield* listFileHistory(db, id);
}

async function* listFileHistory(db: Database, id: string): AsyncGenerator<ExportedFile> {
  const { rows } = await db.execute<{ name: string; ended_at: string; number: number }>(sql`
    select name, ended_at::text, row_number() over (partition by name order by ended_at)::integer as number
      from private.document_file_versions where document_id = ${id} order by name, ended_at`);
  for (const { name, ended_at, number } of rows) {
    const { rows: texts } = await db.execute<{ latex: string }>(sql`
      select latex from private.document_file_versions
       where document_id = ${id} and name = ${name} and ended_at = ${ended_at}::timestamptz`);
    if (texts[0]) yield { path: `documents/${id}/versions/${name}/${number}`, content: texts[0].latex };
  }
}

async function readVersion(db: Database, documentId: string, version: number): Promise<string | null> {
  const { rows } = await db.execute<{ latex: string }>(
    sql`select latex from document_versions where document_id = ${documentId} and version = ${version}`,
  );
  return rows[0]?.latex ?? null;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
