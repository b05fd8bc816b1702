/**
 * Multipart uploads, read from the raw request and passed on as streams: nothing is held in memory, the sender
 * is slowed to the pace of whoever takes the files, and a sender that stalls, trickles or vanishes is dropped.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { type ApiError, invalidInput } from '#platform/errors.ts';
import { cleanFileName } from './file-name.ts';

/** One file of the form, as it streams through. */
interface MultipartFile {
  /** The form field it came in. */
  field: string;
  /** The sender's name for it, cleaned; for display, never a path or a key. */
  displayName: string;
  /** Index among the files sent, from 0. */
  index: number;
  /** Fails if the upload is refused or breaks off. It must be read to its end or destroyed. */
  stream: Readable;
}

export interface MultipartLimits {
  /** Form fields that may hold files; files in others are skipped. */
  fileFields: readonly string[];
  maxFileBytes: number;
  maxFiles: number;
  /** The whole body with its part headers. */
  maxTotalBytes: number;
}

export interface Pace {
  /** Longest silence of the sender, in ms. */
  idleMs: number;
  /** Length of the window, in ms, in which … */
  windowMs: number;
  /** … at least this many bytes must arrive. */
  minBytesPerWindow: number;
  /** Longest time for the whole body, in ms. */
  totalMs: number;
}

/**
 * The slowest sender accepted. A phone on a poor 2G line still sends some 4 KB/s; below 1 KB/s, 50 MB would
 * take 14 hours. Time during which the server itself is not reading does not count.
 */
const uploadPace: Pace = {
  idleMs: 30_000,
  windowMs: 30_000,
  minBytesPerWindow: 30_000,
  totalMs: 30 * 60_000,
};

/** Text fields are few and short: page numbers, an order. */
const maxFields = 50;
const maxFieldBytes = 10_000;
/**
 * After a refusal this much more is read and discarded, so that a client that is still sending gets to see the
 * response.
 */
const drainBytes = 64 * 1024 * 1024;
const drainMs = 5_000;

const asMegabytes = (bytes: number): string => `${Math.round(bytes / 100_000) / 10} MB`;

export interface MultipartForm<T> {
  /** The results of `takeFile`, in the order sent. */
  files: T[];
  /** Text fields; the last one of a name wins. */
  fields: Map<string, string>;
}

interface ReadOptions<T> {
  limits: MultipartLimits;
  /** Takes one file. Files come one after the other, but an earlier one may still be settling. */
  takeFile: (file: MultipartFile) => Promise<T>;
  signal?: AbortSignal;
  pace?: Pace;
}

/**
 * Reads a multipart body to its end. When it rejects, every `takeFile` has settled, so clean up after that.
 * @throws ApiError INVALID_INPUT for faults of the sender; whatever `takeFile` throws.
 */
