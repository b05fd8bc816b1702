import { invalidInput } from '#platform/errors.ts';
import { type WorkLimits, WorkLost } from '#platform/work/work-limit.ts';
import { isTooCostly, noteCostly } from '../costly-files.ts';
import { type PagePicture, type PageSource, type PreparedPage, type Quarters, wholePage } from '../page.ts';
import { localOwner } from '../page-queue.ts';
import type { DrawnMarks } from '../text-layer/glyphs/find-strokes.ts';
import { createPagePool, type PagePoolOptions } from './page-pool.ts';
import type { PageTask, PageTaskResult } from './page-task.ts';
import type { PageParts } from './prepare-page.ts';

export interface PagePreparerOptions extends Omit<PagePoolOptions, 'size' | 'limits'> {
  /** Pages prepared concurrently: processes, each using one core. */
  concurrency: number;
  /** Time limit per page. Default 30 s of CPU time: a 12-megapixel HEIC photo takes about 5 s of a slow core. */
  limits?: WorkLimits;
  /** Whether a model reads them: pages then include a picture for it, and their lines of ink. */
  forModel?: boolean;
}

export interface PagePreparer {
  /**
   * Renders or decodes a page and prepares it for reading, with what its reader always needs.
   * @param owner whose queue it joins, as written by `queueOwner`
   * @throws ApiError INVALID_INPUT when this page cannot be used (damaged, or too much to unpack); WorkStarved; the
   * signal's reason.
   */
  look(source: PageSource, signal?: AbortSignal, owner?: string): Promise<PagePicture>;
  /** The same, with everything that can be known about the page. */
  prepare(source: PageSource, signal?: AbortSignal, owner?: string): Promise<PreparedPage>;
  /** Only the picture for people. */
  preview(source: PageSource, signal?: AbortSignal, owner?: string): Promise<Uint8Array>;
  /** Ends the processes. */
  close(): Promise<void>;
}

export function createPagePreparer({
  concurrency,
  limits = { cpuMs: 30_000 },
  forModel = false,
  ...pool
}: PagePreparerOptions): PagePreparer {
  const processes = createPagePool({ ...pool, limits, size: concurrency });
  const run = async <T extends Extract<PageTask, { source: PageSource }>>(
    task: T,
    signal: AbortSignal | undefined,
    owner = localOwner,
  ): Promise<PageTaskResult<T>> => {
    const { source } = task;
    const begin = () => {
      if (isTooCostly(source.path)) throw tooMuch();
    };
    try {
      return await processes.run(task, { owner, key: source.path, begin, ...(signal ? { signal } : {}) });
    } catch (error) {
      if (!(error instanceof WorkLost)) throw error;
      noteCostly(source.path);
      throw tooMuch(error);
    }
  };
  const make = (parts: PageParts, source: PageSource, signal?: AbortSignal, owner?: string) =>
    run({ kind: 'prepare', source, parts }, signal, owner);
  const whole: PageParts = { bitmap: 'always', inkLines: forModel ? 'always' : 'never', forModel: false };
  const atFirst: PageParts = {
    bitmap: 'where-dear',
    inkLines: forModel ? 'where-alone' : 'never',
    forModel,
  };
  const forPeople: PageParts = { bitmap: 'never', inkLines: 'never', forModel: false };
  return {
    async look(source, signal, owner) {
      const turn = (quarters: Quarters) => this.look({ ...source, turn: quarters }, signal, owner);
      let again: Promise<PreparedPage> | undefined;
      const redo = () => {
        again ??= make(whole, source, signal, owner).then(wholePage);
        return again;
      };
      const drawn = (marks: DrawnMarks) => run({ kind: 'drawn', source, marks }, signal, owner);
      const seen = await make(atFirst, source, signal, owner);
      return { ...seen, redo, drawn, ...(source.turn === undefined ? { turn } : {}) };
    },
    async prepare(source, signal, owner) {
      return await wholePage(await make(whole, source, signal, owner));
    },
    async preview(source, signal, owner) {
      return (await make(forPeople, source, signal, owner)).preview;
    },
    close: () => processes.close(),
  };
}

const tooMuch = (cause?: unknown) =>
  invalidInput(
    'This page needs more memory or time to unpack than one page may take. Export it again, simpler or at a lower resolution, and send the new file.',
    cause,
  );
