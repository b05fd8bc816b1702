import type { Logger } from 'pino';
import type { Database } from '#server/platform/database/database.ts';
import { sweepReservations } from './reservations.ts';

/** How often is looked, in ms. */
const intervalMs = 5 * 60_000;

/** Gives back what dead processes had reserved, now and then. Several processes may: each step is safe to repeat. */
export function startReservationSweeper({ db, logger }: { db: Database; logger: Logger }): {
  stop(): Promise<void>;
} {
  const run = () =>
    sweepReservations(db).catch((error) =>
      logger.error({ err: error }, 'sweeping reserved credits failed; it is tried again'),
    );
  let current = run();
  const timer = setInterval(() => {
    current = current.then(run);
  }, intervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
