/**
 * Credits and the page total. `credit_entries` is the ledger: the database function `private.post_credit_entry`
 * adds rows, which never change, and a trigger carries each into `user_credits` in the same transaction, so
 * that a balance is the sum of its entries. Owners read both balances through the identity backend; everything
 * else here is the server's alone (row-level security, and no rights for the public roles). Policies, rights,
 * functions and triggers are handwritten SQL in the migrations.
 */
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { privateSchema } from '#server/database/private-schema.ts';

/** Why credits moved. `reserve` takes them when work is accepted; `settle` and `release` close a reservation. */
export const creditEntryKinds = [
  'grant',
  'purchase',
  'reserve',
  'settle',
  'release',
  'refund',
  'dispute',
  'adjustment',
] as const;
export type CreditEntryKind = (typeof creditEntryKinds)[number];

/**
 * One row per account, written only by the triggers on `auth.users` and `credit_entries`; the limit also by the
 * operator.
 */
export const userCredits = pgTable(
  'user_credits',
  {
    /** `auth.users.id`; the row is deleted with the account. */
    userId: uuid('user_id').primaryKey(),
    /** Pages that may still be converted. */
    conversionCredits: integer('conversion_credits').notNull().default(0),
    /** AI conversations left. */
    assistantCredits: integer('assistant_credits').notNull().default(0),
    /** Documents that may be kept. */
    documentLimit: integer('document_limit').notNull().default(200),
  },
  (table) => [
    check('user_credits_conversion', sql`${table.conversionCredits} >= 0`),
    check('user_credits_assistant', sql`${table.assistantCredits} >= 0`),
    check('user_credits_documents', sql`${table.documentLimit} >= 0`),
  ],
).enableRLS();

/** The ledger. Rows are never changed or removed, except that `user_id` becomes null when an account is deleted. */
export const creditEntries = pgTable(
  'credit_entries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The account; null once it is deleted. */
    userId: uuid('user_id'),
    kind: text('kind').$type<CreditEntryKind>().notNull(),
    /** Pages given (positive) or taken. */
    conversion: integer('conversion').notNull().default(0),
    /** AI conversations given or taken. */
    assistant: integer('assistant').notNull().default(0),
    /**
     * What it was for, e.g. `{ "conversion": ID, "pages": [3], "total": 1 }`. Names no person. `total` is how
     * far the entry moved the page total (absent: not at all), so that the total is the sum of these.
     */
    cause: jsonb('cause').$type<Record<string, unknown>>().notNull(),
    /** A second entry with the same key is not written. */
    idempotencyKey: text('idempotency_key').notNull().unique(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('credit_entries_user').on(table.userId, table.id),
    check(
      'credit_entries_kind',
      sql`${table.kind} in ('grant', 'purchase', 'reserve', 'settle', 'release', 'refund', 'dispute', 'adjustment')`,
    ),
    check(
      'credit_entries_sign',
      sql`case when ${table.kind} in ('grant', 'purchase', 'release') then ${table.conversion} >= 0 and ${table.assistant} >= 0 when ${table.kind} = 'reserve' then ${table.conversion} <= 0 and ${table.assistant} <= 0 else true end`,
    ),
  ],
).enableRLS();

/** What credits can be reserved for: pages of a conversion, or one change by the assistant. */
export const reservationKinds = ['conversion', 'assistant'] as const;
export type ReservationKind = (typeof reservationKinds)[number];

/**
 * What has become of each unit that some work reserved: a page by its number, a change as unit 1. Written in
 * the transaction of the entry that moved its credits, under the lock of the account's balance, so that a
 * repetition finds it done. Units in none of the three lists were released. Deleted with the account (a foreign
 * key in the migration), and two days after its last posting.
 */
export const creditReservations = privateSchema.table(
  'credit_reservations',
  {
    /** Id of the conversion or of the change. */
    subject: uuid('subject').primaryKey(),
    kind: text('kind').$type<ReservationKind>().notNull(),
    userId: uuid('user_id').notNull(),
    /** Reserved, and neither delivered nor released yet. */
    open: integer('open').array().notNull(),
    /** Delivered for one credit each. */
    paid: integer('paid').array().notNull().default([]),
    /** Delivered for nothing: retried after our failure, when the balance had no credit left. */
    free: integer('free').array().notNull().default([]),
    /** Entries written for it after the reservation; part of their idempotency keys. */
    postings: integer('postings').notNull().default(0),
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    check('credit_reservations_kind', sql`${table.kind} in ('conversion', 'assistant')`),
    index('credit_reservations_open').on(table.changedAt).where(sql`open <> '{}'`),
    index('credit_reservations_user').on(table.userId),
  ],
);

/** One row, id 1: pages converted by everybody, less refunded ones. Readable by everybody. */
export const pageConversionTotals = pgTable(
  'page_conversion_totals',
  {
    id: integer('id').primaryKey().default(1),
    netPages: bigint('net_pages', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    check('page_conversion_totals_one_row', sql`${table.id} = 1`),
    check('page_conversion_totals_net', sql`${table.netPages} >= 0`),
  ],
).enableRLS();

/** Purchases; their folder has the details. */
export { paymentDisputes, paymentRefunds, payments, purchases, stripeEvents } from './checkout/schema.ts';
