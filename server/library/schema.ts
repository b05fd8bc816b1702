/**
 * Tables of the library: folders, documents with their history, figures, page images and links. `user_id` refers to the
 * account without a foreign key: a document's files are in storage, so rows are deleted by `removeLibraryOf` and the
 * sweep, which remove the files too. Row-level security is on without a policy, and the public roles have no rights (in
 * the migration), because with an external Supabase its REST exposes this schema.
 */
import { sql } from 'drizzle-orm';
import {
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '#server/database/columns.ts';
import { privateSchema } from '#server/database/private-schema.ts';
import type { FigureMediaType } from '#shared/api/conversion.ts';
import type { Engine } from '#shared/api/engine.ts';
import type { SourceMap, VersionCause } from '#shared/api/library.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const folders = pgTable(
  'folders',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    /** Null at the top level. No folder is its own ancestor: moves hold the library's lock. */
    parentId: uuid('parent_id'),
    name: text('name').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    foreignKey({ columns: [table.parentId], foreignColumns: [table.id] }).onDelete('cascade'),
    index('folders_user').on(table.userId, table.parentId),
    index('folders_parent').on(table.parentId),
  ],
).enableRLS();

export const documents = pgTable(
  'documents',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    /** Null at the top level. */
    folderId: uuid('folder_id'),
    title: text('title').notNull(),
    latex: text('latex').notNull(),
    /** The text's file name in a document imported with others; null for `main.tex`. */
    mainName: text('main_name'),
    /** Null: the document's own `% !TEX program` line decides. */
    engine: text('engine').$type<Engine>(),
    /** Increases by one with each text saved; a save names the version that was edited. */
    version: integer('version').notNull().default(1),
    /** The client's id for the call that created it; a repeated call creates nothing. */
    saveId: uuid('save_id'),
    sourceMap: jsonb('source_map').$type<SourceMap>(),
    starredAt: moment('starred_at'),
    trashedAt: moment('trashed_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When text, files, engine or title last changed, or the document was moved to the trash or restored. */
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /** When the text was last saved. */
    savedAt: moment('saved_at').notNull().defaultNow(),
    /** When the history was last thinned. */
    thinnedAt: moment('thinned_at'),
    /** For the last version that compiled; all null before the first. */
    pageCount: integer('page_count'),
    pdfKey: text('pdf_key'),
    pdfSizeBytes: integer('pdf_size_bytes'),
    pdfVersion: integer('pdf_version'),
    /** A thumbnail of the PDF's first page; null if there is no PDF, or it could not be rendered. */
    thumbnailKey: text('thumbnail_key'),
    /** The newest version that was compiled, successfully or not. */
    compiledVersion: integer('compiled_version').notNull().default(0),
    /** Until then, a process is compiling it. */
    compileLeaseUntil: moment('compile_lease_until'),
  },
  (table) => [
    foreignKey({ columns: [table.folderId], foreignColumns: [folders.id] }).onDelete('set null'),
    uniqueIndex('documents_save').on(table.userId, table.saveId),
    // names are sorted on reading (see `name-order.ts`)
    index('documents_user').on(table.userId),
    index('documents_folder').on(table.folderId),
    index('documents_starred').on(table.userId).where(sql`starred_at is not null`),
    index('documents_trash').on(table.trashedAt).where(sql`trashed_at is not null`),
    index('documents_to_compile').on(table.savedAt).where(sql`compiled_version < version`),
  ],
).enableRLS();

/** Files that the LaTeX includes, by the names it uses, in folders or not: images, and other files of the document. */
export const documentFigures = pgTable(
  'document_figures',
  {
    documentId: uuid('document_id').notNull(),
    name: text('name').notNull(),
    key: text('key').notNull(),
    mediaType: text('media_type').$type<FigureMediaType>().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** SHA-256, in hexadecimal. */
    hash: text('hash').notNull(),
    /** Increases by one with each content; a save of a text names the version that was edited. */
    version: integer('version').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.name] }),
    foreignKey({ columns: [table.documentId], foreignColumns: [documents.id] }).onDelete('cascade'),
  ],
).enableRLS();

/** The text of each file that is one, for search and history; the file itself is in storage. */
export const documentTexts = privateSchema.table(
  'document_texts',
  {
    documentId: uuid('document_id').notNull(),
    name: text('name').notNull(),
    latex: text('latex').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.name] }),
    foreignKey({
      name: 'document_texts_file',
      columns: [table.documentId, table.name],
      foreignColumns: [documentFigures.documentId, documentFigures.name],
    }).onDelete('cascade'),
  ],
);

/** Texts of files that have been replaced or removed; thinned over time (`file-texts.ts`). */
export const documentFileVersions = privateSchema.table(
  'document_file_versions',
  {
    documentId: uuid('document_id').notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    latex: text('latex').notNull(),
    /** When it was replaced or removed. */
    endedAt: moment('ended_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.name, table.endedAt] }),
    foreignKey({ columns: [table.documentId], foreignColumns: [documents.id] }).onDelete('cascade'),
  ],
);

/** Images of the pages that a document was read from; stored only if the user chose to keep them. */
export const documentPages = pgTable(
  'document_pages',
  {
    documentId: uuid('document_id').notNull(),
    /** 1-based. */
    number: integer('number').notNull(),
    key: text('key').notNull(),
    mediaType: text('media_type').$type<'image/png' | 'image/jpeg'>().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** In pixels. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.number] }),
    foreignKey({ columns: [table.documentId], foreignColumns: [documents.id] }).onDelete('cascade'),
  ],
).enableRLS();

/** Every text saved, including the present one; thinned over time (`thin-history.ts`), except named ones. */
export const documentVersions = pgTable(
  'document_versions',
  {
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    latex: text('latex').notNull(),
    /** The document's title at that time. */
    title: text('title').notNull(),
    /** Chosen by the user. */
    name: text('name'),
    cause: text('cause').$type<VersionCause>().notNull(),
    /** The client's id for the save; a repeated save has no effect. */
    saveId: uuid('save_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.version] }),
    foreignKey({ columns: [table.documentId], foreignColumns: [documents.id] }).onDelete('cascade'),
    uniqueIndex('document_versions_save').on(table.documentId, table.saveId),
    check(
      'document_versions_cause',
      sql`${table.cause} in ('create', 'edit', 'merge', 'assistant', 'restore')`,
    ),
  ],
).enableRLS();

/** Read-only links. Only the token's hash is stored, so that nobody can open a document from the table. */
export const documentShares = pgTable(
  'document_shares',
  {
    id: uuid('id').primaryKey(),
    documentId: uuid('document_id').notNull(),
    /** SHA-256 of the token. */
    tokenHash: bytes('token_hash').notNull().unique(),
    createdAt: moment('created_at').notNull().defaultNow(),
    revokedAt: moment('revoked_at'),
  },
  (table) => [
    foreignKey({ columns: [table.documentId], foreignColumns: [documents.id] }).onDelete('cascade'),
    index('document_shares_document').on(table.documentId),
  ],
).enableRLS();

/** The personal preamble. */
export { personalPreambles } from './preamble/schema.ts';
/** The search index. */
export {
  documentSearch,
  searchDue,
  searchLibraries,
  searchPostings,
  searchSegments,
} from './search/schema.ts';
