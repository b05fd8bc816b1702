/**
 * One listening connection per process, on the channel that the database's triggers notify. A notification names a row
 * without its content. Each time it starts listening, first or after a lost connection, `null` says that changes may
 * have been missed.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { parseChange, type RowChange } from './changes.ts';

/** Delays between attempts to listen again, in ms; the last one repeats. */
const retryDelaysMs = [100, 500, 1000, 2000, 5000];

export interface RowWatch {
  close(): Promise<void>;
}

/** Starts listening at once and reconnects until `close`. */
export function watchRows(
  pool: pg.Pool,
  logger: Logger,
  handle: (change: RowChange | null) => void,
): RowWatch {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | null = null;

  const listen = async (): Promise<void> => {
    const client = await pool.connect();
    let hasEnded = false;
    const end = (error?: Error) => {
      if (hasEnded) return;
      hasEnded = true;
      stop = null;
      // discarded: a connection that listens must not return to the pool
      client.release(true);
      if (isClosed) return;
      logger.warn(
        { reason: error?.message },
        'the connection that listens for rows was lost; connecting again',
      );
      retry(0);
    };
    client.on('error', end);
    client.on('end', () => end());
    client.on('notification', ({ payload }) => {
      const change = parseChange(payload ?? '');
      if (change) handle(change);
    });
    try {
      await client.query('LISTEN inkproof_rows');
    } catch (error) {
      hasEnded = true;
      client.release(true);
      throw error;
    }
    if (isClosed) return end();
    stop = end;
    // whoever subscribed during the setup may have missed something, even the first time
    handle(null);
  };
  const retry = (attempt: number) => {
    if (isClosed) return;
    const delayMs = retryDelaysMs[Math.min(attempt, retryDelaysMs.length - 1)];
    timer = setTimeout(() => {
      running = listen().catch(() => retry(attempt + 1));
    }, delayMs);
  };
  let running: Promise<void> = listen().catch(() => retry(0));

  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      stop?.();
    },
  };
}
