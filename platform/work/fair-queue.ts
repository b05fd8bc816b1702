/**
 * A bounded queue, fair between groups, and within a group between its owners: whoever has the fewest running
 * goes next, then whoever was served longest ago. An owner is written `group/name`; one without a slash is a
 * group of its own.
 *
 * Jobs that nobody waits for (`background`) let the others go first, but one of them gets a turn every few
 * turns. They never occupy every slot at once, so that a newcomer need not wait for a long one to end. Nor do
 * those of one group, if there are several slots: endless documents of one network would make all others wait.
 * And jobs that run long are set aside, one per owner at a time: they continue, but their slot is free.
 *
 * Work that can be paused gives up its slot while under way: at once to somebody who has fewer running, and
 * after a slice of time to whoever would be next. It continues when its owner's turn comes again.
 */

import type { QueueLimits } from './queue-limits.ts';

export type Priority = 'interactive' | 'background';
/** Turns that interactive jobs take in a row while a background one waits. */
const interactiveTurns = 3;

/** Jobs of one kind with a limit in addition to the queue's, for example tasks of one program, or on one file. */
export interface Lane {
  readonly most: number;
  /** Maintained by the queue. */
  running: number;
}

export interface TurnOptions {
  /** Default `interactive`. */
  priority?: Priority;
  /** Jobs that must wait for one of theirs keep their places in the line. */
  lanes?: readonly Lane[];
  /** Stops the work where it is, or continues it. Work without it runs to its end. */
  pause?: (isPaused: boolean) => void;
}

interface Job {
  owner: string;
  priority: Priority;
  lanes: readonly Lane[];
  pause: TurnOptions['pause'] | null;
  run: () => Promise<void>;
  cancel: () => void;
  state: 'waiting' | 'running' | 'aside' | 'paused';
  /** Has held its slot for longer than a slice. */
  isLong: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** The outcome of a request for a slot. */
export type Admission<T> =
  | { kind: 'ran'; value: T }
  | { kind: 'cancelled' }
  /** `isOwnShare`: there is room, but not for this owner or its group. */
  | { kind: 'full'; isOwnShare: boolean; retryAfterSeconds: number };

/** State of an owner or a group; kept while it has any job here. */
interface Share {
  waiting: number;
  /** Occupying a slot. */
  running: number;
  /** Running too, but set aside. */
  aside: number;
  /** When it was last served, in turns; 0 for never. */
  served: number;
}

export class FairQueue {
  readonly #limits: QueueLimits;
  /** Waiting jobs, by priority and owner; paused ones come first. */
  readonly #lines: Record<Priority, Map<string, Job[]>> = {
    interactive: new Map(),
    background: new Map(),
  };
  readonly #owners = new Map<string, Share>();
  readonly #groups = new Map<string, Share>();
  /** Jobs that hold a slot and can be paused, the longest running first. */
  readonly #pausable = new Set<Job>();
  #turn = 0;
  #runningCount = 0;
  #runningInBackground = 0;
  #asideCount = 0;
  #pausedCount = 0;
  /** Turns that interactive jobs took since the last background one. */
  #passed = 0;
  #waitingCount = 0;
  /** Moving average of a job's duration, for Retry-After. */
  #meanMs = 1_000;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** All running jobs, including those set aside. */
  get running(): number {
    return this.#runningCount + this.#asideCount;
  }

