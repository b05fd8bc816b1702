/**
 * What search keeps of documents, in the schema that no identity backend exposes. `document_search` has a row a
 * document with all it can be found by as numbers (tokens.ts), each made from the owner's id too: the index's list for
 * a number holds the documents of one owner only, and a word that everybody uses costs a person no more than their own
 * documents. The long columns lie out of line (in the migration), so that rows are read quickly.
 */
import { customType, index, integer, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { privateSchema } from '#server/platform/database/private-schema.ts';

/** Compared byte by byte: the same on every server, and a prefix is a range. */
const bytewiseText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

export const documentSearch = privateSchema.table(
  'document_search',
  {
    /** Goes with the document (a foreign key in the migration). */
    documentId: uuid('document_id').primaryKey(),
    userId: uuid('user_id').notNull(),
    /** When the text was last saved: newer ones are shown first where nothing else tells them apart. */
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull(),
    title: text('title').notNull(),
    /** As a person reads it, formulas between marks (shared/latex/formula/read-latex.ts). */
    body: text('body').notNull(),
    /** Three numbers a stretch of the body: its offset there, in the source, and its line in the source. */
    places: integer('places').array().notNull(),
    /** One line a formula of the body, its tokens between spaces. */
    formulas: text('formulas').notNull(),
    tokens: integer('tokens').array().notNull(),
  },
  (table) => [
    index('document_search_user').on(table.userId, table.changedAt),
    // without a waiting list, which every search would have to read through
    index('document_search_tokens').using('gin', table.tokens).with({ fastupdate: false }),
  ],
);

/** The words each person uses, for what is begun or mistyped. The empty word counts all their documents. */
export const searchWords = privateSchema.table(
  'search_words',
  {
    userId: uuid('user_id').notNull(),
    /** Folded (shared/latex/formula/list-words.ts). */
    word: bytewiseText('word').notNull(),
    /** How many of the person's documents have it. */
    documents: integer('documents').notNull(),
    /** In how many titles. */
    titles: integer('titles').notNull(),
    /** In characters. */
    length: integer('length').notNull(),
    /** A bit for each letter it has, by the letter's code modulo 32. */
    letters: integer('letters').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.word] }),
    index('search_words_alike').on(table.userId, table.length, table.letters, table.word),
  ],
);
