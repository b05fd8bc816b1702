/**
 * Follows a conversion until nothing more can happen by itself. The stream is read with fetch, because EventSource
 * sends no access token. A broken stream is requested again with Last-Event-ID, with growing delays; if the response
 * is not a stream, the conversion's state is requested first. The state is also requested at the start, so that a
 * reloaded page knows everything at once; it never overwrites what a newer event has said.
 */
import type { Conversion, ConversionEvent } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { listCallerHeaders, networkError } from '../../../lib/api/api-client.ts';
import { createEventStreamParser } from '../../../lib/api/server-sent-events.ts';
import { apiUrl } from '../../../lib/api-routes.ts';
import { getConversion } from './conversion-api.ts';
import { parseEvent } from './send-upload.ts';

interface FollowOptions {
  conversionId: string;
  onEvent: (event: ConversionEvent) => void;
  onState: (conversion: Conversion) => void;
  onConnection: (isOffline: boolean) => void;
  /** The conversion no longer exists or is not ours: nothing more will arrive. */
  onLost: (error: ErrorObject) => void;
}

/** After these events the conversion may have stopped: then the server ends the stream, and so do we. */
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
  let retries = 0;
  let lastEventId = '';
  let newestId = 0;

  const stop = () => stopper.abort();

  const readState = async () => {
    const answer = await getConversion(options.conversionId, stopper.signal).catch(() => null);
    if (answer === null || stopper.signal.aborted) return;
    if (answer.ok) {
      if (Number(answer.data.last_event_id) < newestId) return;
      newestId = Number(answer.data.last_event_id);
      options.onConnection(false);
      options.onState(answer.data);
      if (answer.data.state !== 'reading' && answer.data.state !== 'assembling') stop();
    } else if (answer.error.code !== networkError.code) {
      stop();
      options.onLost(answer.error);
    }
  };

  const readEvent = (data: string, id: string) => {
    const event = parseEvent(data);
    if (event === null || stopper.signal.aborted) return;
    lastEventId = id;
    newestId = Math.max(newestId, Number(id) || 0);
    options.onEvent(event);
    // a stream replayed from its beginning may contain an end that a retried page has since undone
    if (lastEvents.has(event.type)) void readState();
  };

  /** Reads one stream until the server ends it; `refused` if the response was not a stream. Throws if it broke. */
  const readStream = async (): Promise<'ended' | 'refused'> => {
    const route = 'GET /conversions/{id}/events';
    const response = await fetch(apiUrl(route, { path: { id: options.conversionId } }), {
      credentials: 'include',
      cache: 'no-store',
      headers: {
        Accept: 'text/event-stream',
        ...(lastEventId && { 'Last-Event-ID': lastEventId }),
        ...(await listCallerHeaders(route)),
      },
      signal: stopper.signal,
    });
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    if (!response.ok || !isStream || !response.body) return 'refused';
    retries = 0;
    options.onConnection(false);
    const parse = createEventStreamParser();
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read())
      for (const { data, id } of parse(piece.value)) readEvent(data, id);
    return 'ended';
  };

  const listen = async () => {
    while (!stopper.signal.aborted) {
      const outcome = await readStream().catch(() => 'broken' as const);
      if (stopper.signal.aborted) return;
      if (outcome !== 'ended') options.onConnection(true);
      const delayMs = retryDelaysMs[Math.min(retries++, retryDelaysMs.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (outcome === 'refused' && !stopper.signal.aborted) await readState();
    }
  };

  void listen();
  void readState();
  return stop;
}
