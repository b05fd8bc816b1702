/** What an account's use of the assistant cost. */
import type { IdentityServer, TestAccount } from '../../../test-support/product/identity.ts';

/** How many of the five free conversations remain. */
export async function creditsLeft(product: IdentityServer, { id }: TestAccount): Promise<number | undefined> {
  const rows = await product.sql<{ assistant_credits: number }>(
    'SELECT assistant_credits FROM user_credits WHERE user_id = $1',
    [id],
  );
  return rows[0]?.assistant_credits;
}

/** The account's ledger entries after its grant. */
export async function ledgerOf(product: IdentityServer, { id }: TestAccount): Promise<[string, number][]> {
  const rows = await product.sql<{ kind: string; assistant: number }>(
    "SELECT kind, assistant FROM credit_entries WHERE user_id = $1 AND kind <> 'grant' ORDER BY id",
    [id],
  );
  return rows.map(({ kind, assistant }) => [kind, assistant]);
}

/** The ledger after an answer with a change, and after one without. */
export const paidOnce = [
  ['reserve', -1],
  ['settle', 0],
];
export const givenBack = [
  ['reserve', -1],
  ['release', 1],
];
