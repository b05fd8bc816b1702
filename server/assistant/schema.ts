/**
 * Conversations about documents. A question and its answer share a row, which is deleted with the document.
 * Row-level security is on without a policy, and the public roles have no rights (in the migration).
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { userCredits } from '#server/credits/schema.ts';
import { moment } from '#server/database/columns.ts';
import { documents } from '#server/library/schema.ts';
import type { ChangeDecision, TurnIntent, TurnState } from '#shared/api/assistant.ts';
import type { ErrorObject, LogMessage, Warning } from '#shared/api/errors.ts';

export const assistantTurns = pgTable(
  'assistant_turns',
  {
    documentId: uuid('document_id').notNull(),
    /** Chosen by the client: a request sent twice is one turn. */
    requestId: uuid('request_id').notNull(),
    /** Orders the turns. */
    number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    /** The document's owner. */
    userId: uuid('user_id').notNull(),
    intent: text('intent').$type<TurnIntent>().notNull(),
    message: text('message').notNull(),
    /** The beginning of the selection. */
    scope: text('scope'),
    logMessage: jsonb('log_message').$type<LogMessage>(),
    baseVersion: integer('base_version').notNull(),
    state: text('state').$type<TurnState>().notNull().default('running'),
    answer: text('answer').notNull().default(''),
    error: jsonb('error').$type<ErrorObject>(),
    description: text('description'),
    warnings: jsonb('warnings').$type<Warning[]>().notNull().default([]),
    /** The text that was sent, and the changed text: of the newest changes only. */
    before: text('before'),
    after: text('after'),
    decision: jsonb('decision').$type<ChangeDecision>(),
    /** The id under which its credit is reserved; a new one each time the turn is taken up. */
    changeId: uuid('change_id').notNull(),
    /** The answering process renews this while it is alive. */
    leaseUntil: moment('lease_until').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.requestId] }),
    foreignKey({ columns: [table.documentId], foreignColumns: [documents.id] }).onDelete('cascade'),
    index('assistant_turns_order').on(table.documentId, table.number),
    index('assistant_turns_user').on(table.userId),
    // one answer at a time per document
    uniqueIndex('assistant_turns_running').on(table.documentId).where(sql`state = 'running'`),
    check(
      'assistant_turns_state',
      sql`${table.state} in ('running', 'answered', 'changed', 'failed', 'cancelled', 'interrupted')`,
    ),
    check('assistant_turns_intent', sql`${table.intent} in ('ask', 'explain', 'fix')`),
  ],
).enableRLS();

/** How many free answers an account had on a day (UTC). */
export const assistantDays = pgTable(
  'assistant_days',
  {
    userId: uuid('user_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    freeAnswers: integer('free_answers').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.day] }),
    // deleted with the account
    foreignKey({ columns: [table.userId], foreignColumns: [userCredits.userId] }).onDelete('cascade'),
  ],
).enableRLS();
