/** A complete reader: the page preparer and the transcriber. */
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { VendorGate } from '#platform/ai/vendor-gate.ts';
import type { ReaderId } from '#shared/api/reader.ts';
import { createTranscriber, type ReaderSettings } from './create-transcriber.ts';
import { inspectFile } from './inspect-file.ts';
import { createPagePreparer, type PagePreparer } from './pages/page-preparer.ts';
import { type PageReading, preparePage, transcribePage } from './transcribe-page.ts';
import type { Transcriber } from './transcriber.ts';

export interface ReaderOptions {
  /** For the vision model. Default: none; everything is read locally. */
  settings?: ReaderSettings;
  /** Default: the vision model if one is configured, else embedded. */
  reader?: ReaderId;
  /** For the model's vendor, if other callers share it. */
  gate?: VendorGate;
  logger: Logger;
}

export interface Reader {
  transcriber: Transcriber;
  preparer: PagePreparer;
  /**
   * Each page of a PDF or picture in turn.
   * @param path a local file
   * @throws ApiError for a file that cannot be opened; a page that cannot be read is an outcome
   */
  read(path: string, signal?: AbortSignal): AsyncGenerator<PageReading>;
  close(): Promise<void>;
}

/** Pages prepared in parallel; at least two, so that one slow page does not block the rest. */
const preparerCount = () => Math.max(2, Math.min(8, availableParallelism() - 1));

/** @throws ApiError INVALID_INPUT if the requested reader is not configured */
export function openReader({ settings = {}, reader, gate, logger }: ReaderOptions): Reader {
  const onInkFailure = (error: unknown) => logger.error({ err: error }, 'reading handwriting failed');
  const transcriber = createTranscriber(settings, reader, onInkFailure, gate);
  const preparer = createPagePreparer({
    concurrency: preparerCount(),
    forModel: transcriber.id === 'vision-model',
  });
  return {
    transcriber,
    preparer,
    async *read(path, signal = new AbortController().signal) {
      const { kind, pageCount } = await inspectFile(path, path, signal);
      for (let index = 0; index < pageCount; index++) {
        const source = { kind, path, index };
        const picture = preparePage(preparer, source, signal);
        const hints = { pageNumber: index + 1, pageCount, drawings: 'figure', document: path } as const;
        yield await transcribePage({ transcriber, logger }, source, picture, hints, signal);
      }
    },
    async close() {
      await transcriber.close();
      await preparer.close();
    },
  };
}
