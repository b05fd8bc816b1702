/**
 * What search keeps of documents, in the schema that no identity backend exposes: for each library (the documents of
 * one person) an index from what documents can be found by to the documents. Everything in it is keyed by the library,
 * so that nobody's words are looked through for somebody else, and can be made again from the documents.
 *
 * `search_due` names documents that have changed since: triggers of the documents' table write it in the transaction
 * that changes one (in the migration), and `index-due.ts` works it off.
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

/** One row a person whose documents are indexed; who changes the index of a library holds its row. */
export const searchLibraries = privateSchema.table('search_libraries', {
  userId: uuid('user_id').primaryKey(),
  id: integer('id').notNull().unique().generatedAlwaysAsIdentity(),
  /** Of the next document; numbers are given once. */
  nextNumber: integer('next_number').notNull().default(0),
  /** How many documents are indexed. */
  documents: integer('documents').notNull().default(0),
  /** About how many rows of `search_postings` could be packed into segments. */
  unpacked: integer('unpacked').notNull().default(0),
  /** When a term last changed. */
  changedAt: moment('changed_at').notNull().defaultNow(),
});

/**
 * One of a document's files in the text that is indexed: its own text first, then each file's, by name. `line` (from 1)
 * and `offset` (UTF-16 units, from 0) are those of the file's beginning there.
 */
export interface IndexedFile {
  name: string;
  line: number;
  offset: number;
}

/** One row a document. The long columns lie out of line (in the migration), so that rows are read quickly. */
export const documentSearch = privateSchema.table(
  'document_search',
  {
    /** Without a foreign key: when a document goes, its words are taken out with it (`index-due.ts`). */
    documentId: uuid('document_id').primaryKey(),
    library: integer('library').notNull(),
    /** What the index calls it. */
    number: integer('number').notNull(),
    /** The form of the index that it was made for (`indexFormat`). */
    format: smallint('format').notNull(),
    /** When the text was last saved. */
    savedAt: moment('saved_at').notNull(),
    /** As the document has it, for filters that leave many. */
    folderId: uuid('folder_id'),
    isStarred: boolean('is_starred').notNull().default(false),
    title: text('title').notNull(),
    /** The text as it is shown, compressed (`packText`); null in a row that an earlier release wrote. */
    content: bytes('content'),
    /** Its words in a row, title first: what a phrase is looked for in (`encodeRow`). */
    wordRow: bytes('word_row'),
    /** Which lines of what was read are those of its files, if it has any (`IndexedFile`). */
    files: jsonb('files').$type<IndexedFile[]>(),
    /** One line a formula of the body, its tokens between spaces. */
    formulas: text('formulas').notNull(),
    /** The same in rows that an earlier release wrote, until the worker has rewritten them (`rewrite-rows.ts`). */
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
 * Which documents have a term (`terms.ts`), in blocks: common ones have several. Of a rare term only those that have
 * come since its library was packed: it is in `search_segments`, too. No document is in both.
 */
export const searchPostings = privateSchema.table(
  'search_postings',
  {
    library: integer('library').notNull(),
    term: bytewiseText('term').notNull(),
    /** The block holds numbers from here to the next block's; 0 for the first one, which every term has. */
    first: integer('first').notNull(),
    /** How many documents the block holds. */
    documents: smallint('documents').notNull(),
    /** Their numbers, each with how it has the term (`posting-block.ts`). */
    postings: bytes('postings').notNull(),
    /** Whether `documents` has ever been more than a few: of short beginnings only such words are looked at. */
    isCommon: smallint('is_common').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.library, table.term, table.first] }),
    // words by their ends, for what is mistyped at the beginning
    index('search_postings_ends')
      .on(table.library, sql`reverse(term) COLLATE "C"`)
      .where(sql`first = 0 and term >= 'a'`),
    index('search_postings_common')
      .on(table.library, table.term)
      .where(sql`first = 0 and is_common = 1 and term >= '0'`),
  ],
);

/** The rare terms of a library, sorted, many to a row (`segment.ts`), with its words spelled backwards. */
export const searchSegments = privateSchema.table(
  'search_segments',
  {
    library: integer('library').notNull(),
    /** The segment holds terms from this one to the next segment's; the empty text for the first one. */
    first: bytewiseText('first').notNull(),
    entries: bytes('entries').notNull(),
  },
  (table) => [primaryKey({ columns: [table.library, table.first] })],
);

/** Documents whose text, title, owner, folder, star or place in the trash has changed, or that have gone: a note each time. */
export const searchDue = privateSchema.table(
  'search_due',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    documentId: uuid('document_id').notNull(),
    /** Not before; what could not be indexed is tried again later. */
    dueAt: moment('due_at').notNull().defaultNow(),
  },
  (table) => [index('search_due_document').on(table.documentId)],
);
