/** The basis of the operator's credit commands: the database, as a server opens it, and the credits room on it. */
import { sql } from 'drizzle-orm';
import { prepareDataDir } from '#platform/data-dir.ts';
import { parseEnv } from '#platform/env.ts';
import {
  type Balance,
  type BalanceCheck,
  type CreditEntry,
  checkBalances,
  findPurchaseProblems,
  type ListedEntry,
  listEntries,
  type PurchaseProblem,
  postEntry,
  readBalance,
} from '../../credits/index.ts';
import { type Database, openDatabase } from '../../database/database.ts';

export interface OpenedLedger {
  findAccount(email: string): Promise<{ id: string; email: string } | null>;
  /**
   * @returns false if the same key has given the same before. @throws Error with a sentence if it gave
   * something else
   */
  grant(entry: Omit<CreditEntry, 'kind'>): Promise<boolean>;
  readBalance(userId: string): Promise<Balance>;
  listEntries(userId: string): Promise<ListedEntry[]>;
  check(): Promise<BalanceCheck>;
  /** Purchases that need attention. */
  findProblems(): Promise<PurchaseProblem[]>;
  close(): Promise<void>;
}

/** @throws Error with a sentence for the operator */
export async function openLedger(
  source: Record<string, string | undefined>,
  onNotice: (notice: string) => void,
): Promise<OpenedLedger> {
  const env = parseEnv(source);
  await prepareDataDir(env.DATA_DIR);
  const { db, close } = await openDatabase(env, { onNotice });
  return {
    findAccount: (email) => findAccountByEmail(db, email),
    async grant(entry) {
      try {
        const outcome = await db.transaction((tx) => postEntry(tx, { ...entry, kind: 'grant' }));
        if (outcome === 'no-account') throw new Error('The account no longer exists.');
        return outcome === 'posted';
      } catch (error) {
        const cause = (error as Error).cause as { code?: string } | undefined;
        if (cause?.code !== '23505') throw error;
        throw new Error('This key has already been used for something else. Choose another one.', {
          cause: error,
        });
      }
    },
    readBalance: async (userId) => (await readBalance(db, userId)) ?? { conversion: 0, assistant: 0 },
    listEntries: (userId) => listEntries(db, userId),
    check: () => checkBalances(db),
    findProblems: () => findPurchaseProblems(db),
    close,
  };
}

/** @param email in any letter case */
export async function findAccountByEmail(
  db: Database,
  email: string,
): Promise<{ id: string; email: string } | null> {
  const { rows } = await db.execute<{ id: string; email: string }>(
    sql`select id, email from auth.users where lower(email) = lower(${email.trim()})`,
  );
  return rows[0] ?? null;
}
