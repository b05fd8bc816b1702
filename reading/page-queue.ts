/** One queue for all that this process has others do with uploads: opening, drawing and reading them, whatever the program. */
import { availableParallelism } from 'node:os';
import { FairQueue, unboundedWaiting } from '#platform/work/fair-queue.ts';

/** At least two, so that one slow file does not block the rest. */
const places = Math.max(2, availableParallelism());

export const pageQueue = new FairQueue({
  concurrency: places,
  // a paused process keeps its memory: 0.2 GB for an ordinary page
  maxPaused: places,
  // longer than almost any page takes
  sliceMs: 4_000,
  // what waits is bounded where it comes in: uploads, and the pages that a worker leases
  ...unboundedWaiting,
});

/** The queue owner for work without a network: the command line, tests. */
export const localOwner = 'local';
