/**
 * Deletes an account. First a row records the decision; then sessions and account, documents and conversions with their
 * files are deleted, the notice is sent, and finally the row is deleted. Each step can be repeated, so the sweep of any
 * process completes what a killed one left. Ledger entries and the mailbox's keyed hash are kept without the person:
 * the database takes care of that when the account is deleted, on either backend.
 */

import { eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type Repeated, repeat } from '#platform/repeat.ts';
import { removeConversionsOf } from '#server/conversion/index.ts';
import type { Database } from '#server/database/database.ts';
import type { Accounts } from '#server/identity/index.ts';
import { removeLibraryOf } from '#server/library/index.ts';
import type { Storage } from '#server/storage/storage.ts';
import { accountDeletions } from './schema.ts';

export interface DeletionDeps {
  db: Database;
  storage: Storage;
  accounts: Pick<Accounts, 'findById' | 'remove'>;
  /** Notifies the owner that the account has been deleted; twice if a process dies between sending and recording it. */
  sendNotice: (email: string) => Promise<void>;
  logger: Logger;
}

/** How long one process may work on one deletion, in ms; storages with many files take a while. */
const leaseMs = 5 * 60_000;
/** Interval of the sweep, in ms. */
const sweepIntervalMs = 30_000;

/**
 * Records that the account is to be deleted, and deletes as much as possible. For an account that has already been
 * deleted, nothing is written and nobody is notified again.
 * @returns whether everything has been deleted; if not, the sweep completes it
 */
export async function deleteAccount(
  deps: DeletionDeps,
  account: { id: string; email: string },
): Promise<boolean> {
  const isDeleted = await deps.db.transaction(async (tx) => {
    const [decided] = await tx
      .insert(accountDeletions)
      .values({ userId: account.id, email: account.email })
      .onConflictDoNothing()
      .returning({ userId: accountDeletions.userId });
    // checked after recording, which no sweep sees yet: an earlier record is removed only once the account is
    // deleted
    if (!decided || (await deps.accounts.findById(account.id))) return false;
    await tx.delete(accountDeletions).where(eq(accountDeletions.userId, account.id));
    return true;
  });
  return isDeleted || finishDeletion(deps, account.id);
}

/** Works on one deletion, unless another process does. @returns whether it is complete */
async function finishDeletion(deps: DeletionDeps, userId: string): Promise<boolean> {
  const { db, storage, accounts, logger } = deps;
  const [mark] = await db
    .update(accountDeletions)
    .set({ leaseUntil: sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000}::double precision)` })
    .where(sql`${accountDeletions.userId} = ${userId} and ${isFree()}`)
    .returning();
  if (!mark) return false;
  try {
    // the account first: after this nobody can sign in and add to it
    if (await accounts.findById(userId)) await accounts.remove(userId);
    await removeLibraryOf({ db, storage }, userId);
    if (!(await removeConversionsOf({ db, storage }, userId))) {
      await release(db, userId);
      return false;
    }
    await deps.sendNotice(mark.email);
    await db.delete(accountDeletions).where(eq(accountDeletions.userId, userId));
    logger.info('an account was deleted');
    return true;
  } catch (error) {
    logger.error({ err: error }, 'an account could not be deleted completely; it will be tried again');
    await release(db, userId).catch(() => {});
    return false;
  }
}

async function release(db: Database, userId: string): Promise<void> {
  await db.update(accountDeletions).set({ leaseUntil: null }).where(eq(accountDeletions.userId, userId));
}

function isFree() {
  return or(isNull(accountDeletions.leaseUntil), lt(accountDeletions.leaseUntil, sql`clock_timestamp()`));
}

/** One pass over the remaining deletions. */
export async function sweepDeletions(deps: DeletionDeps): Promise<void> {
  const due = await deps.db
    .select({ userId: accountDeletions.userId })
    .from(accountDeletions)
    .where(isFree());
  for (const { userId } of due) await finishDeletion(deps, userId);
}

/** Sweeps at intervals. Several processes may do so: each deletion has a lease. */
export function startDeletionSweeper(deps: DeletionDeps): Repeated {
  return repeat(() => sweepDeletions(deps), {
    everyMs: sweepIntervalMs,
    logger: deps.logger,
    failure: 'looking for accounts to delete failed',
  });
}
