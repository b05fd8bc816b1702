/**
 * One listening connection a process, on the channel that the database's triggers notify. A notification names a row
 * and holds nothing of it. Once it listens, at the start and after a lost connection,
 * `null` says that some may have been missed.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { parseChange, type RowChange } from './changes.ts';

/** Waits between attempts to listen again, in ms; the last one repeats. */
const retryDelaysMs = [100, 500, 1000, 2000, 5000];

export interface RowWatch {
  close(): Promise<void>;
}

/** Starts to listen at once and keeps at it until `close`. */
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
      // thrown away: a connection that listens is of no use to others
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
    // who subscribed while this was being set up may have missed something, the first time too
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
