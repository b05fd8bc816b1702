/**
 * The ink reader as the router sees it. It runs in a process of its own, which holds the line model from the first page
 * that needs it until a minute after the last: a thread cannot be ended while the model works without taking the server
 * along, a process can.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProcessPool } from '#platform/work/process-pool.ts';
import { type WorkLimits, WorkStarved } from '#platform/work/work-limit.ts';

import { localOwner, pageQueue } from '../page-queue.ts';
import type { InkTask } from './ink-process.ts';
import type { InkPage, PictureOfInk } from './read-ink.ts';

export interface InkReader {
  /**
   * Reads a prepared page as handwriting. Null when that is not possible within its time and memory.
   * @param owner whose turn it takes, as `queueOwner` writes it
   * @throws WorkStarved; the signal's reason
   */
  read(
    picture: PictureOfInk,
    pageNumber: number,
    signal: AbortSignal,
    owner?: string,
  ): Promise<InkPage | null>;
  close(): Promise<void>;
}

export interface InkReaderOptions {
  /** Weights, with their `.json` beside them. Default: `reading/models/line-reader.onnx` of this package. */
  model?: string;
  /** Of one page. Default 60 s of CPU time: a page of 40 lines takes some 4 s of one core. */
  limits?: WorkLimits;
  /** Told what went wrong with a page that could not be read. */
  onFailure?: (error: unknown) => void;
}

const ownModel = path.resolve(import.meta.dirname, '../models/line-reader.onnx');
const program = fileURLToPath(new URL('./ink-process.ts', import.meta.url));
/** Model, dictionary and a page at a time come to 300 MB. */
const memoryLimitBytes = 1_200_000_000;

/** @returns null where no weights are: handwriting is not read then */
export function openInkReader(options: InkReaderOptions = {}): InkReader | null {
  const { model = ownModel, limits = { cpuMs: 60_000 }, onFailure } = options;
  if (!existsSync(model)) return null;
  const processes = createProcessPool(program, { queue: pageQueue, size: 1, limits, memoryLimitBytes });
  return {
    async read({ bitmap, origin, isRest }, pageNumber, signal, owner = localOwner) {
      const task: InkTask = { model, picture: { bitmap, origin, isRest }, pageNumber };
      try {
        return (await processes.run(task, { owner, signal })) as InkPage;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof WorkStarved) throw error;
        onFailure?.(error);
        return null;
      }
    },
    close: () => processes.close(),
  };
}
