/**
 * What people keep: folders, documents with their history, figures, page images and links. `user_id` refers to the
 * account without a foreign key: the files of a document lie in the storage, so rows go by `removeLibraryOf` and by
 * the sweep, which knows what to remove with them. Row-level security is on without a policy, and the public roles
 * have no rights (in the migration): where a Supabase keeps accounts, its REST exposes this schema.
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
import type { FigureMediaType } from '#shared/api/conversion.ts';
import type { Engine } from '#shared/api/engine.ts';
import type { SourceMap, VersionCause } from '#shared/api/library.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const folders = pgTable(
  'folders',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    /** Null at the top. No folder is its own ancestor: moves happen under the library's lock. */
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
    /** Null at the top. */
    folderId: uuid('folder_id'),
    title: text('title').notNull(),
    latex: text('latex').notNull(),
    /** Null: the document's own `% !TEX program` line decides. */
    engine: text('engine').$type<Engine>(),
    /** Grows by one with each text that is saved: who saves says which one the change was made from. */
    version: integer('version').notNull().default(1),
    /** The sender's own id of the call that made it; sent twice, it is made once. */
    saveId: uuid('save_id'),
    sourceMap: jsonb('source_map').$type<SourceMap>(),
    starredAt: moment('starred_at'),
    trashedAt: moment('trashed_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When text, figures, title, place or star last changed. */
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /** When the text was last saved. */
    savedAt: moment('saved_at').notNull().defaultNow(),
    /** When the history was last thinned. */
    thinnedAt: moment('thinned_at'),
    /** Of the last version that compiled; all null before the first. */
    pageCount: integer('page_count'),
    pdfKey: text('pdf_key'),
    pdfSizeBytes: integer('pdf_size_bytes'),
    pdfVersion: integer('pdf_version'),
    /** A small picture of the PDF's first page; null where there is no PDF, or it could not be drawn. */
    thumbnailKey: text('thumbnail_key'),
    /** The newest version that was tried to compile, well or badly. */
    compiledVersion: integer('compiled_version').notNull().default(0),
    /** A process compiles it until then. */
    compileLeaseUntil: moment('compile_lease_until'),
  },
  (table) => [
    foreignKey({ columns: [table.folderId], foreignColumns: [folders.id] }).onDelete('set null'),
    uniqueIndex('documents_save').on(table.userId, table.saveId),
    // names are sorted when they are read (see `name-order.ts`)
    index('documents_user').on(table.userId),
    index('documents_folder').on(table.folderId),
    index('documents_starred').on(table.userId).where(sql`starred_at is not null`),
    index('documents_trash').on(table.trashedAt).where(sql`trashed_at is not null`),
    index('documents_to_compile').on(table.savedAt).where(sql`compiled_version < version`),
  ],
).enableRLS();

/** Files that the LaTeX includes, by the name it says: pictures, and what an imported document brought. */
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
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.name] }),
    foreignKey({ columns: [table.documentId], foreignColumns: [documents.id] }).onDelete('cascade'),
  ],
).enableRLS();

/** Pictures of the pages a document was read from; there only when the person asked to keep them. */
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

/** Every text that was saved, the present one too; thinned with time (`thin-history.ts`), named ones stay. */
export const documentVersions = pgTable(
  'document_versions',
  {
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    latex: text('latex').notNull(),
    /** The document's title at that time. */
    title: text('title').notNull(),
    /** Given by the person. */
    name: text('name'),
    cause: text('cause').$type<VersionCause>().notNull(),
    /** The sender's own id of the save; sent twice, it is done once. */
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

/** Read-only links. Only the hash of a token is kept: who reads the table cannot open a document. */
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

/** What a person uses in all of their documents; a folder of its own. */
export { personalPreambles } from './preamble/schema.ts';
/** What search keeps of them; a folder of its own knows the details. */
export { documentSearch, searchDue, searchLibraries, searchPostings } from './search/schema.ts';
