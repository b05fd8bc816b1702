/** A document's versions: lists, shows, names and restores them. */
import { and, count, desc, eq, sql } from 'drizzle-orm';
import { Version, VersionSummary, type Versions } from '#shared/api/library.ts';
import type { Database } from '../../database/database.ts';
import { pickColumns, presentRow } from '../../database/present-row.ts';
import { versionNotFound } from '../ids.ts';
import type { Transaction } from '../lock-library.ts';
import { documentVersions } from '../schema.ts';
import { getDocument, lockDocument } from './documents.ts';
import { type SaveOutcome, saveLatexIn } from './save-latex.ts';

const fields = VersionSummary.keyof().options;
const columns = {
  ...pickColumns(documentVersions, VersionSummary.omit({ length: true }).keyof().options),
  length: sql<number>`length(${documentVersions.latex})`.mapWith(Number),
};

/** Newest first. @throws ApiError NOT_FOUND */
export async function listVersions(
  db: Database,
  userId: string,
  id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Versions> {
  await getDocument(db, userId, id);
  const where = eq(documentVersions.documentId, id);
  const rows = await db
    .select(columns)
    .from(documentVersions)
    .where(where)
    .orderBy(desc(documentVersions.version))
    .limit(limit)
    .offset(offset);
  const [counted] = await db.select({ total: count() }).from(documentVersions).where(where);
  return { versions: rows.map((row) => presentRow(row, fields)), total: counted?.total ?? 0 };
}

/** @throws ApiError NOT_FOUND */
export async function getVersion(
  db: Database | Transaction,
  userId: string,
  id: string,
  version: number,
): Promise<Version> {
  await getDocument(db, userId, id);
  const [row] = await db
    .select({ ...columns, latex: documentVersions.latex })
    .from(documentVersions)
    .where(and(eq(documentVersions.documentId, id), eq(documentVersions.version, version)));
  if (!row) throw versionNotFound();
  return presentRow(row, Version.keyof().options);
}

/** @throws ApiError NOT_FOUND */
export async function nameVersion(
  db: Database,
  userId: string,
  id: string,
  version: number,
  name: string | null,
): Promise<Version> {
  return db.transaction(async (tx) => {
    // with the lock, a version that is being thinned out is either named first, or not found
    await lockDocument(tx, userId, id);
    await tx
      .update(documentVersions)
      .set({ name: name?.toWellFormed() ?? null })
      .where(and(eq(documentVersions.documentId, id), eq(documentVersions.version, version)));
    return getVersion(tx, userId, id, version);
  });
}

/** Saves a version's text as the newest version; the history stays complete. @throws ApiError NOT_FOUND */
export async function restoreVersion(
  db: Database,
  userId: string,
  id: string,
  version: number,
  { baseVersion, saveId }: { baseVersion: number; saveId?: string },
): Promise<SaveOutcome> {
  return db.transaction(async (tx) => {
    const { latex } = await getVersion(tx, userId, id, version);
    return saveLatexIn(tx, userId, id, { baseVersion, latex, cause: 'restore', saveId });
  });
}
