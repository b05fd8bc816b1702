/**
 * Updates the index for a document, in the caller's transaction. Whoever changes a library's index locks its row, so
 * that no two change the same block. Only differences are written.
 */
import { eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../../database/database.ts';
import { documentSearch, searchLibraries, searchPostings, searchSegments } from '../schema.ts';
import { collectTerms } from '../terms.ts';
import type { Transaction } from '../transaction.ts';
import { changeTerms } from './change-terms.ts';
import { type PreparedText, prepareChange } from './prepare-document.ts';
import { readText } from './rewrite-rows.ts';

export interface IndexedDocument extends PreparedText {
  userId: string;
}

/** The library's row, locked until the transaction ends; null if another process has locked it. */
async function holdLibrary(tx: Transaction, userId: string): Promise<number | null> {
  await tx.insert(searchLibraries).values({ userId }).onConflictDoNothing();
  const [library] = await tx
    .select({ id: searchLibraries.id })
    .from(searchLibraries)
    .where(eq(searchLibraries.userId, userId))
    .for('no key update', { skipLocked: true });
  return library?.id ?? null;
}

/**
 * Adds a document, or updates its entry after a change of title, text or owner.
 * @returns false if another process is indexing this library: then nothing is done
 */
export async function indexDocument(tx: Transaction, document: IndexedDocument): Promise<boolean> {
  const library = await holdLibrary(tx, document.userId);
  if (library === null) return false;
  const before = await readEntry(tx, document.documentId);
  if (before && before.library !== library && !(await removeDocument(tx, document.documentId))) return false;
  const isKnown = before?.library === library;
  const { row, terms, earlier } = await prepareChange({ text: document, before: isKnown ? before : null });
  if (isKnown) {
    await tx.update(documentSearch).set(row).where(eq(documentSearch.documentId, row.documentId));
    await changeTerms(tx, library, before.number, earlier, terms);
    return true;
  }
  const [given] = await tx
    .update(searchLibraries)
    .set({
      nextNumber: sql`${searchLibraries.nextNumber} + 1`,
      documents: sql`${searchLibraries.documents} + 1`,
    })
    .where(eq(searchLibraries.id, library))
    .returning({ next: searchLibraries.nextNumber });
  const number = given!.next - 1;
  await tx.insert(documentSearch).values({ ...row, library, number });
  await changeTerms(tx, library, number, new Map(), terms);
  return true;
}

/**
 * Removes a document that was deleted or is in the trash; one without an entry is ignored.
 * @returns false if another process is indexing this library: then nothing is done
 */
export async function removeDocument(tx: Transaction, documentId: string): Promise<boolean> {
  const [entry] = await tx
    .select({ library: documentSearch.library })
    .from(documentSearch)
    .where(eq(documentSearch.documentId, documentId));
  if (!entry) return true;
  const [held] = await tx
    .select({ id: searchLibraries.id })
    .from(searchLibraries)
    .where(eq(searchLibraries.id, entry.library))
    .for('no key update', { skipLocked: true });
  if (!held) return false;
  const before = await readEntry(tx, documentId);
  if (!before) return true;
  await tx.delete(documentSearch).where(eq(documentSearch.documentId, documentId));
  await tx
    .update(searchLibraries)
    .set({ documents: sql`${searchLibraries.documents} - 1` })
    .where(eq(searchLibraries.id, before.library));
  await changeTerms(tx, before.library, before.number, collectTerms(before).terms, new Map());
  return true;
}

/** Removes everything of a user. Waits for other processes. */
export async function removeSearchOf(tx: Transaction, userId: string): Promise<void> {
  const deleted = await tx
    .delete(searchLibraries)
    .where(eq(searchLibraries.userId, userId))
    .returning({ id: searchLibraries.id });
  const ids = deleted.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.delete(documentSearch).where(inArray(documentSearch.library, ids));
  await tx.delete(searchPostings).where(inArray(searchPostings.library, ids));
  await tx.delete(searchSegments).where(inArray(searchSegments.library, ids));
}

/** Removes libraries of accounts that were deleted in an external backend. */
export async function removeSearchOfDeletedAccounts(db: Database): Promise<void> {
  const deleted = await db
    .select({ userId: searchLibraries.userId })
    .from(searchLibraries)
    .where(sql`not exists (select from auth.users where users.id = ${searchLibraries.userId})`);
  for (const { userId } of deleted) await db.transaction((tx) => removeSearchOf(tx, userId));
}

/** What the index contains of a document: its terms can be derived from this again. */
async function readEntry(tx: Transaction, documentId: string) {
  const [row] = await tx
    .select({
      library: documentSearch.library,
      number: documentSearch.number,
      title: documentSearch.title,
      content: documentSearch.content,
      body: documentSearch.body,
      places: documentSearch.places,
      headings: documentSearch.headings,
      formulas: documentSearch.formulas,
    })
    .from(documentSearch)
    .where(eq(documentSearch.documentId, documentId));
  if (!row) return null;
  const formulas = row.formulas.split('\n').map((line) => (line === '' ? [] : line.split(' ')));
  return { library: row.library, number: row.number, title: row.title, ...readText(row), formulas };
}
