import type { Logger } from 'pino';
import { type Repeated, repeat } from '#platform/repeat.ts';
import type { Database } from '#server/database/database.ts';
import { sweepReservations } from './reservations.ts';

/** How often the sweep runs, in ms. */
const intervalMs = 5 * 60_000;

/**
 * Periodically gives back what dead processes had reserved. Several processes may run it: each step is safe to
 * repeat.
 */
export function startReservationSweeper({ db, logger }: { db: Database; logger: Logger }): Repeated {
  return repeat(() => sweepReservations(db), {
    everyMs: intervalMs,
    logger,
    failure: 'sweeping reserved credits failed',
  });
}
