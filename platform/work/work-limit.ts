/**
 * The limit on every piece of work on people's files: how much CPU it may use and, much more generously, how
 * long it may take. Work that used up its CPU time was too much; work that did not get its CPU time was starved
 * by a loaded machine, which says nothing about the input (docs/decisions/094-limits-in-cpu-time.md).
 */
import { ApiError } from '../errors.ts';

export interface WorkLimits {
  /** CPU time, in ms, of all its processes and threads together. */
  cpuMs: number;
  /** Elapsed time, in ms, without pauses. Default: ten times the CPU time, and at least two minutes. */
  elapsedMs?: number;
}

/** `spent`: it used its CPU time. `starved`: its elapsed time ran out before that. */
export type LimitMet = 'spent' | 'starved';

export interface WorkClock {
  /** Stops watching. @returns the CPU time used, in ms, as far as known */
  stop(): number;
  /** The CPU time used so far, in ms, as far as known. */
  used(): number;
  /** While paused, no time counts as elapsed. */
  pause(isPaused: boolean): void;
}

/** The shortest and longest interval between checks of the CPU time, in ms. */
const looks = { least: 20, most: 500 };
/** A process has helpers (garbage collection, a Tesseract process): it cannot use CPU much faster than this. */
const parallel = 2;

export function elapsedLimit({ cpuMs, elapsedMs }: WorkLimits): number {
  return elapsedMs ?? Math.max(120_000, cpuMs * 10);
}

/**
 * Watches work in progress; what it used before does not count.
 * @param readCpuMs its total use so far (cpu-time.ts); if null, elapsed time counts instead
 * @param handleLimit called once, when a limit is reached
 */
export function watchWork(
  limits: WorkLimits,
  readCpuMs: () => number | null,
  handleLimit: (met: LimitMet) => void,
): WorkClock {
  const before = readCpuMs();
  const maxElapsedMs = elapsedLimit(limits);
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
    // ended already: the last value stays
    if (cpuMs !== null) used = cpuMs - (before ?? 0);
    else if (before === null) used = elapsedMs;
  };
  const look = () => {
    measure();
    if (used >= limits.cpuMs) return handleLimit('spent');
    if (elapsedMs >= maxElapsedMs) return handleLimit('starved');
    schedule();
  };
  const schedule = () => {
    const left = Math.min((limits.cpuMs - used) / parallel, maxElapsedMs - elapsedMs);
    // with nothing left it ends before an answer can arrive
    timer = setTimeout(look, left <= 0 ? 0 : Math.min(looks.most, Math.max(looks.least, left)));
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

/** The work was too much: it used up its CPU time (`spent`), or ran out of memory or crashed (`memory`). */
export class WorkLost extends Error {
  readonly reason: 'memory' | 'spent';
  constructor(reason: 'memory' | 'spent', detail: string) {
    super(`work was lost (${reason}): ${detail}`);
    this.name = 'WorkLost';
    this.reason = reason;
  }
}

/** The input is not to blame: the machine had no time for it. Whoever catches it may retry later. */
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

/** A limit shared by several pieces of work, one after the other or in parallel: the passes of one compile. */
export class WorkBudget {
  readonly #limits: WorkLimits;
  readonly #begun = performance.now();
  readonly #running = new Set<WorkClock>();
  #usedMs = 0;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  /** CPU time left, in ms. */
  get leftMs(): number {
    return Math.max(0, this.#limits.cpuMs - this.#usedMs);
  }

  /** CPU time used, in ms, including work that is still running. */
  get usedMs(): number {
    return [...this.#running].reduce((sum, clock) => sum + clock.used(), this.#usedMs);
  }

  /** As `watchWork`, with what is left; the work's use counts once its clock is stopped. */
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
