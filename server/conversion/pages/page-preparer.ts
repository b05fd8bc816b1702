import { invalidInput } from '../../platform/errors.ts';
import type { PageSource, PreparedPage } from '../page.ts';
import { createPagePool, type PagePoolOptions, PageProcessLost } from './page-pool.ts';

export interface PagePreparerOptions extends Omit<PagePoolOptions, 'size'> {
  /** Pages prepared side by side: processes, each busy with one core. */
  concurrency: number;
  /** Whether pages come with their lines of ink; some 50 ms a page. */
  findsInk?: boolean;
}

export interface PagePreparer {
  /**
   * Renders or decodes a page and makes it ready to be read.
   * @throws ApiError INVALID_INPUT when this page cannot be used (damaged, or too much to unpack); the signal's reason.
   */
  prepare(source: PageSource, signal?: AbortSignal): Promise<PreparedPage>;
  /** Ends the processes. */
  close(): Promise<void>;
}

export function createPagePreparer({
  concurrency,
  findsInk = false,
  ...pool
}: PagePreparerOptions): PagePreparer {
  const processes = createPagePool({ ...pool, size: concurrency });
  return {
    async prepare(source, signal) {
      try {
        return await processes.run({ kind: 'prepare', source, findsInk }, signal);
      } catch (error) {
        if (!(error instanceof PageProcessLost)) throw error;
        throw invalidInput(
          'This page needs more memory or time to unpack than one page may take. Export it again, simpler or at a lower resolution, and send the new file.',
          error,
        );
      }
    },
    close: () => processes.close(),
  };
}
