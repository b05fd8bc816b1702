import type { Logger } from 'pino';
import { type Repeated, repeat } from '#platform/repeat.ts';
import type { Database } from '#server/database/database.ts';
import { sweepReservations } from './reservations.ts';

/** How often is looked, in ms. */
const intervalMs = 5 * 60_000;

/** Gives back what dead processes had reserved, now and then. Several processes may: each step is safe to repeat. */
export function startReservationSweeper({ db, logger }: { db: Database; logger: Logger }): Repeated {
  return repeat(() => sweepReservations(db), {
    everyMs: intervalMs,
    logger,
    failure: 'sweeping reserved credits failed',
  });
}
