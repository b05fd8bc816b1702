/**
 * Periodic cleanup of libraries: empties the trash after 30 days, thins histories, and removes what deleted accounts or
 * killed processes left behind. Every step can be repeated, and several processes may run it.
 */
import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type Repeated, repeat } from '#platform/repeat.ts';
import type { Database } from '#server/database/database.ts';
import type { Storage } from '#server/storage/storage.ts';
import { trashDays } from '#shared/api/library.ts';
import { listDueForThinning, thinHistory } from './documents/thin-history.ts';
import { documentIdOfKey, documentPrefix, documentsPrefix } from './files/files.ts';
import { isUuid } from './ids.ts';
import { removeOrphanPreambles, removePersonalPreambleOf } from './preamble/personal-preamble.ts';
import { documents, folders } from './schema.ts';
import { removeSearchOf, removeSearchOfDeletedAccounts } from './search/index.ts';

interface SweepDeps {
  db: Database;
  storage: Storage;
}

/** How often it runs, and how often it compares the whole storage with the table, in ms. */
const sweepIntervalMs = 60_000;
const reconcileIntervalMs = 60 * 60_000;
/** Rows per statement, so that none takes long. */
const batch = 100;

/** Runs the sweep once. */
export async function sweepLibrary(deps: SweepDeps): Promise<void> {
  const { db } = deps;
  await removeWhere(
    deps,
    lt(documents.trashedAt, sql`clock_timestamp() - make_interval(days => ${trashDays})`),
  );
  // an account may also be deleted in the identity backend, without any code of ours
  await removeWhere(deps, sql`not exists (select from auth.users where users.id = documents.user_id)`);
  await db.delete(folders).where(sql`not exists (select from auth.users where users.id = folders.user_id)`);
  await removeOrphanPreambles(db);
  await removeSearchOfDeletedAccounts(db);
  for (const id of await listDueForThinning(db, batch)) await thinHistory(db, id);
}

/** Removes rows and files of all documents that match the condition at the time of removal. */
async function removeWhere({ db, storage }: SweepDeps, condition: SQL): Promise<void> {
  for (;;) {
    const due = await db.select({ id: documents.id }).from(documents).where(condition).limit(batch);
    if (due.length === 0) return;
    for (const { id } of due) {
      // a document just restored from the trash is kept
      const deleted = await db
        .delete(documents)
        .where(and(eq(documents.id, id), condition))
        .returning({ id: documents.id });
      if (deleted.length > 0) await storage.deletePrefix(documentPrefix(id));
    }
  }
}

/**
 * Removes an account's library with its files. Safe to repeat. Call it after the account was deleted, so that nothing
 * can be added meanwhile (`lockLibrary`).
 */
export async function removeLibraryOf(deps: SweepDeps, userId: string): Promise<void> {
  await removeWhere(deps, eq(documents.userId, userId));
  await deps.db.delete(folders).where(eq(folders.userId, userId));
  await removePersonalPreambleOf(deps.db, userId);
  await deps.db.transaction((tx) => removeSearchOf(tx, userId));
}

/**
 * Removes files that belong to no document: a process stored them and died before writing the row. Files are written
 * before their row, so only those without a row in the last round too are removed.
 * @param seen ids without a row that the last round found
 * @returns those that this round found
 */
export async function removeOrphanFiles(
  { db, storage }: SweepDeps,
  seen: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = new Set<string>();
  let last: string | null = null;
  for await (const { key } of storage.list(documentsPrefix)) {
    const id = documentIdOfKey(key);
    if (!id || id === last || !isUuid(id)) continue;
    last = id;
    const [row] = await db.select({ id: documents.id }).from(documents).where(eq(documents.id, id));
    if (row) continue;
    if (seen.has(id)) await storage.deletePrefix(documentPrefix(id));
    else found.add(id);
  }
  return found;
}

/** Sweeps at intervals. */
export function startLibrarySweeper(deps: SweepDeps & { logger: Logger }): Repeated {
  let reconciledAt = Number.NEGATIVE_INFINITY;
  let orphans = new Set<string>();
  const round = async () => {
    await sweepLibrary(deps);
    if (performance.now() - reconciledAt <= reconcileIntervalMs) return;
    reconciledAt = performance.now();
    orphans = await removeOrphanFiles(deps, orphans);
  };
  return repeat(round, {
    everyMs: sweepIntervalMs,
    logger: deps.logger,
    failure: 'sweeping the library failed',
  });
}
