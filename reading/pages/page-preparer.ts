import { invalidInput } from '#platform/errors.ts';
import { type WorkLimits, WorkLost } from '#platform/work/work-limit.ts';
import { isTooCostly, noteCostly } from '../costly-files.ts';
import type { PageSource, PreparedPage } from '../page.ts';
import { localOwner } from '../page-queue.ts';
import { createPagePool, type PagePoolOptions } from './page-pool.ts';

export interface PagePreparerOptions extends Omit<PagePoolOptions, 'size' | 'limits'> {
  /** Pages prepared side by side: processes, each busy with one core. */
  concurrency: number;
  /** Of one page. Default 30 s of CPU time: a 12-megapixel HEIC photo takes about 5 s of a slow core. */
  limits?: WorkLimits;
  /** Whether pages come with their lines of ink; some 50 ms a page. */
  findsInk?: boolean;
}

export interface PagePreparer {
  /**
   * Renders or decodes a page and makes it ready to be read.
   * @param owner whose turn it takes, as `queueOwner` writes it
   * @throws ApiError INVALID_INPUT when this page cannot be used (damaged, or too much to unpack); WorkStarved; the
   * signal's reason.
   */
  prepare(source: PageSource, signal?: AbortSignal, owner?: string): Promise<PreparedPage>;
  /** Ends the processes. */
  close(): Promise<void>;
}

export function createPagePreparer({
  concurrency,
  limits = { cpuMs: 30_000 },
  findsInk = false,
  ...pool
}: PagePreparerOptions): PagePreparer {
  const processes = createPagePool({ ...pool, limits, size: concurrency });
  return {
    async prepare(source, signal, owner = localOwner) {
      if (isTooCostly(source.path)) throw tooMuch();
      try {
        const task = { kind: 'prepare', source, findsInk } as const;
        return await processes.run(task, { owner, key: source.path, ...(signal ? { signal } : {}) });
      } catch (error) {
        if (!(error instanceof WorkLost)) throw error;
        noteCostly(source.path);
        throw tooMuch(error);
      }
    },
    close: () => processes.close(),
  };
}

const tooMuch = (cause?: unknown) =>
  invalidInput(
    'This page needs more memory or time to unpack than one page may take. Export it again, simpler or at a lower resolution, and send the new file.',
    cause,
  );
