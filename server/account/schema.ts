/** Accounts being deleted. In the schema `private`, which neither backend exposes. */
import { text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/database/columns.ts';
import { privateSchema } from '#server/identity/schema.ts';

/** Written before anything is deleted and removed last, so that interrupted deletions can be found. */
export const accountDeletions = privateSchema.table('account_deletions', {
  /** The account's id; not a reference, because the row outlives the account briefly. */
  userId: uuid('user_id').primaryKey(),
  /** Where to send the notice. */
  email: text('email').notNull(),
  requestedAt: moment('requested_at').notNull().defaultNow(),
  /** Leased by a process until then. */
  leaseUntil: moment('lease_until'),
});
