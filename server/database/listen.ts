/**
 * LISTEN on one channel, over a connection of its own that is opened again when it is lost. A notification is only a
 * nudge: recipients read the tables, so a lost connection causes a delay but never loses a change.
 */
import pg from 'pg';
import type { Logger } from 'pino';
import { connectLimitMs } from './pool.ts';

/** Delays between attempts to connect, in ms; the last one repeats. */
const retryDelaysMs = [100, 500, 1000, 2000, 5000];

export interface ListenOptions {
  databaseUrl: string;
  channel: string;
  logger: Logger;
  /** Gets each payload, and null each time listening starts: notifications may have been missed before. */
  deliver(payload: string | null): void;
}

export interface Listening {
  /** Settles with the first attempt to connect; after a failed one, others follow. */
  started: Promise<void>;
  close(): Promise<void>;
}

/** Starts listening at once, until `close`. */
export function listen({ databaseUrl, channel, logger, deliver }: ListenOptions): Listening {
  let client: pg.Client | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: connectLimitMs,
      query_timeout: connectLimitMs,
    });
    let isLost = false;
    const lose = (error?: Error) => {
      if (isLost) return;
      isLost = true;
      next.end().catch(() => {});
      if (client !== next) return;
      client = null;
      if (isClosed) return;
      logger.warn({ channel, reason: error?.message }, 'the listening connection was lost; connecting again');
      retry(0);
    };
    next.on('notification', ({ payload }) => deliver(payload ?? ''));
    next.on('error', lose);
    next.on('end', () => lose());
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      if (isLost) throw new Error('The connection was lost.');
    } catch (error) {
      lose();
      throw error;
    }
    client = next;
    if (isClosed) lose();
    else deliver(null);
  };

  const retry = (attempt: number) => {
    if (isClosed) return;
    const delayMs = retryDelaysMs[Math.min(attempt, retryDelaysMs.length - 1)];
    timer = setTimeout(() => {
      running = connect().catch(() => retry(attempt + 1));
    }, delayMs);
  };

  const started = connect();
  let running: Promise<void> = started.catch(() => retry(0));

  return {
    started,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      await client?.end().catch(() => {});
    },
  };
}
