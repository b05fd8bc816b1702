/** The pool of page processes (page-process.ts). */
import { fileURLToPath } from 'node:url';
import {
  createProcessPool,
  type ProcessPool,
  type ProcessPoolOptions,
  type TaskOptions,
} from '#platform/work/process-pool.ts';
import { pageQueue } from '../page-queue.ts';
import type { PageTask, PageTaskResult } from './page-task.ts';

export interface PagePoolOptions extends Pick<ProcessPoolOptions, 'size' | 'limits'> {
  /** A 50-megapixel photo needs some 0.4 GB, as HEIC twice as much. Default 1.6 GB. */
  memoryLimitBytes?: number;
}

export interface PagePool extends ProcessPool {
  run<T extends PageTask>(task: T, options: TaskOptions): Promise<PageTaskResult<T>>;
}

const programPath = fileURLToPath(new URL('./page-process.ts', import.meta.url));

export function createPagePool({ memoryLimitBytes = 1_600_000_000, ...options }: PagePoolOptions): PagePool {
  return createProcessPool(programPath, {
    ...options,
    queue: pageQueue,
    memoryLimitBytes,
    hasSpare: true,
  }) as PagePool;
}
