/** Column types shared by all rooms' tables. */
import { timestamp } from 'drizzle-orm/pg-core';

/** A point in time, with time zone; a `Date` in the program. */
export function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' });
}
