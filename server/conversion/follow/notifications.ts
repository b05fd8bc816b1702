/** How processes notify each other: NOTIFY on one channel, with one listening connection per process. */
import { type SQL, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { listen } from '#server/database/listen.ts';
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

/** Opens the listening connection and keeps it open. Resolves once it listens. */
export async function listenForNotifications(databaseUrl: string, logger: Logger): Promise<Notifications> {
  const handlers = new Set<(nudge: Nudge | null) => void>();
  const listening = listen({
    databaseUrl,
    channel,
    logger,
    deliver(payload) {
      const nudge = payload === null ? null : parseNudge(payload);
      if (payload === null || nudge) for (const handle of [...handlers]) handle(nudge);
    },
  });
  try {
    await listening.started;
  } catch (error) {
    await listening.close();
    throw error;
  }
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
      handlers.clear();
      await listening.close();
    },
  };
}

function parseNudge(payload: string): Nudge | null {
  if (payload === 'work') return { kind: 'work' };
  const [, kind, conversionId] = /^(event|stop):(.+)$/.exec(payload) ?? [];
  return kind && conversionId ? { kind: kind as 'event' | 'stop', conversionId } : null;
}
