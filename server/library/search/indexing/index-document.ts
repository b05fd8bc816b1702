/**
 * Brings the index in step with a document, in a transaction of the caller's. Whoever changes the index of a library
 * holds its row, so that two never change the same block. Only what has changed in a document is written.
 */
import { eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../../database/database.ts';
import { documentSearch, searchLibraries, searchPostings } from '../schema.ts';
import { collectTerms, type DocumentTerms } from '../terms.ts';
import type { Transaction } from '../transaction.ts';
import { changeBlock, encodeBlock, numberOf } from './posting-block.ts';
import { type PreparedText, prepareChange } from './prepare-document.ts';

/** From so many documents in its first block on a word is a common one; it stays one. */
export const commonDocuments = 64;

export interface IndexedDocument extends PreparedText {
  userId: string;
}

/** The library's row, held until the transaction ends; null when somebody else holds it. */
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
 * Adds a document, or brings its entry up to date after a change of title, text or owner.
 * @returns false when somebody else is at this library: nothing is done then
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
 * Takes a document out: it was removed, or lies in the trash. One that is not there is none.
 * @returns false when somebody else is at this library: nothing is done then
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

/** Takes out everything of a person. Waits for whoever is at it. */
export async function removeSearchOf(tx: Transaction, userId: string): Promise<void> {
  const gone = await tx
    .delete(searchLibraries)
    .where(eq(searchLibraries.userId, userId))
    .returning({ id: searchLibraries.id });
  const ids = gone.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.delete(documentSearch).where(inArray(documentSearch.library, ids));
  await tx.delete(searchPostings).where(inArray(searchPostings.library, ids));
}

/** Takes out libraries of accounts that were removed where accounts are kept. */
export async function removeSearchOfTheGone(db: Database): Promise<void> {
  const gone = await db
    .select({ userId: searchLibraries.userId })
    .from(searchLibraries)
    .where(sql`not exists (select from auth.users where users.id = ${searchLibraries.userId})`);
  for (const { userId } of gone) await db.transaction((tx) => removeSearchOf(tx, userId));
}

/** What the index has of a document: its terms come from this as they did when it was written. */
async function readEntry(tx: Transaction, documentId: string) {
  const [row] = await tx
    .select({
      library: documentSearch.library,
      number: documentSearch.number,
      title: documentSearch.title,
      body: documentSearch.body,
      headings: documentSearch.headings,
      formulas: documentSearch.formulas,
    })
    .from(documentSearch)
    .where(eq(documentSearch.documentId, documentId));
  if (!row) return null;
  const formulas = row.formulas.split('\n').map((line) => (line === '' ? [] : line.split(' ')));
  return { ...row, formulas };
}

type Terms = DocumentTerms['terms'];

/** Writes what has come, what has gone, and what the document has otherwise than before. */
async function changeTerms(
  tx: Transaction,
  library: number,
  number: number,
  before: Terms,
  after: Terms,
): Promise<void> {
  const changes = new Map<string, number | null>();
  for (const [term, flags] of after) if (before.get(term) !== flags) changes.set(term, flags);
  for (const term of before.keys()) if (!after.has(term)) changes.set(term, null);
  if (changes.size === 0) return;
  const { rows } = await tx.execute<{ term: string; first: number | null; postings: Buffer | null }>(sql`
    select t.term, p.first, p.postings
    from unnest(${sql.param([...changes.keys()])}::text[]) t (term)
    left join lateral (
      select first, postings from private.search_postings p
      where p.library = ${library} and p.term = t.term and p.first <= ${number}
      order by p.first desc limit 1
    ) p on true`);
  const written: { term: string; first: number; documents: number; postings: Buffer }[] = [];
  const emptied: string[] = [];
  for (const { term, first, postings } of rows) {
    const parts = changeBlock(postings ?? Buffer.alloc(0), number, changes.get(term) ?? null);
    for (const [index, part] of parts.entries())
      written.push({
        term,
        // the first block of a term begins at 0, whatever it holds
        first: index === 0 ? (first ?? 0) : numberOf(part[0]!),
        documents: part.length,
        postings: encodeBlock(part),
      });
    if (parts[0]!.length === 0) emptied.push(term);
  }
  const column = <T>(values: T[], type: string) => sql`${sql.param(values)}::${sql.raw(type)}[]`;
  await tx.execute(sql`
    insert into private.search_postings as known (library, term, first, documents, postings, is_common)
    select ${library}, term, first, documents, postings, (documents >= ${commonDocuments})::int
    from unnest(
      ${column(
        written.map(({ term }) => term),
        'text',
      )},
      ${column(
        written.map(({ first }) => first),
        'int',
      )},
      ${column(
        written.map(({ documents }) => documents),
        'smallint',
      )},
      ${column(
        written.map(({ postings }) => postings),
        'bytea',
      )}
    ) as change (term, first, documents, postings)
    on conflict (library, term, first) do update
    set documents = excluded.documents, postings = excluded.postings,
      is_common = greatest(known.is_common, excluded.is_common)`);
  if (emptied.length > 0) await removeEmpty(tx, library, emptied);
}

/** Empty blocks go; the first one only when it is the last one too. */
async function removeEmpty(tx: Transaction, library: number, terms: string[]): Promise<void> {
  await tx.execute(sql`
    delete from private.search_postings p
    where p.library = ${library} and p.term = any(${sql.param(terms)}::text[]) and p.documents = 0
      and (p.first > 0 or not exists (
        select from private.search_postings o
        where o.library = p.library and o.term = p.term and o.first > 0 and o.documents > 0
      ))`);
}
