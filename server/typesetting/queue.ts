/**
 * A bounded queue, fair between groups, and within a group between its owners: whoever has the least running goes
 * next, then whoever was served longest ago. An owner is written `group/name`; one without a slash is a group alone.
 *
 * Jobs that nobody looks at (`background`) let the others pass, but every few turns one of them goes. They never run
 * in every place at once, so that who comes then need not wait for the end of a long one. Nor do those of one group,
 * where there are several places: endless documents of one network would keep everybody else waiting. And what runs long
 * steps aside, one job of an owner at a time: it goes on, but its place is free for the next.
 */

export type Priority = 'interactive' | 'background';

/** Turns that interactive jobs take in a row while a background one waits. */
const interactiveTurns = 3;

interface Waiting {
  priority: Priority;
  run: () => Promise<void>;
  cancel: () => void;
}

export interface QueueLimits {
  concurrency: number;
  /** Most jobs of one group that run side by side. Default: all. */
  maxRunningPerGroup?: number;
  /** Jobs that may have stepped aside at the same time, beside `concurrency`. Default: none. */
  maxAside?: number;
  /** How long a job runs before it steps aside, in ms. */
  asideAfterMs?: number;
  /** Most jobs one owner may have waiting. */
  maxWaitingPerOwner: number;
  /** Most jobs all owners of one group may have waiting. */
  maxWaitingPerGroup: number;
  /** Most jobs waiting in all. */
  maxWaiting: number;
}

/** What became of a place in the queue. */
export type Admission<T> =
  | { kind: 'ran'; value: T }
  | { kind: 'cancelled' }
  /** `isOwnShare`: there is room, but not for this owner or its group. */
  | { kind: 'full'; isOwnShare: boolean; retryAfterSeconds: number };

/** What is known of an owner or of a group; kept while it has anything here. */
interface Share {
  waiting: number;
  /** In a place of the queue's. */
  running: number;
  /** Running too, but stepped aside. */
  aside: number;
  /** When it was last served, in turns; 0 for not yet. */
  served: number;
}

