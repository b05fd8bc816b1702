/** Removes obsolete rows: payments that no purchase claims, and the ids of events that cannot come again. */
import { and, lt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '#server/database/database.ts';
import { paymentDisputes, paymentRefunds, payments, purchases, stripeEvents } from './schema.ts';

/** After this long, a payment that no purchase claims belongs to another shop of the same Stripe account. */
const unclaimedDays = 30;
/**
 * Event ids are kept to recognise a second delivery. Stripe retries for three days and can resend an event for
 * thirty; a later one would be merged like any facts and change nothing.
 */
const eventDays = 90;

const daysAgo = (days: number): SQL => sql`clock_timestamp() - make_interval(days => ${days})`;

const isUnclaimed = (payment: PgColumn): SQL =>
  sql`not exists (select from ${purchases} where ${purchases.paymentIntent} = ${payment})`;

/** May be repeated, also by several processes at once. */
export async function forgetOld(db: Database): Promise<void> {
  const old = daysAgo(unclaimedDays);
  await db
    .delete(paymentRefunds)
    .where(and(lt(paymentRefunds.createdAt, old), isUnclaimed(paymentRefunds.paymentIntent)));
  await db
    .delete(paymentDisputes)
    .where(and(lt(paymentDisputes.createdAt, old), isUnclaimed(paymentDisputes.paymentIntent)));
  await db.delete(payments).where(and(lt(payments.seenAt, old), isUnclaimed(payments.paymentIntent)));
  await db.delete(stripeEvents).where(lt(stripeEvents.receivedAt, daysAgo(eventDays)));
}