  /** Paused jobs count as waiting. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /** Runs `work` when its turn comes. Aborting `signal` while it waits removes it; later it is up to `work`. */
  run<T>(
    owner: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    { priority = 'interactive', lanes = [], pause }: TurnOptions = {},
  ): Promise<Admission<T>> {
    if (signal.aborted) return Promise.resolve({ kind: 'cancelled' });
    if (!this.#hasPlaceFor(priority) || !this.#mayRun(owner)) {
      const isOwnShare =
        (this.#owners.get(owner)?.waiting ?? 0) >= this.#limits.maxWaitingPerOwner ||
        (this.#groups.get(groupOf(owner))?.waiting ?? 0) >= this.#limits.maxWaitingPerGroup;
      if (isOwnShare || this.#waitingCount >= this.#limits.maxWaiting)
        return Promise.resolve({ kind: 'full', isOwnShare, retryAfterSeconds: this.#retryAfterSeconds() });
    }
    return new Promise((resolve, reject) => {
      const handleAbort = () => {
        this.#leaveLine(job);
        this.#forgetIdle(owner);
        job.cancel();
      };
      const job: Job = {
        owner,
        priority,
        lanes,
        pause: pause ?? null,
        state: 'waiting',
        isLong: false,
        timer: undefined,
        run: async () => {
          signal.removeEventListener('abort', handleAbort);
          try {
            resolve({ kind: 'ran', value: await work() });
          } catch (error) {
            reject(error);
          }
        },
        cancel: () => resolve({ kind: 'cancelled' }),
      };
      signal.addEventListener('abort', handleAbort, { once: true });
      this.#enterLine(job);
      this.#next();
    });
  }

  /**
   * As `run`, for a queue without limits on waiting jobs.
   * @throws the signal's reason; what `work` throws
   */
  async take<T>(...args: Parameters<typeof this.run<T>>): Promise<T> {
    const [, signal] = args;
    const admission = await this.run(...args);
    if (admission.kind === 'ran') return admission.value;
    signal.throwIfAborted();
    throw new Error('this queue has limits on waiting jobs');
  }

  #retryAfterSeconds(): number {
    const seconds = (this.#meanMs * this.#waitingCount) / this.#limits.concurrency / 1_000;
    return Math.min(60, Math.max(1, Math.ceil(seconds)));
  }

  /** The group's share, then the owner's. */
  #sharesOf(owner: string): [Share, Share] {
    const get = (shares: Map<string, Share>, key: string) => {
      const share = shares.get(key) ?? { waiting: 0, running: 0, aside: 0, served: 0 };
      shares.set(key, share);
      return share;
    };
    return [get(this.#groups, groupOf(owner)), get(this.#owners, owner)];
  }

  #enterLine(job: Job): void {
    const lines = this.#lines[job.priority];
    const line = lines.get(job.owner) ?? [];
    if (job.state === 'paused') line.unshift(job);
    else line.push(job);
    lines.set(job.owner, line);
    this.#waitingCount++;
    for (const share of this.#sharesOf(job.owner)) share.waiting++;
  }

  #leaveLine(job: Job): void {
    const lines = this.#lines[job.priority];
    const line = lines.get(job.owner);
    const place = line?.indexOf(job) ?? -1;
    if (!line || place < 0) return;
    line.splice(place, 1);
    this.#waitingCount--;
    for (const share of this.#sharesOf(job.owner)) share.waiting--;
    if (line.length === 0) lines.delete(job.owner);
  }

  #hasPlaceFor(priority: Priority): boolean {
    const { concurrency } = this.#limits;
    if (this.#runningCount >= concurrency) return false;
    return priority === 'interactive' || this.#runningInBackground < Math.max(1, concurrency - 1);
  }

  /** Whether owner and group stay within their limits with one more running. */
  #mayRun(owner: string): boolean {
    const { concurrency, maxRunningPerGroup = concurrency, maxRunningPerOwner = concurrency } = this.#limits;
    return (
      (this.#groups.get(groupOf(owner))?.running ?? 0) < maxRunningPerGroup &&
      (this.#owners.get(owner)?.running ?? 0) < maxRunningPerOwner
    );
  }

  #next(): void {
    for (;;) {
      const next = this.#choose() ?? this.#makeRoom();
      if (!next) return;
      this.#leaveLine(next);
      this.#begin(next);
    }
  }

  /** The next waiting job for which there is a slot; null if there is none. */
  #choose(): Job | null {
    const first = (priority: Priority) =>
      this.#hasPlaceFor(priority) ? this.#chooseOwner(this.#lines[priority]) : null;
    const interactive = first('interactive');
    const background = first('background');
    return interactive && (!background || this.#passed < interactiveTurns) ? interactive : background;
  }

  /** Pauses a job whose slot is due to another, which is returned; null if none is due. */
  #makeRoom(): Job | null {
    if (this.#waitingCount === 0 || this.#pausedCount >= (this.#limits.maxPaused ?? 0)) return null;
    for (const job of this.#pausable) {
      this.#occupy(job, -1);
      const next = this.#choose();
      if (next && this.#isDue(next, job)) {
        clearTimeout(job.timer);
        this.#pausable.delete(job);
        this.#pausedCount++;
        job.state = 'paused';
        job.pause?.(true);
        this.#enterLine(job);
        return next;
      }
      this.#occupy(job, 1);
    }
    return null;
  }

  /** Whether `next` should get the slot of `job`, which has just been taken out of the counts. */
  #isDue(next: Job, job: Job): boolean {
    if (next.owner === job.owner || (next.priority === 'background' && job.priority !== next.priority))
      return false;
    if (job.isLong) return isBefore(this.#rankOf(next.owner), this.#rankOf(job.owner));
    const [nextGroup, nextOwn] = this.#sharesOf(next.owner);
    const [group, own] = this.#sharesOf(job.owner);
    return group === nextGroup ? nextOwn.running < own.running : nextGroup.running < group.running;
  }

  #begin(job: Job): void {
    const { owner, priority } = job;
    this.#passed = priority === 'background' || this.#lines.background.size === 0 ? 0 : this.#passed + 1;
    this.#turn++;
    this.#occupy(job, 1);
    for (const share of this.#sharesOf(owner)) share.served = this.#turn;
    const wasPaused = job.state === 'paused';
    job.state = 'running';
    this.#limitPlace(job);
    if (wasPaused) {
      this.#pausedCount--;
      job.pause?.(false);
      return;
    }
    const startedMs = performance.now();
    void job.run().finally(() => {
      clearInterval(job.timer);
      this.#pausable.delete(job);
      this.#meanMs = this.#meanMs * 0.9 + (performance.now() - startedMs) * 0.1;
      if (job.state === 'aside') this.#setAside(owner, -1);
      else if (job.state === 'running') this.#occupy(job, -1);
      else {
        // ended while it was paused
        this.#pausedCount--;
        this.#leaveLine(job);
      }
      this.#next();
      // only now, so that whoever just ran comes after those who did not
      this.#forgetIdle(owner);
    });
  }

  /** Handles a job that keeps its slot for long. */
  #limitPlace(job: Job): void {
    const { asideAfterMs = 0, maxAside = 0, sliceMs, maxPaused = 0 } = this.#limits;
    job.isLong = false;
    if (job.pause && maxPaused > 0) {
      this.#pausable.add(job);
      const handleSlice = () => {
        job.isLong = true;
        this.#next();
      };
      if (sliceMs !== undefined) job.timer = setTimeout(handleSlice, sliceMs).unref();
    } else if (maxAside > 0) {
      job.timer = setInterval(() => {
        if (!this.#maySetAside(job.owner)) return;
        clearInterval(job.timer);
        job.state = 'aside';
        this.#occupy(job, -1);
        this.#setAside(job.owner, 1);
        this.#next();
      }, asideAfterMs);
    }
  }

  /** Counts one slot as taken or freed. */
  #occupy({ owner, priority, lanes }: Job, by: 1 | -1): void {
    this.#runningCount += by;
    if (priority === 'background') this.#runningInBackground += by;
    for (const lane of lanes) lane.running += by;
    for (const share of this.#sharesOf(owner)) share.running += by;
  }

  #setAside(owner: string, by: 1 | -1): void {
    this.#asideCount += by;
    for (const share of this.#sharesOf(owner)) share.aside += by;
  }

  /**
   * Whoever sends one endless document after another has only one set aside, and a group leaves room for
   * others’.
   */
  #maySetAside(owner: string): boolean {
    const { maxAside = 0 } = this.#limits;
    const [group, own] = this.#sharesOf(owner);
    return own.aside === 0 && this.#asideCount < maxAside && group.aside < Math.max(1, maxAside - 1);
  }

  #forgetIdle(owner: string): void {
    const [group, own] = this.#sharesOf(owner);
    if (own.running + own.aside + own.waiting === 0) this.#owners.delete(owner);
    if (group.running + group.aside + group.waiting === 0) this.#groups.delete(groupOf(owner));
  }

  /** How many an owner has running, and when it was last served: the group's, then its own. */
  #rankOf(owner: string): number[] {
    return this.#sharesOf(owner).flatMap(({ running, served }) => [running, served]);
  }

  #chooseOwner(lines: ReadonlyMap<string, readonly Job[]>): Job | null {
    let chosen: Job | null = null;
    let best: number[] = [];
    for (const [owner, line] of lines) {
      if (!this.#mayRun(owner)) continue;
      const job = line.find(({ lanes }) => lanes.every(({ running, most }) => running < most));
      if (!job) continue;
      const rank = this.#rankOf(owner);
      if (chosen === null || isBefore(rank, best)) {
        chosen = job;
        best = rank;
      }
    }
    return chosen;
  }
}

function groupOf(owner: string): string {
  return owner.split('/', 1)[0]!;
}

/** The first number that differs decides; both have the same length. */
function isBefore(rank: readonly number[], other: readonly number[]): boolean {
  const place = rank.findIndex((value, index) => value !== other[index]);
  return place >= 0 && rank[place]! < other[place]!;
}
