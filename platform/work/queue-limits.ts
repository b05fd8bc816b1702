/** What a queue (fair-queue.ts) allows. */
export interface QueueLimits {
  concurrency: number;
  /** Most jobs of one group that run in parallel. Default: all. */
  maxRunningPerGroup?: number;
  /** The same per owner. Default: all. */
  maxRunningPerOwner?: number;
  /** Jobs that may be set aside at the same time, in addition to `concurrency`. Default: none. */
  maxAside?: number;
  /** How long a job runs before it is set aside, in ms. */
  asideAfterMs?: number;
  /** Jobs that may be paused at the same time. Default: none. */
  maxPaused?: number;
  /** How long a job that can be paused keeps its slot while others with no fewer running wait, in ms. */
  sliceMs?: number;
  /** Most jobs one owner may have waiting. */
  maxWaitingPerOwner: number;
  /** Most jobs all owners of one group may have waiting. */
  maxWaitingPerGroup: number;
  /** Most jobs waiting in total. */
  maxWaiting: number;
}

/** For queues whose waiting jobs are limited elsewhere. */
export const unboundedWaiting = {
  maxWaitingPerOwner: Number.POSITIVE_INFINITY,
  maxWaitingPerGroup: Number.POSITIVE_INFINITY,
  maxWaiting: Number.POSITIVE_INFINITY,
} as const satisfies Partial<QueueLimits>;
