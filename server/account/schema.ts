/** Accounts on their way out. In the schema `private`, which neither backend exposes. */
import { text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/database/columns.ts';
import { privateSchema } from '#server/identity/schema.ts';

/** Written before anything is removed, gone when everything is: what a killed process left is found here. */
export const accountDeletions = privateSchema.table('account_deletions', {
  /** The account's id; no reference, because it outlives the account for a moment. */
  userId: uuid('user_id').primaryKey(),
  /** Where the notice goes. */
  email: text('email').notNull(),
  requestedAt: moment('requested_at').notNull().defaultNow(),
  /** A process is at it until then. */
  leaseUntil: moment('lease_until'),
});
