/** One queue for all work on uploads that this process gives to others: opening, rendering and reading them. */
import { FairQueue } from '#platform/work/fair-queue.ts';
import { memoryAllowance } from '#platform/work/memory.ts';
import { unboundedWaiting } from '#platform/work/queue-limits.ts';

let queue: FairQueue | undefined;

/** Created on first use, once the available memory is known. */
export function pageQueue(): FairQueue {
  const { pageTasks, pausedTasks } = memoryAllowance();
  queue ??= new FairQueue({
    concurrency: pageTasks,
    // a paused process keeps its memory: 0.2 GB for an ordinary page
    maxPaused: pausedTasks,
    // longer than almost any page takes
    sliceMs: 4_000,
    // the length of the queue is limited elsewhere: by uploads, and by the pages that a worker leases
    ...unboundedWaiting,
  });
  return queue;
}

/** The queue owner for work without a network: the command line, tests. */
export const localOwner = 'local';
