/** Compares every stored total with the sum of its entries; changes nothing. */
import { sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';

export type CreditDifference =
  /** An account's balance and the sum of its entries. */
  | {
      kind: 'balance';
      userId: string;
      credits: 'conversion' | 'assistant';
      recorded: number;
      entries: number;
    }
  /** Credits that some work holds or has used, and what its entries have taken. */
  | { kind: 'reservation'; userId: string; subject: string; recorded: number; entries: number }
  /** The page total, and how far its entries have moved it. */
  | { kind: 'total'; recorded: number; entries: number };

export interface BalanceCheck {
  accounts: number;
  entries: number;
  pageTotal: number;
  differences: CreditDifference[];
}

/** Reads one snapshot of the whole ledger, without disturbing a running server. */
export function checkBalances(db: Database): Promise<BalanceCheck> {
  return db.transaction(
    async (tx) => {
      const { rows: balances } = await tx.execute<{
        user_id: string;
        conversion: number;
        assistant: number;
        conversion_sum: number;
        assistant_sum: number;
      }>(sql`
        select balance.user_id, conversion_credits as conversion, assistant_credits as assistant,
               coalesce(sum(entry.conversion), 0)::int as conversion_sum,
               coalesce(sum(entry.assistant), 0)::int as assistant_sum
        from user_credits balance left join credit_entries entry using (user_id)
        group by balance.user_id
        having (conversion_credits, assistant_credits)
            is distinct from (coalesce(sum(entry.conversion), 0), coalesce(sum(entry.assistant), 0))
        order by balance.user_id`);
      const { rows: reservations } = await tx.execute<{
        user_id: string;
        subject: string;
        recorded: number;
        entries: number;
      }>(sql`
        with taken as (
          select coalesce(cause ->> 'conversion', cause ->> 'change') as subject, -sum(conversion + assistant)::int as entries
          from credit_entries where kind in ('reserve', 'settle', 'release') group by 1
        )
        select user_id, reservation.subject, cardinality(open) + cardinality(paid) as recorded, coalesce(entries, 0) as entries
        from private.credit_reservations reservation left join taken on taken.subject = reservation.subject::text
        where cardinality(open) + cardinality(paid) <> coalesce(entries, 0) order by changed_at`);
      const { rows: sums } = await tx.execute<{
        accounts: number;
        entries: number;
        total: number;
        total_sum: number;
      }>(sql`
        select (select count(*) from user_credits)::int as accounts,
               (select count(*) from credit_entries)::int as entries,
               (select net_pages from page_conversion_totals where id = 1)::int as total,
               (select coalesce(sum((cause ->> 'total')::int), 0) from credit_entries)::int as total_sum`);
      const { accounts, entries, total, total_sum: totalSum } = sums[0]!;
      const differences: CreditDifference[] = [];
      for (const row of balances)
        for (const credits of ['conversion', 'assistant'] as const)
          if (row[credits] !== row[`${credits}_sum`])
            differences.push({
              kind: 'balance',
              userId: row.user_id,
              credits,
              recorded: row[credits],
              entries: row[`${credits}_sum`],
            });
      for (const { user_id: userId, subject, recorded, entries: sum } of reservations)
        differences.push({ kind: 'reservation', userId, subject, recorded, entries: sum });
      if (total !== totalSum) differences.push({ kind: 'total', recorded: total, entries: totalSum });
      return { accounts, entries, pageTotal: total, differences };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
