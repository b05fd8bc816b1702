import { asc, eq } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import type { Balance } from './ledger.ts';
import { creditEntries } from './schema.ts';

export type ListedEntry = Pick<
  typeof creditEntries.$inferSelect,
  'createdAt' | 'kind' | 'conversion' | 'assistant' | 'cause'
> & {
  /** The account's balance after this entry. */
  balance: Balance;
};

/** All entries of an account, oldest first, each with the resulting balance. */
export async function listEntries(db: Database, userId: string): Promise<ListedEntry[]> {
  const { id, createdAt, kind, conversion, assistant, cause } = creditEntries;
  const entries = await db
    .select({ createdAt, kind, conversion, assistant, cause })
    .from(creditEntries)
    .where(eq(creditEntries.userId, userId))
    .orderBy(asc(id));
  const balance: Balance = { conversion: 0, assistant: 0 };
  return entries.map((entry) => {
    balance.conversion += entry.conversion;
    balance.assistant += entry.assistant;
    return { ...entry, balance: { ...balance } };
  });
}
