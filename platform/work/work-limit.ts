/**
 * The bound of every piece of work on what people send: how much CPU it may use, and behind that, generously, how long
 * it may take. Work that used its CPU was too much; work that was not given its CPU in time was starved by a loaded
 * machine, which says nothing of what was sent (docs/decisions/094-limits-in-cpu-time.md).
 */
import { ApiError } from '../errors.ts';

export interface WorkLimits {
  /** CPU time, in ms, of all its processes and threads together. */
  cpuMs: number;
  /** Elapsed time, in ms, pauses left out. Default: ten times the CPU time, and two minutes at least. */
  elapsedMs?: number;
}

/** `spent`: it used its CPU time. `starved`: its time was over before that. */
export type LimitMet = 'spent' | 'starved';

export interface WorkClock {
  /** Ends the watch. @returns the CPU time that was used, in ms, as far as it is known */
  stop(): number;
  /** The CPU time used so far, in ms, as far as it is known. */
  used(): number;
  /** While paused, no time counts as elapsed. */
  pause(isPaused: boolean): void;
}

/** How often the CPU time is looked at, at least and at most, in ms. */
const looks = { least: 20, most: 500 };
/** A process has helpers (collecting garbage, Tesseract beside it): it cannot use CPU much faster than this. */
const parallel = 2;

export function elapsedLimit({ cpuMs, elapsedMs }: WorkLimits): number {
  return elapsedMs ?? Math.max(120_000, cpuMs * 10);
}

/**
 * Watches work that has begun; what it used before does not count.
 * @param readCpuMs what it has used in all (cpu-time.ts); where that is null, elapsed time counts in its place
 * @param handleLimit told once, when it has met a limit
 */
export function watchWork(
  limits: WorkLimits,
  readCpuMs: () => number | null,
  handleLimit: (met: LimitMet) => void,
): WorkClock {
  const before = readCpuMs();
  const mostElapsedMs = elapsedLimit(limits);
  let elapsedMs = 0;
  let lastTick = performance.now();
  let used = 0;
  let isPaused = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const measure = () => {
    const now = performance.now();
    if (!isPaused) elapsedMs += now - lastTick;
    lastTick = now;
    const cpuMs = readCpuMs();
    // gone already: what was seen last stands
    if (cpuMs !== null) used = cpuMs - (before ?? 0);
    else if (before === null) used = elapsedMs;
  };
  const look = () => {
    measure();
    if (used >= limits.cpuMs) return handleLimit('spent');
    if (elapsedMs >= mostElapsedMs) return handleLimit('starved');
    schedule();
  };
  const schedule = () => {
    const left = Math.min((limits.cpuMs - used) / parallel, mostElapsedMs - elapsedMs);
    timer = setTimeout(look, Math.min(looks.most, Math.max(looks.least, left)));
  };
  schedule();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      measure();
      return used;
    },
    used() {
      if (!isStopped) measure();
      return used;
    },
    pause(shouldPause) {
      if (isStopped) return;
      measure();
      isPaused = shouldPause;
      clearTimeout(timer);
      if (!isPaused) schedule();
    },
  };
}

/** A piece of work was too much: it used its CPU time (`spent`), or it ran out of memory or crashed (`memory`). */
export class WorkLost extends Error {
  readonly reason: 'memory' | 'spent';
  constructor(reason: 'memory' | 'spent', detail: string) {
    super(`work was lost (${reason}): ${detail}`);
    this.name = 'WorkLost';
    this.reason = reason;
  }
}

/** What was sent is not to blame: the machine had no time for it. Whoever catches it may try again later. */
export class WorkStarved extends ApiError {
  constructor(cause?: unknown) {
    super('BUSY', {
      message: 'The server is very busy right now and could not finish this. Please try again in a minute.',
      retryAfterSeconds: 60,
      cause,
    });
    this.name = 'WorkStarved';
  }
}

/** A bound that several pieces of work share, one after the other or side by side: the passes of one compile. */
export class WorkBudget {
  readonly #limits: WorkLimits;
  readonly #begun = performance.now();
  readonly #running = new Set<WorkClock>();
  #usedMs = 0;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  /** CPU time that is left, in ms. */
  get leftMs(): number {
    return Math.max(0, this.#limits.cpuMs - this.#usedMs);
  }

  /** CPU time that was used, in ms, by what is still running too. */
  get usedMs(): number {
    return [...this.#running].reduce((sum, clock) => sum + clock.used(), this.#usedMs);
  }

  /** As `watchWork`, with what is left; what the work used counts once its clock is stopped. */
  watch(readCpuMs: () => number | null, handleLimit: (met: LimitMet) => void): WorkClock {
    const elapsedMs = Math.max(0, elapsedLimit(this.#limits) - (performance.now() - this.#begun));
    const clock = watchWork({ cpuMs: this.leftMs, elapsedMs }, readCpuMs, handleLimit);
    this.#running.add(clock);
    return {
      pause: clock.pause,
      used: clock.used,
      stop: () => {
        const used = clock.stop();
        if (this.#running.delete(clock)) this.#usedMs += used;
        return used;
      },
    };
  }
}
