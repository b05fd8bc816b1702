/** Assembles the feature for a server process: what routes need and, on demand, the worker. */
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Env } from '#platform/env.ts';
import { memoryAllowance } from '#platform/work/memory.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { Database } from './database.ts';
import { createStreamSlots } from './follow/follow.ts';
import { listenForNotifications } from './follow/notifications.ts';
import type { ConversionRouteDeps } from './http/conversion-routes.ts';
import { createConversionMetrics } from './queue/metrics.ts';
import { startSweeper } from './queue/sweep.ts';
import { startWorker } from './queue/worker.ts';
import type { Stations } from './stations/stations.ts';

export interface ConversionsOptions {
  env: Pick<Env, 'READ_CONCURRENCY' | 'COMPILE_CONCURRENCY'>;
  db: Database;
  /** For the listening connection, which cannot come from a pool. */
  databaseUrl: string;
  storage: Storage;
  logger: Logger;
  /** Where the metrics are registered. */
  registry: Registry;
  /** Default: 60 minutes (shared/api/limits.ts). */
  lifetimeMs?: number;
}

export interface Conversions {
  /** For `registerConversionRoutes`. */
  routeDeps: ConversionRouteDeps;
  /**
   * Starts taking jobs, and sweeping. The caller closes the stations, after `stop`. `stop` returns unfinished
   * jobs to the queue, where other processes find them at once.
   */
  startWorker(stations: Stations): { stop(): Promise<void> };
  /** Ends streams and waiting calls; to be called before the HTTP server closes. */
  endStreams(): void;
  close(): Promise<void>;
}

export async function createConversions(options: ConversionsOptions): Promise<Conversions> {
  const { env, db, databaseUrl, storage, registry, lifetimeMs } = options;
  const logger = options.logger.child({ part: 'conversion' });
  const notifications = await listenForNotifications(databaseUrl, logger);
  const closing = new AbortController();
  let workers = 0;
  // every stream and waiting call has one subscription, and so has every worker
  const metrics = createConversionMetrics(registry, db, () => notifications.subscriberCount - workers);
  return {
    routeDeps: {
      db,
      storage,
      notifications,
      metrics,
      streams: createStreamSlots(),
      closing: closing.signal,
    },
    startWorker(stations) {
      workers++;
      const memory = memoryAllowance();
      const worker = startWorker({
        db,
        storage,
        notifications,
        stations,
        // the embedded reader works here: more pages would only wait, and their pictures with them
        readConcurrency:
          stations.transcriber.id === 'embedded'
            ? Math.min(env.READ_CONCURRENCY, 2 * memory.pageTasks)
            : env.READ_CONCURRENCY,
        assemblyConcurrency: Math.min(
          env.COMPILE_CONCURRENCY ?? Math.max(1, Math.floor(availableParallelism() / 2)),
          memory.compiles,
        ),
        logger,
        metrics,
      });
      const sweeper = startSweeper({ db, storage, lifetimeMs, logger });
      return {
        async stop() {
          workers--;
          await Promise.all([worker.stop(), sweeper.stop()]);
        },
      };
    },
    endStreams() {
      closing.abort(new Error('the server is shutting down'));
    },
    async close() {
      closing.abort(new Error('the server is shutting down'));
      await notifications.close();
    },
  };
}
