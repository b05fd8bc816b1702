/**
 * Deleting an account. A row is written first, with the decision in it; then sessions and account, documents and
 * conversions with their files, the notice, and last the row itself. Each step may be repeated, so whatever a killed process left is
 * finished by the sweep of any other. Ledger entries and the mailbox's keyed hash stay, without the person: the
 * database sees to it when the account goes, on either backend.
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
  /** Tells the person that the account is gone. Told twice if a process dies between mail and mark. */
  sendNotice: (email: string) => Promise<void>;
  logger: Logger;
}

/** How long one process may be at one deletion, in ms; storages with many files take a while. */
const leaseMs = 5 * 60_000;
/** How often the sweep looks, in ms. */
const sweepIntervalMs = 30_000;

/**
 * Decides that the account goes, and goes as far with it as it gets. A wish that was late, for an account that is
 * gone with its mark, is none: nothing is written, and nobody is told again.
 * @returns whether all of it is gone already; if not, the sweep does the rest
 */
export async function deleteAccount(
  deps: DeletionDeps,
  account: { id: string; email: string },
): Promise<boolean> {
  const isGone = await deps.db.transaction(async (tx) => {
    const [decided] = await tx
      .insert(accountDeletions)
      .values({ userId: account.id, email: account.email })
      .onConflictDoNothing()
      .returning({ userId: accountDeletions.userId });
    // looked for after the mark, which no sweep sees yet: an earlier mark is taken away only when the account is gone
    if (!decided || (await deps.accounts.findById(account.id))) return false;
    await tx.delete(accountDeletions).where(eq(accountDeletions.userId, account.id));
    return true;
  });
  return isGone || finishDeletion(deps, account.id);
}

/** Takes up one deletion, unless another process is at it. @returns whether it is complete */
async function finishDeletion(deps: DeletionDeps, userId: string): Promise<boolean> {
  const { db, storage, accounts, logger } = deps;
  const [mark] = await db
    .update(accountDeletions)
    .set({ leaseUntil: sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000}::double precision)` })
    .where(sql`${accountDeletions.userId} = ${userId} and ${isFree()}`)
    .returning();
  if (!mark) return false;
  try {
    // the account first: from here on nobody can sign in and add to it
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

/** One round over what is left to delete. */
export async function sweepDeletions(deps: DeletionDeps): Promise<void> {
  const due = await deps.db
    .select({ userId: accountDeletions.userId })
    .from(accountDeletions)
    .where(isFree());
  for (const { userId } of due) await finishDeletion(deps, userId);
}

/** Sweeps now and then. Several processes may: each deletion has a lease. */
export function startDeletionSweeper(deps: DeletionDeps): Repeated {
  return repeat(() => sweepDeletions(deps), {
    everyMs: sweepIntervalMs,
    logger: deps.logger,
    failure: 'looking for accounts to delete failed',
  });
}
