/** A bounded queue, fair between owners: whoever has the least running goes next, then whoever was served longest ago. */

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
  readonly #waiting = new Map<string, Waiting[]>();
  /** When each owner was last served, in turns; kept while the owner has anything here. */
  readonly #served = new Map<string, number>();
  #turn = 0;
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
      const owner = this.#chooseOwner();
      const line = this.#waiting.get(owner)!;
      const item = line[0]!;
      this.#drop(owner, item);
      this.#served.set(owner, ++this.#turn);
      this.#runningCount++;
      this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
      const begun = performance.now();
      void item.run().finally(() => {
        this.#meanMs = this.#meanMs * 0.9 + (performance.now() - begun) * 0.1;
        this.#runningCount--;
        const left = this.#running.get(owner)! - 1;
        if (left > 0) this.#running.set(owner, left);
        else this.#running.delete(owner);
        this.#next();
        // forgotten only now: whoever just ran goes behind those who did not
        if (!this.#running.has(owner) && !this.#waiting.has(owner)) this.#served.delete(owner);
      });
    }
  }

  #chooseOwner(): string {
    let chosen = '';
    let best = [Number.POSITIVE_INFINITY, 0];
    for (const owner of this.#waiting.keys()) {
      const rank = [this.#running.get(owner) ?? 0, this.#served.get(owner) ?? 0];
      if (rank[0]! < best[0]! || (rank[0] === best[0] && rank[1]! < best[1]!)) {
        chosen = owner;
        best = rank;
      }
    }
    return chosen;
  }
}
