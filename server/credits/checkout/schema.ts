/**
 * Purchases and what the payment service has said about them. In the schema `private`, which neither backend
 * exposes; the API shows people their own. Stripe's statements are stored as facts, and credits follow from all
 * of them together, so that the order of events makes no difference (docs/decisions/050-money.md). No row holds
 * a name, an address or a card.
 */
import { sql } from 'drizzle-orm';
import { check, index, integer, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/database/columns.ts';
import { privateSchema } from '#server/database/private-schema.ts';
import type { Currency, PaidBundleId } from '#shared/api/bundles.ts';

/** How a purchase was paid: on the local checkout page, in Stripe's test mode, or with real money. */
export const purchaseModes = ['local', 'test', 'live'] as const;
export type PurchaseMode = (typeof purchaseModes)[number];

/** `processing`: completed, but the money takes days. `mismatched`: what was paid is not what was sold. */
export const purchaseRowStates = ['open', 'expired', 'processing', 'failed', 'paid', 'mismatched'] as const;
export type PurchaseRowState = (typeof purchaseRowStates)[number];

/** `requires_action` counts as `pending`, `canceled` as `failed`. */
export const refundRowStates = ['pending', 'succeeded', 'failed'] as const;
export type RefundRowState = (typeof refundRowStates)[number];

/** `inquiry`: the bank only asks, and no money has moved. */
export const disputeRowStates = ['inquiry', 'open', 'lost', 'won'] as const;
export type DisputeRowState = (typeof disputeRowStates)[number];

const listed = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

/**
 * One checkout. Committed before the payment service is asked; when the account is deleted, the row stays
 * without it.
 */
export const purchases = privateSchema.table(
  'purchases',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** `auth.users.id`; null once the account is deleted (a foreign key in the migration). */
    userId: uuid('user_id'),
    mode: text('mode').$type<PurchaseMode>().notNull(),
    bundle: text('bundle').$type<PaidBundleId>().notNull(),
    /** What the bundle held when sold: pages, and AI conversations. */
    conversion: integer('conversion').notNull(),
    assistant: integer('assistant').notNull(),
    /** As sent by the browser: two capitals, or EU. */
    country: text('country').notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    /** As sold, before a promotion code, in hundredths. */
    price: integer('price').notNull(),
    /** After the code, as reported by Stripe; null until the buyer has confirmed. */
    amount: integer('amount'),
    /** `cs_…`; null until Stripe has answered. */
    sessionId: text('session_id').unique(),
    /** `pi_…`; refunds and disputes refer to it. */
    paymentIntent: text('payment_intent').unique(),
    /** `ch_…`. */
    charge: text('charge'),
    receiptUrl: text('receipt_url'),
    state: text('state').$type<PurchaseRowState>().notNull().default('open'),
    /** Why it is mismatched, in words for the operator; null otherwise. */
    mismatch: text('mismatch'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When the payment became known. */
    paidAt: moment('paid_at'),
  },
  (table) => [
    index('purchases_user').on(table.userId, table.createdAt),
    index('purchases_created').on(table.createdAt),
    check('purchases_mode', sql`${table.mode} in (${listed(purchaseModes)})`),
    check('purchases_state', sql`${table.state} in (${listed(purchaseRowStates)})`),
  ],
);

/** What is known of a payment apart from its refunds and disputes, whether or not a purchase has claimed it. */
export const payments = privateSchema.table('payments', {
  /** `pi_…`. */
  paymentIntent: text('payment_intent').primaryKey(),
  /** The greatest `amount_refunded` seen on any of its charges, in hundredths, and its currency. */
  refundedSeen: integer('refunded_seen').notNull(),
  currency: text('currency').notNull(),
  seenAt: moment('seen_at').notNull().defaultNow(),
});

export const paymentRefunds = privateSchema.table(
  'payment_refunds',
  {
    /** `re_…`. */
    id: text('id').primaryKey(),
    paymentIntent: text('payment_intent').notNull(),
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    state: text('state').$type<RefundRowState>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('payment_refunds_payment').on(table.paymentIntent),
    check('payment_refunds_state', sql`${table.state} in (${listed(refundRowStates)})`),
  ],
);

export const paymentDisputes = privateSchema.table(
  'payment_disputes',
  {
    /** `du_…`, `dp_…`. */
    id: text('id').primaryKey(),
    paymentIntent: text('payment_intent').notNull(),
    charge: text('charge'),
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    state: text('state').$type<DisputeRowState>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('payment_disputes_payment').on(table.paymentIntent),
    check('payment_disputes_state', sql`${table.state} in (${listed(disputeRowStates)})`),
  ],
);

/** Events that were accepted, each inserted in the transaction of its effect. Holds no event's content. */
export const stripeEvents = privateSchema.table(
  'stripe_events',
  {
    /** `evt_…`. */
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    /** `ignored`: not about a purchase of ours. `mismatched`: not believed. */
    outcome: text('outcome').$type<'applied' | 'ignored' | 'mismatched'>().notNull(),
    /** The purchase concerned; not a foreign key, because rows here never change. */
    purchase: uuid('purchase'),
    createdAt: moment('created_at').notNull(),
    receivedAt: moment('received_at').notNull().defaultNow(),
  },
  (table) => [index('stripe_events_received').on(table.receivedAt)],
);
