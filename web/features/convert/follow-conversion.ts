/**
 * Listens to a conversion until nothing more can come of itself. EventSource reconnects by itself after a lost
 * connection and says Last-Event-ID; where it gives up (an answer that is no stream), this asks for the conversion's
 * state and begins again, later each time. The state is also asked for at the start, so that a page that was
 * reloaded knows everything at once; it never overwrites what a newer event has said.
 */
import type { Conversion, ConversionEvent } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { apiUrl } from '#web/lib/api-base.ts';
import { networkError } from '#web/lib/api-client.ts';
import { getConversion } from './conversion-api.ts';
import { parseEvent } from './send-upload.ts';

interface FollowOptions {
  conversionId: string;
  onEvent: (event: ConversionEvent) => void;
  onState: (conversion: Conversion) => void;
  onConnection: (isOffline: boolean) => void;
  /** The conversion is gone or not ours: nothing more will come. */
  onLost: (error: ErrorObject) => void;
}

const eventTypes: ConversionEvent['type'][] = [
  'accepted',
  'page',
  'stage',
  'delivered',
  'failed',
  'cancelled',
  'expired',
];
/** After these the conversion may be at rest: then the server ends the stream, and so do we. */
const lastEvents: ReadonlySet<ConversionEvent['type']> = new Set([
  'delivered',
  'failed',
  'cancelled',
  'expired',
]);
const retryDelaysMs = [500, 1000, 2000, 4000, 8000, 15_000];

/** @returns a function that stops listening */
export function followConversion(options: FollowOptions): () => void {
  const stopper = new AbortController();
  let source: EventSource | null = null;
  let retries = 0;
  let newestId = 0;

  const stop = () => {
    stopper.abort();
    source?.close();
  };

  const readState = async () => {
    const asked = await getConversion(options.conversionId, stopper.signal).catch(() => null);
    if (asked === null || stopper.signal.aborted) return;
    if (asked.ok) {
      if (Number(asked.data.last_event_id) < newestId) return;
      newestId = Number(asked.data.last_event_id);
      options.onConnection(false);
      options.onState(asked.data);
      if (asked.data.state !== 'reading' && asked.data.state !== 'assembling') stop();
    } else if (asked.error.code !== networkError.code) {
      stop();
      options.onLost(asked.error);
    }
  };

  const listen = () => {
    source = new EventSource(apiUrl(`/conversions/${options.conversionId}/events`), {
      withCredentials: true,
    });
    source.onopen = () => {
      retries = 0;
      options.onConnection(false);
    };
    for (const type of eventTypes)
      source.addEventListener(type, (message: MessageEvent<string>) => {
        const event = parseEvent(message.data);
        if (event === null || stopper.signal.aborted) return;
        newestId = Math.max(newestId, Number(message.lastEventId) || 0);
        options.onEvent(event);
        // a stream told from its beginning may repeat an end that a retried page has since undone
        if (lastEvents.has(event.type)) void readState();
      });
    source.onerror = () => {
      if (stopper.signal.aborted) return;
      options.onConnection(true);
      if (source?.readyState !== EventSource.CLOSED) return;
      const delayMs = retryDelaysMs[Math.min(retries++, retryDelaysMs.length - 1)];
      setTimeout(async () => {
        if (stopper.signal.aborted) return;
        await readState();
        if (!stopper.signal.aborted) listen();
      }, delayMs);
    };
  };

  listen();
  void readState();
  return stop;
}
