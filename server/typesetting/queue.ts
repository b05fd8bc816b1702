/** A bounded queue that is fair between owners: whoever has the least running goes next, then whoever waited longest. */

interface Waiting {
  run: () => Promise<void>;
  cancel: () => void;
}

export interface QueueLimits {
  concurrency: number;
  /** Most jobs one owner may have waiting. */
  maxWaitingPerOwner: number;
  /** Most jobs waiting in all. */
  maxWaiting: number;
}

/** What became of a place in the queue. */
export type Admission<T> =
  | { kind: 'ran'; value: T }
  | { kind: 'cancelled' }
  | { kind: 'full'; retryAfterSeconds: number };

export class FairQueue {
  readonly #limits: QueueLimits;
  /** In turn order: an owner who was served moves to the end. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  #runningCount = 0;
  #waitingCount = 0;
  /** Moving average of a job's duration, for Retry-After. */
  #meanMs = 1_000;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#runningCount;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** Runs `work` when its turn comes. Aborting `signal` while it waits gives its place up; while it runs is work's own affair. */
  run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<Admission<T>> {
    if (signal.aborted) return Promise.resolve({ kind: 'cancelled' });
    const line = this.#waiting.get(owner) ?? [];
    const isFree = this.#runningCount < this.#limits.concurrency;
    if (
      !isFree &&
      (line.length >= this.#limits.maxWaitingPerOwner || this.#waitingCount >= this.#limits.maxWaiting)
    )
      return Promise.resolve({ kind: 'full', retryAfterSeconds: this.#retryAfterSeconds() });
    return new Promise((resolve, reject) => {
      const handleAbort = () => {
        this.#drop(owner, item);
        item.cancel();
      };
      const item: Waiting = {
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
      line.push(item);
      this.#waiting.set(owner, line);
      this.#waitingCount++;
      this.#next();
    });
  }

  #retryAfterSeconds(): number {
    const seconds = (this.#meanMs * this.#waitingCount) / this.#limits.concurrency / 1_000;
    return Math.min(60, Math.max(1, Math.ceil(seconds)));
  }

  #drop(owner: string, item: Waiting): void {
    const line = this.#waiting.get(owner);
    const place = line?.indexOf(item) ?? -1;
    if (!line || place < 0) return;
    line.splice(place, 1);
    this.#waitingCount--;
    if (line.length === 0) this.#waiting.delete(owner);
  }

  #next(): void {
    while (this.#runningCount < this.#limits.concurrency && this.#waitingCount > 0) {
      let chosen: string | null = null;
      let least = Number.POSITIVE_INFINITY;
      for (const owner of this.#waiting.keys()) {
        const running = this.#running.get(owner) ?? 0;
        if (running < least) {
          least = running;
          chosen = owner;
        }
      }
      if (chosen === null) return;
      const owner = chosen;
      const line = this.#waiting.get(owner)!;
      const item = line[0]!;
      this.#drop(owner, item);
      if (line.length > 0) {
        this.#waiting.delete(owner);
        this.#waiting.set(owner, line);
      }
      this.#runningCount++;
      this.#running.set(owner, least + 1);
      const begun = performance.now();
      void item.run().finally(() => {
        this.#meanMs = this.#meanMs * 0.9 + (performance.now() - begun) * 0.1;
        this.#runningCount--;
        const left = this.#running.get(owner)! - 1;
        if (left > 0) this.#running.set(owner, left);
        else this.#running.delete(owner);
        this.#next();
      });
    }
  }
}
