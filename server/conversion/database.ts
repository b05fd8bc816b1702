/** The database as this feature uses it, and the moments of the database's own clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';

export type { Database };
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** Leases and lifetimes are told by the database's clock, so that processes on several machines agree. */
export const now = sql`clock_timestamp()`;

/** The database's clock, so many milliseconds from now (negative: ago). */
export function fromNow(milliseconds: number) {
  return sql`clock_timestamp() + make_interval(secs => ${milliseconds / 1000}::double precision)`;
}

/** Waits between tries while the database is away, in ms; in all a little less than a lease, after which it is of no use. */
const retryDelaysMs = [200, 1_000, 3_000, 5_000];

/**
 * Writes what took long to make, and tries again when the database cannot be reached for a moment. `write` is one
 * transaction that may be repeated: a second time it finds its lease gone.
 */
export async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await write();
    } catch {
      await sleep(delayMs);
    }
  }
  return write();
}
