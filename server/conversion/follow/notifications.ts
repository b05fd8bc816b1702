/**
 * How processes notify each other: NOTIFY on one channel, with one listening connection per process. A
 * notification is only a nudge: recipients read the tables, which they also poll, so a lost connection causes a
 * delay but never loses an event.
 */
import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import type { Logger } from 'pino';
import { connectLimitMs } from '#server/database/pool.ts';
import type { Database, Transaction } from '../database.ts';

const channel = 'inkproof_conversions';

/**
 * `event`: a conversion has new events. `work`: a queue has a waiting job. `stop`: further work on a conversion
 * is pointless.
 */
export type Nudge = { kind: 'event' | 'stop'; conversionId: string } | { kind: 'work' };

/** Sends a nudge; inside a transaction it is sent at commit. */
export async function notify(db: Database | Transaction, nudge: Nudge): Promise<void> {
  await db.execute(sql`select ${sendNudge(nudge)}`);
}

/** The same as part of a statement. */
export function sendNudge(nudge: Nudge): SQL {
  const payload = nudge.kind === 'work' ? 'work' : `${nudge.kind}:${nudge.conversionId}`;
  return sql`pg_notify(${channel}, ${payload})`;
}

export interface Notifications {
  /**
   * Calls back on every nudge, and with `null` if nudges may have been missed. Returns a function that
   * unsubscribes.
   */
  subscribe(handle: (nudge: Nudge | null) => void): () => void;
  /** Number of subscriptions, for metrics and for the tests that look for leaks. */
  readonly subscriberCount: number;
  close(): Promise<void>;
}

/** Waits between reconnection attempts, in ms; the last one repeats. */
const reconnectDelaysMs = [100, 500, 1000, 2000, 5000];

/** Opens the listening connection and keeps it open. Resolves once it listens. */
export async function listenForNotifications(databaseUrl: string, logger: Logger): Promise<Notifications> {
  const handlers = new Set<(nudge: Nudge | null) => void>();
  let client: pg.Client | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const deliver = (nudge: Nudge | null) => {
    for (const handle of [...handlers]) handle(nudge);
  };

  const connect = async () => {
    const next = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: connectLimitMs,
      query_timeout: connectLimitMs,
    });
    next.on('notification', (message) => {
      const nudge = parseNudge(message.payload ?? '');
      if (nudge) deliver(nudge);
    });
    let hasEnded = false;
    const handleLoss = (error?: Error) => {
      if (hasEnded) return;
      hasEnded = true;
      if (client === next) client = null;
      if (isClosed) return;
      logger.warn({ reason: error?.message }, 'the listening connection was lost; connecting again');
      next.end().catch(() => {});
      reconnect(0);
    };
    next.on('error', handleLoss);
    next.on('end', () => handleLoss());
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
    } catch (error) {
      hasEnded = true;
      next.end().catch(() => {});
      throw error;
    }
    if (isClosed) {
      await next.end();
      return;
    }
    client = next;
  };

  const reconnect = (attempt: number) => {
    if (isClosed) return;
    const delayMs = reconnectDelaysMs[Math.min(attempt, reconnectDelaysMs.length - 1)]!;
    timer = setTimeout(() => {
      connect().then(
        // covers nudges sent while nobody listened
        () => deliver(null),
        () => reconnect(attempt + 1),
      );
    }, delayMs);
  };

  await connect();

  return {
    subscribe(handle) {
      handlers.add(handle);
      return () => {
        handlers.delete(handle);
      };
    },
    get subscriberCount() {
      return handlers.size;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      handlers.clear();
      await client?.end().catch(() => {});
    },
  };
}

function parseNudge(payload: string): Nudge | null {
  if (payload === 'work') return { kind: 'work' };
  const [, kind, conversionId] = /^(event|stop):(.+)$/.exec(payload) ?? [];
  return kind && conversionId ? { kind: kind as 'event' | 'stop', conversionId } : null;
}
