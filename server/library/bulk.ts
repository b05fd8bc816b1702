/** Applies one action to many documents and folders: in one transaction, with an outcome for each item. */
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { invalidInput } from '#platform/errors.ts';
import type { Database } from '#server/database/database.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { BulkAction, BulkAnswer, BulkOutcome } from '#shared/api/library.ts';
import { setMarks } from './documents/documents.ts';
import { documentPrefix } from './files/files.ts';
import { moveFolder, removeFolder, requireFolder } from './folders/folders.ts';
import { lockRoom, now, type Room, type Transaction } from './lock-library.ts';
import { documents, folders } from './schema.ts';

/** @throws ApiError NOT_FOUND for the target folder, INVALID_INPUT for a move without one */
export async function actInBulk(
  { db, storage }: { db: Database; storage: Storage },
  userId: string,
  given: BulkAction,
): Promise<BulkAnswer['outcomes']> {
  const { action, folder_id: target } = given;
  if (action === 'move' && target === undefined)
    throw invalidInput('folder_id is missing: the folder to move to, or null for the top level.');
  const documentIds = [...new Set(given.document_ids.map((id) => id.toLowerCase()))];
  const folderIds = [...new Set(given.folder_ids.map((id) => id.toLowerCase()))];
  const outcomes = await db.transaction(async (tx) => {
    const room = await lockRoom(tx, userId);
    if (action === 'move') await requireFolder(tx, userId, target ?? null);
    const done: BulkAnswer['outcomes'] = [];
    for (const id of folderIds)
      done.push({ id, kind: 'folder', outcome: await actOnFolder(tx, userId, id, given) });
    const acted = await actOnDocuments(tx, userId, documentIds, given, room);
    for (const id of documentIds) done.push({ id, kind: 'document', outcome: acted.get(id) ?? 'not_found' });
    return done;
  });
  if (action === 'delete')
    for (const { id, kind, outcome } of outcomes)
      if (kind === 'document' && outcome === 'done') await storage.deletePrefix(documentPrefix(id));
  return outcomes;
}

async function actOnFolder(
  tx: Transaction,
  userId: string,
  id: string,
  { action, folder_id }: BulkAction,
): Promise<BulkOutcome> {
  const [folder] = await tx
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.id, id), eq(folders.userId, userId)));
  if (!folder) return 'not_found';
  if (action === 'move') return moveFolder(tx, id, folder_id ?? null);
  if (action !== 'delete') return 'not_applicable';
  await removeFolder(tx, id);
  return 'done';
}

async function actOnDocuments(
  tx: Transaction,
  userId: string,
  ids: readonly string[],
  { action, folder_id }: BulkAction,
  room: Room,
): Promise<Map<string, BulkOutcome>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: documents.id, trashedAt: documents.trashedAt })
    .from(documents)
    .where(and(inArray(documents.id, [...ids]), eq(documents.userId, userId)))
    .orderBy(documents.id)
    .for('no key update');
  const found = new Map(rows.map((row) => [row.id, row]));
  const outcomes = new Map<string, BulkOutcome>();
  let { left } = room;
  // in the order of the request: if the limit admits only some, the first ones are restored
  for (const id of ids) {
    const row = found.get(id);
    if (!row) continue;
    const isTrashed = row.trashedAt !== null;
    if (action === 'delete' && !isTrashed) outcomes.set(id, 'not_applicable');
    else if (action === 'restore' && isTrashed && left < 1) outcomes.set(id, 'limit_exceeded');
    else {
      if (action === 'restore' && isTrashed) left--;
      outcomes.set(id, 'done');
    }
  }
  const chosen = [...outcomes].filter(([, outcome]) => outcome === 'done').map(([id]) => id);
  if (chosen.length > 0) await apply(tx, chosen, action, folder_id ?? null);
  return outcomes;
}

async function apply(
  tx: Transaction,
  ids: string[],
  action: BulkAction['action'],
  folderId: string | null,
): Promise<void> {
  const these = inArray(documents.id, ids);
  const set = (values: Parameters<ReturnType<typeof tx.update<typeof documents>>['set']>[0]) =>
    tx.update(documents).set(values).where(these);
  switch (action) {
    case 'move':
      return void (await set({ folderId }));
    case 'star':
    case 'unstar':
      return void (await set(setMarks({ starred: action === 'star' })));
    case 'trash':
      // items already in the trash keep their date
      return void (await tx
        .update(documents)
        .set({ trashedAt: now, updatedAt: now })
        .where(and(these, isNull(documents.trashedAt))));
    case 'restore':
      return void (await set({ trashedAt: null, updatedAt: now }));
    case 'delete':
      return void (await tx.delete(documents).where(these));
  }
}
