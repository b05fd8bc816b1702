/**
 * Following a conversion: its events in order, from any point on, until it comes to rest. A follower pulls; nothing is
 * kept for one that is slow, and nothing stays behind for one that is gone.
 */
import type { Storage } from '../../storage/storage.ts';
import type { Database } from '../database.ts';
import { isAtRest } from '../state-machine.ts';
import { readEvents, type SentEvent } from './events.ts';
import type { Notifications } from './notifications.ts';
import { createSlots, type Slots } from './slots.ts';

/** How long a stream stays silent before it says that it lives, in ms. Proxies commonly close at 60 s of silence. */
export const heartbeatMs = 15_000;

export interface FollowOptions {
  db: Database;
  storage: Storage;
  notifications: Notifications;
  conversionId: string;
  /** The id of the last event the follower has; 0 for none. */
  afterId: number;
  signal: AbortSignal;
}

/**
 * Yields each event after `afterId`, and `heartbeat` in silence; ends when the conversion is at rest and all its events
 * are told, when it is gone, or when the signal is aborted.
 */
export async function* followConversion(options: FollowOptions): AsyncGenerator<SentEvent | 'heartbeat'> {
  const { db, storage, notifications, conversionId, signal } = options;
  let { afterId } = options;
  let isNudged = false;
  let wake = () => {};
  const unsubscribe = notifications.subscribe((nudge) => {
    if (nudge !== null && (nudge.kind !== 'event' || nudge.conversionId !== conversionId)) return;
    isNudged = true;
    wake();
  });
  const handleAbort = () => wake();
  signal.addEventListener('abort', handleAbort);
  try {
    while (!signal.aborted) {
      isNudged = false;
      const batch = await readEvents(db, storage, conversionId, afterId);
      for (const event of batch.events) {
        if (signal.aborted) return;
        yield event;
      }
      afterId = batch.lastId;
      if (!batch.isComplete) continue;
      if (batch.state === null || isAtRest(batch.state)) return;
      if (await waitForWake()) continue;
      // also looked at without a nudge: one may have been lost
      if (!signal.aborted) yield 'heartbeat';
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', handleAbort);
  }

  /** Resolves true when there may be something new, false after the heartbeat's time. */
  function waitForWake(): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isWoken: boolean) => {
        clearTimeout(timer);
        wake = () => {};
        resolve(isWoken);
      };
      const timer = setTimeout(() => end(false), heartbeatMs);
      wake = () => end(true);
      if (isNudged || signal.aborted) end(true);
    });
  }
}

/** Streams one caller may have open: some tabs, each with one. More is a script that does not close what it opens. */
export const maxStreamsPerCaller = 20;

/** Streams all callers of one network may have open in one process: a class of thirty with some tabs each. */
export const maxStreamsPerNetwork = 200;

export function createStreamSlots(): Slots {
  return createSlots({
    perCaller: maxStreamsPerCaller,
    perNetwork: maxStreamsPerNetwork,
    message: 'Too many pages follow your conversions at once. Close some of them.',
    retryAfterSeconds: 30,
  });
}

/**
 * A conversion's events as a `text/event-stream` body. Cancelling the body, or `signal`, ends the following;
 * `onEnd` is called once, however it ends.
 */
export function streamConversion(
  options: FollowOptions & { onEnd?: () => void },
): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const signal = AbortSignal.any([options.signal, cancelled.signal]);
  const events = followConversion({ ...options, signal });
  const encoder = new TextEncoder();
  let hasEnded = false;
  const end = (finish: () => void) => {
    if (!hasEnded) options.onEnd?.();
    hasEnded = true;
    finish();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await events.next();
          if (done) end(() => controller.close());
          else controller.enqueue(encoder.encode(formatEvent(value)));
        } catch (error) {
          end(() => controller.error(error));
        }
      },
      async cancel() {
        cancelled.abort();
        await events.return(undefined);
        end(() => {});
      },
    },
    // one event is read when the one before has left
    { highWaterMark: 0 },
  );
}

function formatEvent(item: SentEvent | 'heartbeat'): string {
  if (item === 'heartbeat') return ':\n\n';
  return `id: ${item.id}\nevent: ${item.event.type}\ndata: ${JSON.stringify(item.event)}\n\n`;
}

/** Reads the header Last-Event-ID; anything that is none of ours starts from the beginning. */
export function parseLastEventId(header: string | undefined): number {
  return header && /^\d{1,9}$/.test(header) ? Number(header) : 0;
}
