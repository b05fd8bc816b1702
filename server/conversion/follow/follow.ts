/**
 * Follows a conversion: its events in order, from any point, until it comes to rest. Followers pull, so nothing
 * is buffered for a slow one and nothing remains after one that has left.
 */
import type { Storage } from '../../storage/storage.ts';
import type { Database } from '../database.ts';
import { isAtRest } from '../state-machine.ts';
import { readEvents, type SentEvent } from './events.ts';
import type { Notifications } from './notifications.ts';
import { createSlots, type Slots } from './slots.ts';

/**
 * How long a stream may be silent before it sends a heartbeat, in ms. Proxies commonly close after 60 s of
 * silence.
 */
const heartbeatMs = 15_000;

export interface FollowOptions {
  db: Database;
  storage: Storage;
  notifications: Notifications;
  conversionId: string;
  /** The id of the last event the follower received; 0 for none. */
  afterId: number;
  signal: AbortSignal;
}

/**
 * Yields each event after `afterId`, and `heartbeat` during silence; ends when the conversion has stopped and all its
 * events have been sent, when it is deleted, or when the signal is aborted.
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
      // polls even without a nudge, which may have been lost
      if (!signal.aborted) yield 'heartbeat';
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', handleAbort);
  }

  /** Resolves to true if there may be something new, to false after the heartbeat interval. */
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

/** Streams one caller may have open, one per tab. More would be a script that does not close them. */
const maxStreamsPerCaller = 20;

/** Streams that all callers of one network may have open in one process: a class of thirty with several tabs each. */
const maxStreamsPerNetwork = 200;

export function createStreamSlots(): Slots {
  return createSlots({
    perCaller: maxStreamsPerCaller,
    perNetwork: maxStreamsPerNetwork,
    message: 'Too many pages are following your conversions at once. Close some of them.',
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
    // read the next event only after the previous one has been sent
    { highWaterMark: 0 },
  );
}

function formatEvent(item: SentEvent | 'heartbeat'): string {
  if (item === 'heartbeat') return ':\n\n';
  return `id: ${item.id}\nevent: ${item.event.type}\ndata: ${JSON.stringify(item.event)}\n\n`;
}

/** Parses the header Last-Event-ID; any value that is not ours starts from the beginning. */
export function parseLastEventId(header: string | undefined): number {
  return header && /^\d{1,9}$/.test(header) ? Number(header) : 0;
}
