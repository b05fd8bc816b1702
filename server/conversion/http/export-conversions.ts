/** A person's conversions for their export, and their removal when the account is deleted. */
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { ExportedFile, ExportPart } from '#platform/export-part.ts';
import { type Storage, StorageNotFound } from '../../storage/storage.ts';
import type { Database } from '../database.ts';
import { figureKey, pdfKey } from '../present.ts';
import { dismissConversion, listPages } from '../queue/store.ts';
import { removeDueFiles } from '../queue/sweep.ts';
import { conversions, conversionUploads } from '../schema.ts';

interface OwnedFiles {
  db: Database;
  storage: Storage;
}

/** What still exists of a person's conversions, which are deleted an hour after their last page was read. */
export function exportConversionsOf(deps: OwnedFiles, ownerId: string): ExportPart {
  return {
    describes: [
      {
        path: 'conversions/conversions.json',
        meaning:
          'your conversions that still exist (each is deleted 60 minutes after its last page was read), with the LaTeX of each page',
      },
      { path: 'conversions/ID/document.tex', meaning: 'the LaTeX of a delivered conversion' },
      { path: 'conversions/ID/document.pdf', meaning: 'its PDF' },
      { path: 'conversions/ID/*.png, *.jpg', meaning: 'its figures, under the names used in the LaTeX' },
    ],
    files: listFiles(deps, ownerId),
  };
}

async function* listFiles({ db, storage }: OwnedFiles, ownerId: string): AsyncGenerator<ExportedFile> {
  const rows = await db
    .select()
    .from(conversions)
    .where(and(eq(conversions.callerId, ownerId), isNull(conversions.dismissedAt)))
    .orderBy(asc(conversions.createdAt));
  const described = [];
  for (const row of rows) {
    const pages = await listPages(db, row.id);
    described.push({
      id: row.id,
      state: row.state,
      created_at: row.createdAt,
      ended_at: row.endedAt,
      page_count: row.pageCount,
      warnings: row.result?.warnings ?? [],
      pages: pages.map(({ number, state, transcription }) => ({
        number,
        state,
        latex: transcription?.body ?? null,
      })),
    });
  }
  yield { path: 'conversions/conversions.json', content: `${JSON.stringify(described, null, 2)}\n` };
  for (const { id, result } of rows) {
    if (!result) continue;
    const folder = `conversions/${id}/`;
    yield { path: `${folder}document.tex`, content: result.latex };
    const stored = [
      { path: 'document.pdf', key: pdfKey(result) },
      ...result.figures.map(({ name }) => ({ path: name, key: figureKey(result, name) })),
    ];
    for (const { path, key } of stored) {
      const content = await storage.getStream(key).catch((error: unknown) => {
        // expired, or delivered again, since the rows were read
        if (error instanceof StorageNotFound) return null;
        throw error;
      });
      if (content) yield { path: folder + path, content };
    }
  }
}

/**
 * Ends and removes everything that `ownerId` has converted, files too. Safe to repeat.
 * @returns false while something is still in progress (a worker that has not yet noticed, an upload that is
 * arriving); call again later then.
 */
export async function removeConversionsOf(deps: OwnedFiles, ownerId: string): Promise<boolean> {
  const { db } = deps;
  const visible = await db
    .select({ id: conversions.id })
    .from(conversions)
    .where(and(eq(conversions.callerId, ownerId), isNull(conversions.dismissedAt)));
  for (const { id } of visible) await dismissConversion(db, id, [ownerId]);
  const all = await db
    .select({ id: conversions.id })
    .from(conversions)
    .where(eq(conversions.callerId, ownerId));
  for (const { id } of all) await removeDueFiles(deps, id);
  // rows already emptied of content, kept for a while, are not needed any more
  await db
    .delete(conversions)
    .where(and(eq(conversions.callerId, ownerId), sql`${conversions.allFilesGoneAt} is not null`));
  const [left] = (
    await db.execute<{ count: number }>(sql`
      select (select count(*) from ${conversions} where ${conversions.callerId} = ${ownerId})::int
           + (select count(*) from ${conversionUploads} where ${conversionUploads.callerId} = ${ownerId})::int as count`)
  ).rows;
  return left?.count === 0;
}
