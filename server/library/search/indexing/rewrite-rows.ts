/**
 * Brings rows that an earlier release wrote into the present form, from what they have: a search reads both, so it
 * misses nothing meanwhile. What is rewritten when a process is killed stays so.
 */
import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '../../../database/database.ts';
import { documentSearch } from '../schema.ts';
import { emptyColumns } from './prepare-document.ts';
import { encodeRow, packText, type StoredText, unpackText } from './stored-text.ts';

/** Rows at a time. */
const atOnce = 100;

/** A row as either release has it. */
export interface TextColumns {
  content: Buffer | null;
  body: string | null;
  places: number[] | null;
  headings: number[] | null;
}

export const readText = ({ content, body, places, headings }: TextColumns): StoredText =>
  content ? unpackText(content) : { body: body ?? '', places: places ?? [], headings: headings ?? [] };

/** Of the release before, words are between spaces. */
const encodeWords = (words: string): Buffer => encodeRow(words.trim().split(' '));

export async function rewriteRows(db: Database, signal?: AbortSignal): Promise<void> {
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after && !signal?.aborted; )
    after = await rewriteSome(db, after);
}

/** @returns the last one that was looked at; null when there are no more */
function rewriteSome(db: Database, after: string): Promise<string | null> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({
        documentId: documentSearch.documentId,
        content: documentSearch.content,
        body: documentSearch.body,
        places: documentSearch.places,
        headings: documentSearch.headings,
        words: documentSearch.words,
      })
      .from(documentSearch)
      .where(and(gt(documentSearch.documentId, after), isNull(documentSearch.content)))
      .orderBy(asc(documentSearch.documentId))
      .limit(atOnce)
      // one that is being indexed gets its new form there
      .for('no key update', { skipLocked: true });
    for (const { documentId, words, ...text } of rows)
      await tx
        .update(documentSearch)
        .set({
          content: packText(readText(text)),
          wordRow: encodeWords(words ?? ''),
          ...emptyColumns,
        })
        .where(eq(documentSearch.documentId, documentId));
    return rows.length < atOnce ? null : rows.at(-1)!.documentId;
  });
}
