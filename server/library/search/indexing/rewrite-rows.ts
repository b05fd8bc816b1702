/**
 * Converts rows written by an earlier release to the current format, from their own data: a search reads both formats,
 * so nothing is missed meanwhile. Rows converted before a process is killed stay converted.
 */
import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '../../../database/database.ts';
import { documentSearch } from '../schema.ts';
import { emptyColumns } from './prepare-document.ts';
import { encodeRow, packText, type StoredText, unpackText } from './stored-text.ts';

/** Rows at a time. */
const atOnce = 100;

/** A row in either format. */
export interface TextColumns {
  content: Buffer | null;
  body: string | null;
  places: number[] | null;
  headings: number[] | null;
}

export const readText = ({ content, body, places, headings }: TextColumns): StoredText =>
  content ? unpackText(content) : { body: body ?? '', places: places ?? [], headings: headings ?? [] };

/** In the previous release, words are separated by spaces. */
const encodeWords = (words: string): Buffer => encodeRow(words.trim().split(' '));

export async function rewriteRows(db: Database, signal?: AbortSignal): Promise<void> {
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after && !signal?.aborted; )
    after = await rewriteSome(db, after);
}

/** @returns the last row examined; null if there are no more */
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
      // a document being indexed gets the new format anyway
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
