/**
 * The lock of one account's library. Counting documents and moving folders need it, so that the limit is exact and two
 * moves, each valid by itself, cannot form a cycle. It is the lock on the account's row of credits, which also has the
 * limit: if the row is missing, the account was deleted, and nothing may be added to it.
 */
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { ApiError } from '#platform/errors.ts';
import { userCredits } from '#server/credits/schema.ts';
import type { Database } from '#server/database/database.ts';
import { documents } from './schema.ts';

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** The limit including the trash, as a multiple: trashed documents make room, but are kept for 30 days. */
const wholeLimitFactor = 5;

/** The database's clock, so that processes on several machines agree. */
export const now = sql`clock_timestamp()`;

/** Room for documents; exact while the lock is held. */
export interface Room {
  /** How many more documents may be outside the trash. */
  left: number;
  /** How many more documents there may be, including the trash. */
  leftInAll: number;
}

/** Takes the library's lock. @throws ApiError UNAUTHORIZED if the account was deleted */
export async function lockLibrary(tx: Transaction, userId: string): Promise<{ documentLimit: number }> {
  const [row] = await tx
    .select({ documentLimit: userCredits.documentLimit })
    .from(userCredits)
    .where(eq(userCredits.userId, userId))
    .for('no key update');
  if (!row) throw new ApiError('UNAUTHORIZED');
  return row;
}

/** Takes the lock and counts. */
export async function lockRoom(tx: Transaction, userId: string): Promise<Room> {
  const { documentLimit } = await lockLibrary(tx, userId);
  const [counted] = await tx
    .select({
      all: count(),
      live: sql<number>`count(*) filter (where ${documents.trashedAt} is null)`.mapWith(Number),
    })
    .from(documents)
    .where(eq(documents.userId, userId));
  const { all = 0, live = 0 } = counted ?? {};
  return { left: documentLimit - live, leftInAll: documentLimit * wholeLimitFactor - all };
}

/** @throws ApiError DOCUMENT_LIMIT_EXCEEDED if no further document may be added */
export async function requireRoom(tx: Transaction, userId: string): Promise<void> {
  const { left, leftInAll } = await lockRoom(tx, userId);
  if (left < 1 || leftInAll < 1) throw new ApiError('DOCUMENT_LIMIT_EXCEEDED');
}

/** Condition: belongs to the account, and is not in the trash. */
export function isLive(userId: string) {
  return and(eq(documents.userId, userId), isNull(documents.trashedAt));
}
