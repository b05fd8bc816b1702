/** The personal preamble. As in the rest of the room: no foreign key, no policy, no rights for the public roles. */
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Notation } from '#latex/assemble/personal-preamble.ts';
import { moment } from '#server/database/columns.ts';

export const personalPreambles = pgTable('personal_preambles', {
  userId: uuid('user_id').primaryKey(),
  /** Increases by one with each save, which names the version that was edited. */
  version: integer('version').notNull(),
  preamble: text('preamble').notNull(),
  notation: jsonb('notation').$type<Notation[]>().notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
}).enableRLS();
