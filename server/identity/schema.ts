/**
 * Data for the rules on accounts, in the schema `private`, which neither backend exposes. SQL functions read it, because
 * with an external Supabase sign-ups never pass through this server.
 */
import { customType, text } from 'drizzle-orm/pg-core';
import { moment } from '#server/database/columns.ts';
import { privateSchema } from '#server/database/private-schema.ts';

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

export { privateSchema };

/** Values that the database's functions need, written at boot. */
export const privateSettings = privateSchema.table('settings', {
  /** `mailbox-key`: keys the hashes of mailboxes. `disposable-domains`: which lists were loaded. */
  name: text('name').primaryKey(),
  value: bytea('value').notNull(),
});

/** Domains of disposable addresses, in lower case and punycode; their subdomains count too. */
export const disposableDomains = privateSchema.table('disposable_domains', {
  domain: text('domain').primaryKey(),
});

/** Mailboxes that have had their free credits, as keyed hashes. Outlives the account, so that nobody gets them twice. */
export const grantedMailboxes = privateSchema.table('granted_mailboxes', {
  mailboxHash: bytea('mailbox_hash').primaryKey(),
  grantedAt: moment('granted_at').notNull().defaultNow(),
});
