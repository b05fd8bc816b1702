/** Database helpers of this feature, and times by the database's clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';

export type { Database };
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** Leases and lifetimes use the database's clock, so that processes on several machines agree. */
export const now = sql`clock_timestamp()`;

/** This many milliseconds from now by the database's clock (negative: ago). */
export function fromNow(milliseconds: number) {
  return sql`clock_timestamp() + make_interval(secs => ${milliseconds / 1000}::double precision)`;
}

/**
 * Waits between tries while the database is unavailable, in ms; in total slightly less than a lease, after
 * which retrying is useless.
 */
const retryDelaysMs = [200, 1_000, 3_000, 5_000];

/**
 * Writes a result that took long to make, retrying if the database is briefly unreachable. `write` is one
 * repeatable transaction: a second time it finds its lease gone.
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
