/** Kinds of columns that every room's tables have. */
import { timestamp } from 'drizzle-orm/pg-core';

/** A point in time, with its zone; a `Date` in the program. */
export function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' });
}
