/**
 * Saves a document's text. The client names the version that it edited; if that is no longer the newest, nothing is
 * written and the response has the present text. Data is on disk before the response is sent.
 */
import { and, eq, sql } from 'drizzle-orm';
import { moveSourceMap } from '#latex/assemble/source-map.ts';
import { findDifference } from '#latex/edits/text-difference.ts';
import { invalidInput } from '#platform/errors.ts';
import type { SourceMap, VersionCause } from '#shared/api/library.ts';
import type { Database } from '../../database/database.ts';
import { now, type Transaction } from '../lock-library.ts';
import { documents, documentVersions } from '../schema.ts';
import { lockDocument } from './documents.ts';
import { thinHistory } from './thin-history.ts';

export interface TextSave {
  baseVersion: number;
  latex: string;
  cause: VersionCause;
  /** Undefined: the present one is moved along. */
  sourceMap?: SourceMap | null;
  /** The client's id for this save. */
  saveId?: string;
}

export type SaveOutcome =
  | { kind: 'saved'; version: number }
  /** The text was changed elsewhere meanwhile. */
  | { kind: 'conflict'; current: { version: number; latex: string } };

/** While a document is being edited, its history is thinned every so many versions; afterwards by the sweep. */
const thinEveryVersions = 32;

/** @throws ApiError NOT_FOUND, INVALID_INPUT for a `saveId` already used for another text */
export async function saveLatex(
  db: Database,
  userId: string,
  id: string,
  save: TextSave,
): Promise<SaveOutcome> {
  return db.transaction((tx) => saveLatexIn(tx, userId, id, save));
}

/** As `saveLatex`, in the caller's transaction. */
export async function saveLatexIn(
  tx: Transaction,
  userId: string,
  id: string,
  save: TextSave,
): Promise<SaveOutcome> {
  const latex = save.latex.toWellFormed();
  const row = await lockDocument(tx, userId, id);
  const earlier = await findSave(tx, id, save.saveId);
  if (earlier) {
    if (earlier.latex !== latex)
      throw invalidInput('save_id: this id was used for a different text; give each save its own.');
    return { kind: 'saved', version: earlier.version };
  }
  // an identical text is never a conflict
  if (row.latex === latex) {
    if (save.sourceMap !== undefined)
      await tx.update(documents).set({ sourceMap: save.sourceMap }).where(eq(documents.id, id));
    return { kind: 'saved', version: row.version };
  }
  if (row.version !== save.baseVersion)
    return { kind: 'conflict', current: { version: row.version, latex: row.latex } };

  // acknowledged saves must be on disk, whatever the server's default
  await tx.execute(sql`select set_config('synchronous_commit', 'on', true)
    where current_setting('synchronous_commit') = 'off'`);
  const version = row.version + 1;
  const sourceMap =
    save.sourceMap === undefined ? moveAlong(row.sourceMap, row.latex, latex) : save.sourceMap;
  await tx
    .update(documents)
    .set({ latex, version, sourceMap, savedAt: now, updatedAt: now })
    .where(eq(documents.id, id));
  await tx.insert(documentVersions).values({
    documentId: id,
    version,
    latex,
    title: row.title,
    cause: save.cause,
    saveId: save.saveId ?? null,
    createdAt: now,
  });
  if (version % thinEveryVersions === 0) await thinHistory(tx, id);
  return { kind: 'saved', version };
}

/** The map after a change whose position is not known: doubts within what changed are dropped. */
function moveAlong(map: SourceMap | null, from: string, to: string): SourceMap | null {
  if (map === null) return null;
  const { start, fromEnd, toEnd } = findDifference(from, to);
  const doubtful = map.doubtful.filter((doubt) => doubt.end <= start || doubt.start >= fromEnd);
  return moveSourceMap({ ...map, doubtful }, from, [
    { from: start, to: fromEnd, insert: to.slice(start, toEnd) },
  ]);
}

async function findSave(tx: Transaction, documentId: string, saveId: string | undefined) {
  if (saveId === undefined) return null;
  const [row] = await tx
    .select({ version: documentVersions.version, latex: documentVersions.latex })
    .from(documentVersions)
    .where(and(eq(documentVersions.documentId, documentId), eq(documentVersions.saveId, saveId)));
  return row ?? null;
}
