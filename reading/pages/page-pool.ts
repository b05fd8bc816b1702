/** The pools of page processes (page-process.ts), shared by all callers. */
import { fileURLToPath } from 'node:url';
import {
  createProcesses,
  type PoolLimits,
  type Processes,
  type ProcessPool,
  type TaskOptions,
} from '#platform/work/process-pool.ts';
import { pageQueue } from '../page-queue.ts';
import type { PageTask, PageTaskResult } from './page-task.ts';

export interface PagePoolOptions extends PoolLimits {
  /**
   * A different limit gets separate processes. Default 1.6 GB: a 50-megapixel photo needs 0.4, as HEIC twice as much.
   */
  memoryLimitBytes?: number;
}

export interface PagePool extends ProcessPool {
  run<T extends PageTask>(task: T, options: TaskOptions): Promise<PageTaskResult<T>>;
}

const programPath = fileURLToPath(new URL('./page-process.ts', import.meta.url));
let shared: Processes | undefined;

export function createPagePool({ memoryLimitBytes, ...limits }: PagePoolOptions): PagePool {
  if (memoryLimitBytes !== undefined) return start(memoryLimitBytes).openPool(limits) as PagePool;
  shared ??= start(1_600_000_000);
  return shared.openPool(limits) as PagePool;
}

function start(memoryLimitBytes: number): Processes {
  return createProcesses(programPath, { queue: pageQueue(), memoryLimitBytes, hasSpare: true });
}