export async function readMultipart<T>(
  incoming: IncomingMessage,
  { limits, takeFile, signal, pace = uploadPace }: ReadOptions<T>,
): Promise<MultipartForm<T>> {
  const tooLargeInAll = () =>
    invalidInput(
      `The files are larger than ${asMegabytes(limits.maxTotalBytes)} in total. Send them in several requests.`,
    );
  const refuse = (error: ApiError): never => {
    discard(incoming);
    throw error;
  };
  if (Number(incoming.headers['content-length'] ?? 0) > limits.maxTotalBytes) refuse(tooLargeInAll());
  let parser: busboy.Busboy;
  try {
    parser = busboy({
      headers: incoming.headers,
      defParamCharset: 'utf8',
      limits: {
        fileSize: limits.maxFileBytes + 1, // busboy signals the limit when it is reached, not when it is exceeded
        files: limits.maxFiles,
        fields: maxFields,
        fieldSize: maxFieldBytes,
        fieldNameSize: 100,
      },
    });
  } catch (cause) {
    return refuse(invalidInput('Send the file as a form (multipart/form-data) with a field “file”.', cause));
  }

  const work: Promise<T | null>[] = [];
  const fields = new Map<string, string>();
  const open = new Set<Readable>();

  const body = new Promise<void>((resolve, reject) => {
    let settled = false;
    let receivedBytes = 0;
    const startedAt = performance.now();
    let lastByteAt = startedAt;
    let windowStart = startedAt;
    let windowBytes = 0;

    const finish = (error?: unknown) => {
      if (settled) return;
      settled = true;
      clearInterval(watch);
      signal?.removeEventListener('abort', onAbort);
      if (error === undefined) return resolve();
      incoming.unpipe(parser);
      const reason = error instanceof Error ? error : new Error(String(error));
      for (const stream of open) stream.destroy(reason);
      parser.destroy();
      discard(incoming);
      reject(error);
    };
    const onAbort = () => finish(signal?.reason ?? new Error('aborted'));

    const watch = setInterval(
      () => {
        const now = performance.now();
        if (now - startedAt > pace.totalMs)
          return finish(
            invalidInput('The upload took too long. Try again on a faster connection, or send fewer pages.'),
          );
        if (parser.writableNeedDrain) {
          // we are the slow side
          lastByteAt = windowStart = now;
          windowBytes = 0;
          return;
        }
        if (now - lastByteAt > pace.idleMs)
          return finish(
            invalidInput('The upload stopped before it was complete. Please send the file again.'),
          );
        if (now - windowStart < pace.windowMs) return;
        if (windowBytes < pace.minBytesPerWindow)
          return finish(invalidInput('The upload is too slow to finish. Try again on a faster connection.'));
        windowStart = now;
        windowBytes = 0;
      },
      Math.min(1000, pace.idleMs / 4),
    );

    incoming.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      windowBytes += chunk.length;
      lastByteAt = performance.now();
      if (receivedBytes > limits.maxTotalBytes) finish(tooLargeInAll());
    });
    incoming.on('error', (cause) => finish(brokenOff(cause)));
    incoming.on('close', () => {
      if (!incoming.complete) finish(brokenOff());
    });

    parser.on('file', (field, stream, info) => {
      const isFileGiven = info.filename !== undefined && info.filename !== '';
      if (settled || !isFileGiven || !limits.fileFields.includes(field)) return void stream.resume();
      const displayName = cleanFileName(info.filename);
      open.add(stream);
      stream.on('close', () => open.delete(stream));
      stream.on('error', () => {}); // seen by takeFile; must not be thrown when nobody listens any more
      stream.on('limit', () =>
        finish(
          invalidInput(
            `“${displayName}” is larger than ${asMegabytes(limits.maxFileBytes)}. Make it smaller (fewer pages, or images of lower resolution) and send it again.`,
          ),
        ),
      );
      const taken = takeFile({ field, displayName, index: work.length, stream });
      work.push(taken);
      taken.catch(finish);
    });
    parser.on('field', (name, value) => void fields.set(name, value));
    parser.on('filesLimit', () =>
      finish(invalidInput(`At most ${limits.maxFiles} files can be sent at once. Remove some.`)),
    );
    parser.on('fieldsLimit', () => finish(invalidInput('The form has too many fields.')));
    parser.on('error', (cause) => finish(brokenOff(cause)));
    parser.on('close', () => finish());

    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    incoming.pipe(parser);
  });

  try {
    await body;
    const files = await Promise.all(work);
    return { files: files as T[], fields };
  } catch (error) {
    await Promise.allSettled(work);
    throw error;
  }
}

function brokenOff(cause?: unknown): ApiError {
  return invalidInput('The upload was interrupted. Please send it again.', cause);
}

/** Discards what still arrives, up to a limit, then closes the connection. */
function discard(incoming: IncomingMessage): void {
  if (incoming.destroyed || incoming.complete) return void incoming.resume();
  let bytes = 0;
  const timer = setTimeout(() => incoming.destroy(), drainMs);
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > drainBytes) incoming.destroy();
  });
  incoming.on('error', () => {});
  incoming.on('close', () => clearTimeout(timer));
  incoming.on('end', () => clearTimeout(timer));
  incoming.resume();
}
