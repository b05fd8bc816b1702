/** Keeps the texts of a document's files where search finds them, and the texts that they replace. */
import { and, desc, eq, sql } from 'drizzle-orm';
import { type FileVersions, textFileEndings } from '#shared/api/library.ts';
import { maxLatexLength } from '#shared/api/limits.ts';
import type { Database } from '../../database/database.ts';
import { decodeText } from '../files/decode-text.ts';
import { versionNotFound } from '../ids.ts';
import type { Transaction } from '../lock-library.ts';
import { documentFileVersions, documentTexts } from '../schema.ts';
import { getDocument } from './documents.ts';

/** The text of a file, by its extension; null if it is not a text file, or longer than allowed. */
export function readFileText(name: string, bytes: Uint8Array): string | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const isText = (textFileEndings as readonly string[]).includes(ending);
  if (!isText || bytes.length > maxLatexLength || bytes.includes(0)) return null;
  return decodeText(bytes, name).toWellFormed();
}

/** To be called in the transaction that writes the file's row, after it. */
export async function writeFileText(
  tx: Transaction,
  documentId: string,
  name: string,
  latex: string | null,
): Promise<void> {
  if (latex === null) {
    await tx
      .delete(documentTexts)
      .where(and(eq(documentTexts.documentId, documentId), eq(documentTexts.name, name)));
    return;
  }
  await tx
    .insert(documentTexts)
    .values({ documentId, name, latex })
    .onConflictDoUpdate({ target: [documentTexts.documentId, documentTexts.name], set: { latex } });
}

/**
 * Keeps the present text of a file, which is about to be replaced or removed, and thins what is kept of it: the first and
 * the last that was replaced in each minute of the last hour, in each hour of the last week, and in each day. The first
 * is what the file said before somebody began to change it.
 */
export async function keepFileText(tx: Transaction, documentId: string, name: string): Promise<void> {
  await tx.execute(sql`
    insert into private.document_file_versions (document_id, name, version, latex, ended_at)
    select f.document_id, f.name, f.version, t.latex, clock_timestamp()
      from document_figures f
      join private.document_texts t on t.document_id = f.document_id and t.name = f.name
     where f.document_id = ${documentId} and f.name = ${name}`);
  await tx.execute(sql`
    with slots as (
      select ended_at, case
               when clock_timestamp() - ended_at <= interval '1 hour' then date_trunc('minute', ended_at, 'UTC')
               when clock_timestamp() - ended_at <= interval '7 days' then date_trunc('hour', ended_at, 'UTC')
               else date_trunc('day', ended_at, 'UTC') end as slot
        from private.document_file_versions where document_id = ${documentId} and name = ${name}
    ), kept as (
      select min(ended_at) as first, max(ended_at) as last from slots group by slot
    )
    delete from private.document_file_versions
     where document_id = ${documentId} and name = ${name}
       and ended_at not in (select first from kept union select last from kept)`);
}

/** Texts that a file had, the newest first. @throws ApiError NOT_FOUND for the document */
export async function listFileVersions(
  db: Database,
  userId: string,
  id: string,
  name: string,
): Promise<FileVersions> {
  await getDocument(db, userId, id);
  const rows = await db
    .select({
      endedAt: documentFileVersions.endedAt,
      length: sql<number>`length(${documentFileVersions.latex})`.mapWith(Number),
    })
    .from(documentFileVersions)
    .where(versionsOf(id, name))
    .orderBy(desc(documentFileVersions.endedAt))
    .limit(maxListed);
  return { versions: rows.map(({ endedAt, length }) => ({ ended_at: endedAt.toISOString(), length })) };
}

/** @param endedAt of the list @throws ApiError NOT_FOUND */
export async function getFileVersion(
  db: Database,
  userId: string,
  id: string,
  name: string,
  endedAt: string,
): Promise<{ latex: string }> {
  await getDocument(db, userId, id);
  const [row] = await db
    .select({ latex: documentFileVersions.latex })
    .from(documentFileVersions)
    // a moment in JSON has milliseconds
    .where(and(versionsOf(id, name), sql`date_trunc('milliseconds', ended_at) = ${endedAt}::timestamptz`));
  if (!row) throw versionNotFound();
  return row;
}

/** More than thinning leaves of a year. */
const maxListed = 1_000;

function versionsOf(id: string, name: string) {
  return and(eq(documentFileVersions.documentId, id), eq(documentFileVersions.name, name));
}
