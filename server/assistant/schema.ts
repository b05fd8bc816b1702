/**
 * The conversations people have about their documents. A question with its answer is one row, which goes with its
 * document. Row-level security is on without a policy, and the public roles have no rights (in the migration).
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
    /** The sender's own id: sent twice, it is one turn. */
    requestId: uuid('request_id').notNull(),
    /** Their order. */
    number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    /** The document's owner. */
    userId: uuid('user_id').notNull(),
    intent: text('intent').$type<TurnIntent>().notNull(),
    message: text('message').notNull(),
    /** The beginning of what was selected. */
    scope: text('scope'),
    logMessage: jsonb('log_message').$type<LogMessage>(),
    baseVersion: integer('base_version').notNull(),
    state: text('state').$type<TurnState>().notNull().default('running'),
    answer: text('answer').notNull().default(''),
    error: jsonb('error').$type<ErrorObject>(),
    description: text('description'),
    warnings: jsonb('warnings').$type<Warning[]>().notNull().default([]),
    /** The text that was sent, and with the change: of the newest changes only. */
    before: text('before'),
    after: text('after'),
    decision: jsonb('decision').$type<ChangeDecision>(),
    /** What its credit is reserved under; a new one each time the turn is taken up. */
    changeId: uuid('change_id').notNull(),
    /** The process that answers says until then that it lives. */
    leaseUntil: moment('lease_until').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.requestId] }),
    foreignKey({ columns: [table.documentId], foreignColumns: [documents.id] }).onDelete('cascade'),
    index('assistant_turns_order').on(table.documentId, table.number),
    index('assistant_turns_user').on(table.userId),
    // one answer at a time in each document
    uniqueIndex('assistant_turns_running').on(table.documentId).where(sql`state = 'running'`),
    check(
      'assistant_turns_state',
      sql`${table.state} in ('running', 'answered', 'changed', 'failed', 'cancelled', 'interrupted')`,
    ),
    check('assistant_turns_intent', sql`${table.intent} in ('ask', 'explain', 'fix')`),
  ],
).enableRLS();

/** How many answers that cost nothing an account had in a day (UTC). */
export const assistantDays = pgTable(
  'assistant_days',
  {
    userId: uuid('user_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    freeAnswers: integer('free_answers').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.day] }),
    // goes with the account
    foreignKey({ columns: [table.userId], foreignColumns: [userCredits.userId] }).onDelete('cascade'),
  ],
).enableRLS();
