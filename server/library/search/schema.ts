/**
 * The search index, in a schema that no identity backend exposes: for each library (the documents of one user), an
 * index from terms to documents. All rows are keyed by the library, so that a search never reads another user's words,
 * and can be rebuilt from the documents.
 *
 * `search_due` lists documents that have changed: triggers on the documents' table write it in the transaction of the
 * change (see the migration), and `index-due.ts` processes it.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '#server/database/columns.ts';
import { privateSchema } from '#server/database/private-schema.ts';

/** Compared byte by byte: the same on every server, and a prefix is a range. */
const bytewiseText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** One row per user with indexed documents; locked by whoever changes the library's index. */
export const searchLibraries = privateSchema.table('search_libraries', {
  userId: uuid('user_id').primaryKey(),
  id: integer('id').notNull().unique().generatedAlwaysAsIdentity(),
  /** The next document's number; numbers are not reused. */
  nextNumber: integer('next_number').notNull().default(0),
  /** Number of indexed documents. */
  documents: integer('documents').notNull().default(0),
  /** Approximate number of rows in `search_postings` that could be packed into segments. */
  unpacked: integer('unpacked').notNull().default(0),
  /** When a term last changed. */
  changedAt: moment('changed_at').notNull().defaultNow(),
});

/**
 * A file's part of the indexed text: the document's own text first, then the files by name. `line` (from 1) and
 * `offset` (UTF-16 units, from 0) are where it begins.
 */
export interface IndexedFile {
  name: string;
  line: number;
  offset: number;
}

/** One row per document. The long columns are stored out of line (see the migration), so that rows are read quickly. */
export const documentSearch = privateSchema.table(
  'document_search',
  {
    /** Without a foreign key: when a document is deleted, `index-due.ts` removes its words. */
    documentId: uuid('document_id').primaryKey(),
    library: integer('library').notNull(),
    /** Its number in the index. */
    number: integer('number').notNull(),
    /** The index format it was written in (`indexFormat`). */
    format: smallint('format').notNull(),
    /** When the text was last saved. */
    savedAt: moment('saved_at').notNull(),
    /** A copy from the document, for filters that match many. */
    folderId: uuid('folder_id'),
    isStarred: boolean('is_starred').notNull().default(false),
    title: text('title').notNull(),
    /** The text for display, compressed (`packText`); null in rows of an earlier release. */
    content: bytes('content'),
    /** Its sequence of words, title first, in which phrases are found (`encodeRow`). */
    wordRow: bytes('word_row'),
    /** Which lines belong to its files, if it has any (`IndexedFile`). */
    files: jsonb('files').$type<IndexedFile[]>(),
    /** One line per formula of the body, tokens separated by spaces. */
    formulas: text('formulas').notNull(),
    /** The same in rows of an earlier release, until the worker has converted them (`rewrite-rows.ts`). */
    body: text('body'),
    places: integer('places').array(),
    headings: integer('headings').array(),
    words: text('words'),
  },
  (table) => [
    unique('document_search_number').on(table.library, table.number),
    index('document_search_saved').on(table.library, table.savedAt, table.number),
    index('document_search_folder').on(table.library, table.folderId, table.number),
    index('document_search_starred').on(table.library, table.number).where(sql`is_starred`),
  ],
);

/**
 * Which documents have a term (`terms.ts`), in blocks; common terms have several. For a rare term, only documents added
 * since its library was packed: the others are in `search_segments`. No document is in both.
 */
export const searchPostings = privateSchema.table(
  'search_postings',
  {
    library: integer('library').notNull(),
    term: bytewiseText('term').notNull(),
    /** The block contains numbers from this one up to the next block's; 0 for a term's first block. */
    first: integer('first').notNull(),
    /** Number of documents in the block. */
    documents: smallint('documents').notNull(),
    /** Their numbers with flags (`posting-block.ts`). */
    postings: bytes('postings').notNull(),
    /** Whether `documents` has ever been more than a few: short prefixes match only such words. */
    isCommon: smallint('is_common').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.library, table.term, table.first] }),
    // reversed words, to find words mistyped at the beginning
    index('search_postings_ends')
      .on(table.library, sql`reverse(term) COLLATE "C"`)
      .where(sql`first = 0 and term >= 'a'`),
    index('search_postings_common')
      .on(table.library, table.term)
      .where(sql`first = 0 and is_common = 1 and term >= '0'`),
  ],
);

/** A library's rare terms, sorted, many per row (`segment.ts`), with its reversed words. */
export const searchSegments = privateSchema.table(
  'search_segments',
  {
    library: integer('library').notNull(),
    /** The segment contains terms from this one up to the next segment's; the empty string for the first one. */
    first: bytewiseText('first').notNull(),
    entries: bytes('entries').notNull(),
  },
  (table) => [primaryKey({ columns: [table.library, table.first] })],
);

/**
 * Documents whose text, title, owner, folder, star or place in the trash has changed, or that were deleted: one note
 * per change.
 */
export const searchDue = privateSchema.table(
  'search_due',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    documentId: uuid('document_id').notNull(),
    /** Not before this time; a document that could not be indexed is tried again later. */
    dueAt: moment('due_at').notNull().defaultNow(),
  },
  (table) => [index('search_due_document').on(table.documentId)],
);
