/**
 * Credits and the page total. `credit_entries` is the ledger: rows are added by the database's function
 * `private.post_credit_entry` and never changed, and a trigger carries each into `user_credits` in the same
 * transaction, so that a balance is the sum of its entries. Both balances are read by their owner through the
 * identity backend; everything else here is the server's alone (row-level security, and no rights for the public
 * roles). Policies, rights, functions and triggers are SQL of its own, in the migrations.
 */
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Why credits moved. `reserve` takes them when work is accepted, `settle` and `release` close a reservation. */
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

/** One row an account, written by the triggers on `auth.users` and `credit_entries` only. */
export const userCredits = pgTable(
  'user_credits',
  {
    /** `auth.users.id`; the row goes with the account. */
    userId: uuid('user_id').primaryKey(),
    /** Pages that may still be converted. */
    conversionCredits: integer('conversion_credits').notNull().default(0),
    /** AI conversations that may still be had. */
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

/** The ledger. Rows are never changed or removed; when an account goes, `user_id` becomes null and the rest stays. */
export const creditEntries = pgTable(
  'credit_entries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Whose; null once the account is gone. */
    userId: uuid('user_id'),
    kind: text('kind').$type<CreditEntryKind>().notNull(),
    /** Pages given (positive) or taken. */
    conversion: integer('conversion').notNull().default(0),
    /** AI conversations given or taken. */
    assistant: integer('assistant').notNull().default(0),
    /** What it was for, e.g. `{ "conversion": ID, "page": 3 }`. Names no person. */
    cause: jsonb('cause').$type<Record<string, unknown>>().notNull(),
    /** Says the same thing once: a second entry with the same key is not written. */
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

/** One row, id 1: pages converted by everybody, refunded ones taken off. Everybody may read it. */
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
