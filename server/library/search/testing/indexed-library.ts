/** Documents saved and indexed at once, in a database of their own. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createTestDatabase } from '../../../../test-support/database.ts';
import { documents } from '../../schema.ts';
import { type IndexedDocument, indexDocument } from '../indexing/index-document.ts';
import { type DocumentSearch, search } from '../search-documents.ts';

export type SavedText = Partial<typeof documents.$inferInsert> & { latex: string };

export async function openIndexedLibrary() {
  const database = await createTestDatabase();
  const { db, pool } = database;

  /** Tries again while another process is working on the same library. */
  const addToIndex = (document: IndexedDocument) =>
    db.transaction(async (tx) => {
      while (!(await indexDocument(tx, document))) await setTimeout(5);
    });

  async function save(userId: string, title: string, rest: SavedText): Promise<string> {
    const documentId = randomUUID();
    await db.insert(documents).values({ id: documentId, userId, title, ...rest });
    await addToIndex({
      documentId,
      userId,
      title,
      latex: rest.latex,
      savedAt: rest.savedAt ?? new Date(),
      folderId: rest.folderId ?? null,
      isStarred: !!rest.starredAt,
    });
    return documentId;
  }

  async function libraryOf(userId: string): Promise<number> {
    const { rows } = await pool.query('select id from private.search_libraries where user_id = $1', [userId]);
    return rows[0].id;
  }

  const find = (userId: string, query: string, more: Partial<DocumentSearch> = {}) =>
    search(db, { userId, query, limit: 20, offset: 0, ...more });
  const titles = async (userId: string, query: string) =>
    (await find(userId, query)).documents.map(({ title }) => title.map(({ text }) => text).join(''));

  return { db, pool, addToIndex, save, libraryOf, find, titles, close: () => database.close() };
}

export type IndexedLibrary = Awaited<ReturnType<typeof openIndexedLibrary>>;
