/** One queue for all that this process has others do with uploads: opening, drawing and reading them, whatever the program. */
import { FairQueue, unboundedWaiting } from '#platform/work/fair-queue.ts';
import { memoryAllowance } from '#platform/work/memory.ts';

let queue: FairQueue | undefined;

/** Made when it is first needed, when it is known how much memory there is. */
export function pageQueue(): FairQueue {
  const { pageTasks, pausedTasks } = memoryAllowance();
  queue ??= new FairQueue({
    concurrency: pageTasks,
    // a paused process keeps its memory: 0.2 GB for an ordinary page
    maxPaused: pausedTasks,
    // longer than almost any page takes
    sliceMs: 4_000,
    // what waits is bounded where it comes in: uploads, and the pages that a worker leases
    ...unboundedWaiting,
  });
  return queue;
}

/** The queue owner for work without a network: the command line, tests. */
export const localOwner = 'local';