export class FairQueue {
  readonly #limits: QueueLimits;
  /** Who waits, by priority and owner. */
  readonly #lines: Record<Priority, Map<string, Waiting[]>> = {
    interactive: new Map(),
    background: new Map(),
  };
  readonly #owners = new Map<string, Share>();
  readonly #groups = new Map<string, Share>();
  #turn = 0;
  #runningCount = 0;
  #runningInBackground = 0;
  #asideCount = 0;
  /** Turns that interactive jobs took since a background one. */
  #passed = 0;
  #waitingCount = 0;
  /** Moving average of a job's duration, for Retry-After. */
  #meanMs = 1_000;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** All that run, those that stepped aside among them. */
  get running(): number {
    return this.#runningCount + this.#asideCount;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** Runs `work` when its turn comes. Aborting `signal` while it waits gives its place up; while it runs is work's own affair. */
  run<T>(
    owner: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    priority: Priority = 'interactive',
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
        this.#drop(owner, item);
        this.#forgetIdle(owner);
        item.cancel();
      };
      const item: Waiting = {
        priority,
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
      const lines = this.#lines[priority];
      const line = lines.get(owner) ?? [];
      line.push(item);
      lines.set(owner, line);
      this.#waitingCount++;
      for (const share of this.#sharesOf(owner)) share.waiting++;
      this.#next();
    });
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

  #drop(owner: string, item: Waiting): void {
    const lines = this.#lines[item.priority];
    const line = lines.get(owner);
    const place = line?.indexOf(item) ?? -1;
    if (!line || place < 0) return;
    line.splice(place, 1);
    this.#waitingCount--;
    for (const share of this.#sharesOf(owner)) share.waiting--;
    if (line.length === 0) lines.delete(owner);
  }

  #hasPlaceFor(priority: Priority): boolean {
    const { concurrency } = this.#limits;
    if (this.#runningCount >= concurrency) return false;
    return priority === 'interactive' || this.#runningInBackground < Math.max(1, concurrency - 1);
  }

  /** Whether the owner's group leaves a place to others if it has one more running. */
  #mayRun(owner: string): boolean {
    const running = this.#groups.get(groupOf(owner))?.running ?? 0;
    return running < (this.#limits.maxRunningPerGroup ?? this.#limits.concurrency);
  }

  #next(): void {
    for (;;) {
      const next = this.#choose();
      if (!next) return;
      const { priority, owner } = next;
      const item = this.#lines[priority].get(owner)![0]!;
      this.#drop(owner, item);
      this.#begin(owner, item);
    }
  }

  /** Whose turn it is among those who wait and have a place; null when it is nobody's. */
  #choose(): { priority: Priority; owner: string } | null {
    const first = (priority: Priority) => {
      const owner = this.#hasPlaceFor(priority) ? this.#chooseOwner(this.#lines[priority]) : null;
      return owner === null ? null : { priority, owner };
    };
    const interactive = first('interactive');
    const background = first('background');
    return interactive && (!background || this.#passed < interactiveTurns) ? interactive : background;
  }

  #begin(owner: string, item: Waiting): void {
    const isBackground = item.priority === 'background';
    this.#passed = isBackground || this.#lines.background.size === 0 ? 0 : this.#passed + 1;
    this.#turn++;
    this.#occupy(owner, isBackground, 1);
    for (const share of this.#sharesOf(owner)) share.served = this.#turn;
    const begun = performance.now();
    const { asideAfterMs = 0, maxAside = 0 } = this.#limits;
    let isAside = false;
    const stepAside = () => {
      if (!this.#mayStepAside(owner)) return;
      clearInterval(patience);
      isAside = true;
      this.#occupy(owner, isBackground, -1);
      this.#standAside(owner, 1);
      this.#next();
    };
    const patience = maxAside > 0 ? setInterval(stepAside, asideAfterMs) : undefined;
    void item.run().finally(() => {
      clearInterval(patience);
      this.#meanMs = this.#meanMs * 0.9 + (performance.now() - begun) * 0.1;
      if (isAside) this.#standAside(owner, -1);
      else this.#occupy(owner, isBackground, -1);
      this.#next();
      // forgotten only now: whoever just ran goes behind those who did not
      this.#forgetIdle(owner);
    });
  }

  /** One place more or less taken. */
  #occupy(owner: string, isBackground: boolean, by: 1 | -1): void {
    this.#runningCount += by;
    if (isBackground) this.#runningInBackground += by;
    for (const share of this.#sharesOf(owner)) share.running += by;
  }

  #standAside(owner: string, by: 1 | -1): void {
    this.#asideCount += by;
    for (const share of this.#sharesOf(owner)) share.aside += by;
  }

  /** Whoever sends one endless document after another has one aside, and a group leaves room for others’. */
  #mayStepAside(owner: string): boolean {
    const { maxAside = 0 } = this.#limits;
    const [group, own] = this.#sharesOf(owner);
    return own.aside === 0 && this.#asideCount < maxAside && group.aside < Math.max(1, maxAside - 1);
  }

  #forgetIdle(owner: string): void {
    const [group, own] = this.#sharesOf(owner);
    if (own.running + own.aside + own.waiting === 0) this.#owners.delete(owner);
    if (group.running + group.aside + group.waiting === 0) this.#groups.delete(groupOf(owner));
  }

  #chooseOwner(lines: ReadonlyMap<string, unknown>): string | null {
    let chosen: string | null = null;
    let best: number[] = [];
    for (const owner of lines.keys()) {
      if (!this.#mayRun(owner)) continue;
      const rank = this.#sharesOf(owner).flatMap(({ running, served }) => [running, served]);
      if (chosen === null || isBefore(rank, best)) {
        chosen = owner;
        best = rank;
      }
    }
    return chosen;
  }
}

function groupOf(owner: string): string {
  return owner.split('/', 1)[0]!;
}

/** The first number in which they differ decides; both are of the same length. */
function isBefore(rank: readonly number[], other: readonly number[]): boolean {
  const place = rank.findIndex((value, index) => value !== other[index]);
  return place >= 0 && rank[place]! < other[place]!;
}
