/**
 * Sends a conversion's files. XMLHttpRequest, because fetch does not report upload progress. The response is
 * requested as a stream; as soon as it says `accepted` the conversion has an id and this request is closed. From then
 * on follow-conversion.ts listens, the same way as after a reload or a lost connection.
 */
import { z } from 'zod';
import { ConversionEvent, ProcessResponse, SourceMap } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import {
  listCallerHeaders,
  networkError,
  noticeRefusal,
  parseError,
  unexpectedFormat,
} from '../../../lib/api/api-client.ts';
import { createEventStreamParser } from '../../../lib/api/server-sent-events.ts';
import { apiUrl } from '../../../lib/api-routes.ts';

/** The contract's response (specification, section 3): our own additions may be missing. */
const PlainAnswer = ProcessResponse.extend({
  warnings: ProcessResponse.shape.warnings.default([]),
  figures: ProcessResponse.shape.figures.default([]),
  doubtful: ProcessResponse.shape.doubtful.default([]),
  source_map: SourceMap.default({ lines: [], doubtful: [] }),
  conversion_id: z.string().nullable().default(null),
});
export type PlainAnswer = z.infer<typeof PlainAnswer>;

export type UploadOutcome =
  | { kind: 'accepted'; event: Extract<ConversionEvent, { type: 'accepted' }> }
  /** The server responded at once with the result. */
  | { kind: 'answered'; result: PlainAnswer }
  | { kind: 'failed'; error: ErrorObject }
  | { kind: 'aborted' };

interface UploadOptions {
  /** In document order. */
  files: File[];
  startPage: number;
  endPage: number | null;
  /**
   * A delivered conversion of the same files that is read again free of charge, and the pages to rotate:
   * `2:90`.
   */
  again?: { conversionId: string; turns: string };
  /** 0 … 100 */
  onProgress: (percent: number) => void;
  signal: AbortSignal;
}

export async function sendUpload({
  files,
  startPage,
  endPage,
  again,
  onProgress,
  signal,
}: UploadOptions): Promise<UploadOutcome> {
  const form = new FormData();
  form.set('start_page', String(startPage));
  if (endPage !== null) form.set('end_page', String(endPage));
  if (again) {
    form.set('again', again.conversionId);
    form.set('turns', again.turns);
  }
  for (const file of files) form.append('file', file, file.name);

  const route = 'POST /process';
  const callerHeaders = await listCallerHeaders(route);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let isSettled = false;
    const settle = (outcome: UploadOutcome) => {
      if (isSettled) return;
      isSettled = true;
      signal.removeEventListener('abort', handleAbort);
      request.abort();
      resolve(outcome);
    };
    const handleAbort = () => settle({ kind: 'aborted' });
    signal.addEventListener('abort', handleAbort);
    if (signal.aborted) return handleAbort();

    const parse = createEventStreamParser();
    let readTo = 0;
    /** Parses what has arrived of the stream; settles at the first decisive event. */
    const readStream = () => {
      const text = request.responseText;
      const events = parse(text.slice(readTo));
      readTo = text.length;
      for (const { data } of events) {
        const event = parseEvent(data);
        if (event === null) settle({ kind: 'failed', error: unexpectedFormat });
        else if (event.type === 'accepted') settle({ kind: 'accepted', event });
        else if (event.type === 'delivered') settle({ kind: 'answered', result: event.result });
        else if (event.type === 'failed') settle({ kind: 'failed', error: event.error });
      }
    };
    const isStream = () =>
      request.getResponseHeader('Content-Type')?.startsWith('text/event-stream') ?? false;

    request.open('POST', apiUrl(route));
    request.withCredentials = true;
    request.setRequestHeader('Accept', 'text/event-stream');
    for (const [name, value] of Object.entries(callerHeaders)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress((100 * event.loaded) / event.total);
    };
    request.upload.onload = () => onProgress(100);
    request.onprogress = () => {
      if (request.status === 200 && isStream()) readStream();
    };
    request.onload = () => {
      if (request.status !== 200) {
        const error = parseError(request.responseText);
        // `noticeRefusal` may ask for a sign-in itself
        return void noticeRefusal(error, callerHeaders).finally(() => settle({ kind: 'failed', error }));
      }
      if (isStream()) {
        readStream();
        return settle({ kind: 'failed', error: unexpectedFormat });
      }
      settle(readWholeAnswer(request.responseText));
    };
    request.onerror = () => settle({ kind: 'failed', error: networkError });
    request.ontimeout = request.onerror;
    request.send(form);
  });
}

/** Parses one event of a conversion's stream; null if it does not match the contract. */
export function parseEvent(data: string): ConversionEvent | null {
  try {
    const parsed = ConversionEvent.safeParse(JSON.parse(data));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function readWholeAnswer(body: string): UploadOutcome {
  try {
    const parsed = PlainAnswer.safeParse(JSON.parse(body));
    if (parsed.success) return { kind: 'answered', result: parsed.data };
  } catch {
    // falls through: not JSON
  }
  return { kind: 'failed', error: parseError(body) };
}
