/** Keeps the index in step with the documents: called in the transaction that changes one. */
import { eq, sql } from 'drizzle-orm';
import { type ReadableText, readLatex } from '#shared/latex/formula/index.ts';
import { SourceText } from '#shared/latex/source-text.ts';
import { documentSearch, searchWords } from './schema.ts';
import { collectTokens, collectWords, type DocumentWords } from './tokens.ts';
import type { Transaction } from './transaction.ts';
import { lettersOf } from './word-likeness.ts';

export interface IndexedDocument {
  documentId: string;
  userId: string;
  title: string;
  latex: string;
}

/** What is kept of a document; pure. */
export function prepareDocument({ documentId, userId, title, latex }: IndexedDocument) {
  const source = new SourceText(latex);
  // PostgreSQL stores no NUL
  const readable: ReadableText = readLatex(latex.replaceAll('\0', ' '));
  const words = collectWords(title, readable.text);
  const places: number[] = [];
  for (let i = 0; i < readable.offsets.length; i += 2) {
    const offset = readable.offsets[i + 1]!;
    places.push(readable.offsets[i]!, offset, source.positionOf(Math.max(0, offset)).line);
  }
  return {
    words,
    row: {
      documentId,
      userId,
      title,
      body: readable.text,
      places,
      formulas: readable.formulas.map((tokens) => tokens.join(' ')).join('\n'),
      tokens: collectTokens(userId, title, words, readable),
    },
  };
}

/** Adds a document, or brings its entry up to date after a change of title or text. */
export async function indexDocument(tx: Transaction, document: IndexedDocument): Promise<void> {
  const before = await lockEntry(tx, document.documentId);
  const { row, words } = prepareDocument(document);
  if (before?.userId === row.userId && before.title === row.title && before.body === row.body) {
    // commands may have moved the words
    await tx
      .update(documentSearch)
      .set({ places: row.places })
      .where(eq(documentSearch.documentId, row.documentId));
    return;
  }
  const values = { ...row, changedAt: sql`clock_timestamp()` };
  await tx
    .insert(documentSearch)
    .values(values)
    .onConflictDoUpdate({ target: documentSearch.documentId, set: values });
  if (before && before.userId !== row.userId) await countWords(tx, before.userId, before.words, null);
  await countWords(tx, row.userId, before?.userId === row.userId ? before.words : null, words);
}

/** Takes a document out: it was removed, or lies in the trash. One that is not there is none. */
export async function removeDocument(tx: Transaction, documentId: string): Promise<void> {
  const before = await lockEntry(tx, documentId);
  if (!before) return;
  await tx.delete(documentSearch).where(eq(documentSearch.documentId, documentId));
  await countWords(tx, before.userId, before.words, null);
}

/** Takes out everything of a person. */
export async function removeSearchOf(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(documentSearch).where(eq(documentSearch.userId, userId));
  await tx.delete(searchWords).where(eq(searchWords.userId, userId));
}

async function lockEntry(tx: Transaction, documentId: string) {
  const [row] = await tx
    .select({ userId: documentSearch.userId, title: documentSearch.title, body: documentSearch.body })
    .from(documentSearch)
    .where(eq(documentSearch.documentId, documentId))
    .for('update');
  return row ? { ...row, words: collectWords(row.title, row.body) } : null;
}

/** Counts what has come and what has gone. In the words' order, so that two saves never wait for each other in a ring. */
async function countWords(
  tx: Transaction,
  userId: string,
  before: DocumentWords | null,
  after: DocumentWords | null,
): Promise<void> {
  const changes = new Map<string, { documents: number; titles: number }>();
  const count = (words: DocumentWords | null, by: 1 | -1) => {
    if (!words) return;
    for (const word of ['', ...words.all]) {
      const change = changes.get(word) ?? { documents: 0, titles: 0 };
      changes.set(word, change);
      change.documents += by;
      if (words.title.has(word)) change.titles += by;
    }
  };
  count(before, -1);
  count(after, 1);
  const changed = [...changes].filter(([, { documents, titles }]) => documents !== 0 || titles !== 0);
  if (changed.length === 0) return;
  const list = <T>(values: T[], type: string) => sql`${sql.param(values)}::${sql.raw(type)}[]`;
  const words = changed.map(([word]) => word);
  await tx.execute(sql`
    insert into private.search_words as known (user_id, word, documents, titles, length, letters)
    select ${userId}::uuid, word, documents, titles, length, letters
    from unnest(
      ${list(words, 'text')},
      ${list(
        changed.map(([, { documents }]) => documents),
        'int',
      )},
      ${list(
        changed.map(([, { titles }]) => titles),
        'int',
      )},
      ${list(
        words.map((word) => [...word].length),
        'int',
      )},
      ${list(words.map(lettersOf), 'int')}
    ) as change (word, documents, titles, length, letters)
    order by word collate "C"
    on conflict (user_id, word) do update
    set documents = known.documents + excluded.documents, titles = known.titles + excluded.titles`);
  const fewer = changed.filter(([, { documents }]) => documents < 0).map(([word]) => word);
  if (fewer.length > 0)
    await tx.execute(sql`
      delete from private.search_words
      where user_id = ${userId}::uuid and word = any(${list(fewer, 'text')}) and documents <= 0`);
}
