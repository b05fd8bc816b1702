/** A person's credits, for their data export. */
import { asc, eq } from 'drizzle-orm';
import { type ExportPart, formatCsv } from '#platform/export-part.ts';
import type { Database } from '#server/database/database.ts';
import { formatBillingCsv, readBillingHistory } from './checkout/billing-history.ts';
import { creditEntries, userCredits } from './schema.ts';

/** The balance, and the ledger entries that it is the sum of. */
export function exportCreditsOf(db: Database, userId: string): ExportPart {
  return {
    describes: [
      { path: 'credits.json', meaning: 'the pages and AI conversations you have left' },
      { path: 'credit-entries.csv', meaning: 'every change to your credits, and what for' },
      {
        path: 'purchases.csv',
        meaning: 'your purchases and refunds, as on the billing page',
      },
    ],
    files: (async function* () {
      const [balance] = await db.select().from(userCredits).where(eq(userCredits.userId, userId));
      const { conversionCredits = 0, assistantCredits = 0, documentLimit = null } = balance ?? {};
      yield {
        path: 'credits.json',
        content: `${JSON.stringify(
          {
            conversion_credits: conversionCredits,
            assistant_credits: assistantCredits,
            document_limit: documentLimit,
          },
          null,
          2,
        )}\n`,
      };
      const { id, createdAt, kind, conversion, assistant, cause } = creditEntries;
      const entries = await db
        .select({ id, created_at: createdAt, kind, conversion, assistant, cause })
        .from(creditEntries)
        .where(eq(creditEntries.userId, userId))
        .orderBy(asc(id));
      yield {
        path: 'credit-entries.csv',
        content: formatCsv(['id', 'created_at', 'kind', 'conversion', 'assistant', 'cause'], entries),
      };
      yield { path: 'purchases.csv', content: formatBillingCsv(await readBillingHistory(db, userId)) };
    })(),
  };
}
