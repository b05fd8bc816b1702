/** Read-only links. The token is 32 random bytes, shown once; only its hash is stored. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { ApiError, invalidInput } from '#platform/errors.ts';
import { maxShares, type NewShare, Share } from '#shared/api/library.ts';
import type { Database } from '../../database/database.ts';
import { pickColumns, presentRow } from '../../database/present-row.ts';
import { getDocument, lockDocument } from '../documents/documents.ts';
import { isUuid } from '../ids.ts';
import { now } from '../lock-library.ts';
import { documentShares, documents } from '../schema.ts';

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function shareNotFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such link.' });
}

const fields = Share.keyof().options;
const isOpen = isNull(documentShares.revokedAt);

/** @throws ApiError NOT_FOUND, INVALID_INPUT if there are too many */
export async function createShare(db: Database, userId: string, documentId: string): Promise<NewShare> {
  const token = randomBytes(32).toString('base64url');
  const row = await db.transaction(async (tx) => {
    await lockDocument(tx, userId, documentId);
    const [open] = await tx
      .select({ count: count() })
      .from(documentShares)
      .where(and(eq(documentShares.documentId, documentId), isOpen));
    if ((open?.count ?? 0) >= maxShares)
      throw invalidInput(`A document can have at most ${maxShares} links. Revoke one you no longer need.`);
    const [made] = await tx
      .insert(documentShares)
      .values({ id: randomUUID(), documentId, tokenHash: hashToken(token) })
      .returning();
    return made!;
  });
  return { ...presentRow(row, fields), token };
}

/** Active links, oldest first. @throws ApiError NOT_FOUND */
export async function listShares(db: Database, userId: string, documentId: string): Promise<Share[]> {
  await getDocument(db, userId, documentId);
  const rows = await db
    .select(pickColumns(documentShares, fields))
    .from(documentShares)
    .where(and(eq(documentShares.documentId, documentId), isOpen))
    .orderBy(asc(documentShares.createdAt));
  return rows.map((row) => presentRow(row, fields));
}

/** Revokes a link. @throws ApiError NOT_FOUND */
export async function revokeShare(
  db: Database,
  userId: string,
  documentId: string,
  shareId: string,
): Promise<void> {
  await getDocument(db, userId, documentId);
  if (!isUuid(shareId)) throw shareNotFound();
  const revoked = await db
    .update(documentShares)
    .set({ revokedAt: now })
    .where(and(eq(documentShares.id, shareId), eq(documentShares.documentId, documentId), isOpen))
    .returning({ id: documentShares.id });
  if (revoked.length === 0) throw shareNotFound();
}

/**
 * The document of a link. Links to a document in the trash, or of a banned user, do not work.
 * @throws ApiError NOT_FOUND
 */
export async function getShared(db: Database, token: string) {
  const [row] = await db
    .select({
      title: documents.title,
      updatedAt: documents.updatedAt,
      pageCount: documents.pageCount,
      pdfKey: documents.pdfKey,
    })
    .from(documentShares)
    .innerJoin(documents, eq(documents.id, documentShares.documentId))
    .where(
      and(
        eq(documentShares.tokenHash, hashToken(token)),
        isOpen,
        isNull(documents.trashedAt),
        sql`exists (select from auth.users where users.id = ${documents.userId} and (users.banned_until is null or users.banned_until <= clock_timestamp()))`,
      ),
    );
  if (!row) throw shareNotFound();
  return row;
}
