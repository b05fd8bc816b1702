/** What one account has bought and used, for its billing page. */
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { formatCsv } from '#platform/export-part.ts';
import type { Database } from '#server/database/database.ts';
import type {
  BillingHistory,
  BillingPurchase,
  CheckoutStatus,
  CreditPair,
  MonthlyUsage,
  PurchaseState,
} from '#shared/api/billing.ts';
import type { Transaction } from '../ledger.ts';
import { creditEntries } from '../schema.ts';
import { atLeastZero, combine, computeTargets, subtract, sumRefunded } from './due-credits.ts';
import type { Purchase } from './events/merge-facts.ts';
import { readMoneyFacts, readPosted } from './post-targets.ts';
import { paymentDisputes, paymentRefunds, purchases } from './schema.ts';

type Reader = Database | Transaction;
const nothing: CreditPair = { conversion: 0, assistant: 0 };
const add = (one: CreditPair, other: CreditPair) => combine((a = 0, b = 0) => a + b, one, other);

/** Newest first, without unfinished checkouts. */
export async function readBillingHistory(db: Database, userId: string): Promise<BillingHistory> {
  // one snapshot, so that refunds match the credits taken back
  return db.transaction(
    async (tx) => {
      const rows = await tx
        .select()
        .from(purchases)
        .where(
          and(
            eq(purchases.userId, userId),
            inArray(purchases.state, ['processing', 'failed', 'paid', 'mismatched']),
          ),
        )
        .orderBy(desc(purchases.createdAt), desc(purchases.id));
      const shown: BillingPurchase[] = [];
      for (const row of rows) shown.push(await describePurchase(tx, row));
      return {
        purchases: shown,
        usage: await readUsage(tx, userId),
        owed: shown.reduce((sum, { credits_owed }) => add(sum, credits_owed), nothing),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** Credits that the account's next purchase has to pay off. */
export async function sumOwed(db: Reader, userId: string): Promise<CreditPair> {
  const paid = await db
    .select()
    .from(purchases)
    .where(and(eq(purchases.userId, userId), eq(purchases.state, 'paid')));
  let sum = nothing;
  for (const purchase of paid) sum = add(sum, (await readCredits(db, purchase)).owed);
  return sum;
}

async function readCredits(db: Reader, purchase: Purchase) {
  const facts = await readMoneyFacts(db, purchase);
  const { sums } = await readPosted(db, purchase.id);
  const { final } = computeTargets(facts);
  const taken = add(sums.refund, sums.dispute);
  const owed = add(
    atLeastZero(subtract(sums.refund, final.refund)),
    atLeastZero(subtract(sums.dispute, final.dispute)),
  );
  const none = purchase.userId === null;
  return { facts, taken: atLeastZero(subtract(nothing, taken)), owed: none ? nothing : owed };
}

async function describePurchase(tx: Transaction, purchase: Purchase): Promise<BillingPurchase> {
  const { facts, taken, owed } = await readCredits(tx, purchase);
  const amount = purchase.amount ?? purchase.price;
  const isPaid = purchase.state === 'paid';
  const refunded = isPaid ? sumRefunded(facts, amount) : 0;
  return {
    id: purchase.id,
    created_at: purchase.createdAt.toISOString(),
    paid_at: purchase.paidAt?.toISOString() ?? null,
    bundle: purchase.bundle,
    state: await describeState(tx, purchase, refunded),
    currency: purchase.currency,
    amount,
    discount: purchase.price - amount,
    refunded,
    refunds: await listRefunds(tx, purchase),
    credits: { conversion: purchase.conversion, assistant: purchase.assistant },
    credits_taken_back: taken,
    credits_owed: owed,
    receipt_url: purchase.receiptUrl,
    is_test: purchase.mode !== 'live',
  };
}

async function describeState(tx: Transaction, purchase: Purchase, refunded: number): Promise<PurchaseState> {
  const { state, paymentIntent, amount } = purchase;
  if (state !== 'paid') return state === 'open' || state === 'expired' ? 'failed' : state;
  const disputes =
    paymentIntent === null
      ? []
      : await tx.select().from(paymentDisputes).where(eq(paymentDisputes.paymentIntent, paymentIntent));
  if (disputes.some((dispute) => dispute.state === 'open')) return 'disputed';
  if (disputes.some((dispute) => dispute.state === 'lost')) return 'charged_back';
  if (refunded === 0) return 'paid';
  return refunded >= (amount ?? 0) ? 'refunded' : 'partly_refunded';
}

async function listRefunds(
  tx: Transaction,
  { paymentIntent }: Purchase,
): Promise<BillingPurchase['refunds']> {
  if (paymentIntent === null) return [];
  const refunds = await tx
    .select()
    .from(paymentRefunds)
    .where(eq(paymentRefunds.paymentIntent, paymentIntent))
    .orderBy(paymentRefunds.createdAt, paymentRefunds.id);
  return refunds.map(({ id, createdAt, amount, state }) => ({
    id,
    created_at: createdAt.toISOString(),
    amount,
    state,
  }));
}

/** Pages delivered and changes returned, by month (UTC) of the ledger's entry; newest first. */
async function readUsage(tx: Transaction, userId: string): Promise<MonthlyUsage[]> {
  const month = sql<string>`to_char(${creditEntries.createdAt} at time zone 'UTC', 'YYYY-MM')`;
  const pages = sql<number>`coalesce(sum((${creditEntries.cause} ->> 'total')::integer), 0)::integer`;
  const changes = sql<number>`(count(*) filter (where ${creditEntries.kind} = 'settle' and ${creditEntries.cause} ->> 'change' is not null))::integer`;
  const rows = await tx
    .select({ month, pages, changes })
    .from(creditEntries)
    .where(and(eq(creditEntries.userId, userId), inArray(creditEntries.kind, ['settle', 'release'])))
    .groupBy(month)
    .orderBy(desc(month));
  return rows
    .map((row) => ({ month: row.month, pages: Math.max(0, row.pages), assistant_changes: row.changes }))
    .filter((row) => row.pages > 0 || row.assistant_changes > 0);
}

/** State of the caller's own checkout; null for anybody else's. */
export async function readCheckoutStatus(
  db: Database,
  userId: string,
  sessionId: string,
): Promise<(CheckoutStatus & { purchase: Purchase }) | null> {
  const [purchase] = await db
    .select()
    .from(purchases)
    .where(and(eq(purchases.sessionId, sessionId), eq(purchases.userId, userId)));
  if (!purchase) return null;
  const { state, bundle, conversion, assistant } = purchase;
  return { state, bundle, credits: state === 'paid' ? { conversion, assistant } : null, purchase };
}

const csvColumns = [
  'date',
  'kind',
  'state',
  'bundle',
  'pages',
  'ai_conversations',
  'currency',
  'amount',
  'receipt',
  'test',
  'id',
];

/** One line per purchase, oldest first, each followed by its refunds as negative amounts. Amounts as in `4.90`. */
export function formatBillingCsv({ purchases: bought }: Pick<BillingHistory, 'purchases'>): string {
  const money = (amount: number) => (amount / 100).toFixed(2);
  const lines = bought.toReversed().flatMap((purchase) => {
    const shared = {
      bundle: purchase.bundle,
      currency: purchase.currency.toUpperCase(),
      test: purchase.is_test ? 'yes' : 'no',
    };
    const line = {
      ...shared,
      date: purchase.paid_at ?? purchase.created_at,
      kind: 'purchase',
      state: purchase.state,
      pages: purchase.credits.conversion,
      ai_conversations: purchase.credits.assistant,
      amount: money(purchase.amount),
      receipt: purchase.receipt_url,
      id: purchase.id,
    };
    const refunds = purchase.refunds.map((refund) => ({
      ...shared,
      date: refund.created_at,
      kind: 'refund',
      state: refund.state,
      // a number, so that a spreadsheet understands the sign
      amount: -refund.amount / 100,
      id: refund.id,
    }));
    return [line, ...refunds];
  });
  return formatCsv(csvColumns, lines);
}
