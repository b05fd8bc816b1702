/** A reader with all that it needs: what prepares pages, and what transcribes them. */
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { VendorGate } from '#platform/ai/vendor-gate.ts';
import { createTranscriber, type ReaderId, type ReaderSettings } from './create-transcriber.ts';
import { inspectFile } from './inspect-file.ts';
import { createPagePreparer, type PagePreparer } from './pages/page-preparer.ts';
import { type PageReading, preparePage, transcribePage } from './transcribe-page.ts';
import type { Transcriber } from './transcriber.ts';

export interface ReaderOptions {
  /** Of the vision model. Default: none, and everything is read here. */
  settings?: ReaderSettings;
  /** Default: the vision model when one is configured, else embedded. */
  reader?: ReaderId;
  /** Of the model's vendor, where others ask it too. */
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

/** Pages prepared side by side; two at least, so that one slow page is not the only one. */
const preparerCount = () => Math.max(2, Math.min(8, availableParallelism() - 1));

/** @throws ApiError INVALID_INPUT when the reader that is asked for is not configured */
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
        const hints = { pageNumber: index + 1, pageCount, drawings: 'figure' } as const;
        yield await transcribePage({ transcriber, logger }, source, picture, hints, signal);
      }
    },
    async close() {
      await transcriber.close();
      await preparer.close();
    },
  };
}
