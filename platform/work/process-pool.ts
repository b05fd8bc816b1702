/**
 * Processes for work on strangers' files: started when work comes, given one task at a time, killed and
 * replaced if a task takes too much or its caller gives up, and ended when idle. Tasks take turns in a fair
 * queue that pools share, and are paused if their slot is due to another. Memory is limited by the operating
 * system (RLIMIT_DATA), CPU time by us (work-limit.ts), so that whatever a picture or a PDF unpacks to costs
 * its own task and nothing else.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { invalidInput } from '../errors.ts';
import { canPause, endWithUs, limitData } from './bound-command.ts';
import { readTreeCpuMs } from './cpu-time.ts';
import type { FairQueue, Lane, Priority } from './fair-queue.ts';
import { memoryAllowance, thrifty } from './memory.ts';
import type { TaskAnswer } from './task.ts';
import { type CallsToOptimise, v8Flags } from './v8-flags.ts';
import {
  type LimitMet,
  type WorkClock,
  type WorkLimits,
  WorkLost,
  WorkStarved,
  watchWork,
} from './work-limit.ts';

export interface ProcessesOptions {
  /** Decides whose task is next; without limits on waiting jobs. Pools may share one. */
  queue: FairQueue;
  /** Private memory a process may reserve in addition to what it starts with, bytes; less on a small machine. */
  memoryLimitBytes: number;
  /** A process that has grown by this much since its start is replaced after its task. Default 0.25 GB. */
  recycleGrowthBytes?: number;
  /** Start a process for the next task while one takes long: starting one costs more than most tasks. */
  hasSpare?: boolean;
  /** Default: V8's own. */
  callsToOptimise?: CallsToOptimise;
}

export interface PoolLimits {
  /** Tasks in parallel, within the limit of the queue. */
  size: number;
  /** Limits of one task. */
  limits: WorkLimits;
}

export interface TaskOptions {
  /** Whose task it is, as written by `queueOwner`: networks take turns, then the accounts within one. */
  owner: string;
  signal?: AbortSignal;
  /** Prefers the free process that last had a task with this key: it may still have the file open. */
  key?: string;
  priority?: Priority;
  /** How many of the tasks that share it may run at once. */
  lane?: Lane;
  /** Called when its turn comes; if it throws, so does the task. */
  begin?: () => void;
}

/** A process starts in some 0.4 s of CPU time. */
const startLimits: WorkLimits = { cpuMs: 30_000 };
/** WebAssembly memory never shrinks. */
const defaultGrowthBytes = 250_000_000;
/** A task that takes longer than this has a spare process started. */
const spareAfterMs = 1_000;
/** An idle process is ended after this long, to free its memory. */
const idleMs = 60_000;
/** How often a task is tried that was starved, or whose process was lost through no fault of its own. */
const maxTries = 2;

/** How a try ended. `failed`: through no known fault of the task. */
type TryEnd =
  | { kind: 'done'; result: unknown }
  | { kind: 'refusal'; message: string }
  | { kind: 'fault'; message: string }
  | { kind: LimitMet }
  | { kind: 'memory' | 'failed'; detail: string };

interface Try {
  id: number;
  task: unknown;
  limits: WorkLimits;
  end: (end: TryEnd) => void;
}

interface Worker {
  child: ChildProcess;
  current: Try | null;
  key: string | undefined;
  /** Its program is loaded and its memory limited. */
  isReady: boolean;
  isPaused: boolean;
  tasksDone: number;
  clock?: WorkClock;
  spareTimer?: NodeJS.Timeout;
  idleTimer?: NodeJS.Timeout;
  lastWords: string;
}

/** Of all programs, with how each is ended; whoever worked last comes last. */
const living = new Map<Worker, () => void>();

/** Ends what has been idle longest, whatever its program, if there are as many as there is memory for. */
function makeRoom(): void {
  for (const [{ current }, end] of [...living]) {
    if (living.size < memoryAllowance().pageProcesses) return;
    if (current === null) end();
  }
}

export interface ProcessPool {
  /**
   * Runs one task when its turn comes and a process is free.
   * @throws ApiError INVALID_INPUT with the process's sentence; WorkLost; WorkStarved; the signal's reason.
   */
  run(task: unknown, options: TaskOptions): Promise<unknown>;
  /** Rejects running tasks. The last pool to close ends the processes. */
  close(): Promise<void>;
}

/** Processes of one program; its pools share those that they have started. */
export interface Processes {
  openPool(limits: PoolLimits): ProcessPool;
}

/** @param program what a process runs; it answers by `answerTasks` (answer-tasks.ts) */
export function createProcesses(program: string, options: ProcessesOptions): Processes {
  const { NODE_COMPILE_CACHE } = process.env;
  const { queue, memoryLimitBytes, callsToOptimise } = options;
  const { recycleGrowthBytes = defaultGrowthBytes, hasSpare = false } = options;
  const workers = new Set<Worker>();
  const memoryBytes = Math.min(memoryLimitBytes, memoryAllowance().pageBytes);
  let nextId = 1;
  let pools = 0;

  function startWorker(): Worker {
    makeRoom();
    const { command, args } = endWithUs([process.execPath, ...v8Flags(callsToOptimise), program]);
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      detached: true, // a separate process group, so that a kill includes its children
      env: {
        PATH: process.env.PATH ?? '',
        TMPDIR: process.env.TMPDIR ?? '/tmp',
        OMP_THREAD_LIMIT: '1',
        // glibc would keep freed memory apart for each thread
        MALLOC_ARENA_MAX: '2',
        // a large block goes back to the system when it is freed; glibc would keep it after the first such one
        MALLOC_MMAP_THRESHOLD_: '1048576',
        ...(memoryAllowance().isThrifty && { MALLOC_TRIM_THRESHOLD_: '131072', [thrifty]: '1' }),
        // Node's compile cache saves half of the cost of a start
        ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      },
    });
    const worker: Worker = {
      child,
      current: null,
      key: undefined,
      isReady: false,
      isPaused: false,
      tasksDone: 0,
      lastWords: '',
    };
    child.stderr?.on('data', (chunk: Buffer) => {
      worker.lastWords = (worker.lastWords + chunk.toString()).slice(-1000);
    });
    child.on('message', (message) => handleAnswer(worker, message as TaskAnswer));
    child.on('error', (error) => lose(worker, { kind: 'failed', detail: error.message }));
    child.on('exit', (code, signal) => {
      // a kill that is not ours came from a machine out of memory; a process at its own limit ends differently
      const kind = worker.isReady && signal !== 'SIGKILL' ? 'memory' : 'failed';
      lose(worker, { kind, detail: `${signal ?? code} ${worker.lastWords}`.trim() });
    });
    workers.add(worker);
    living.set(worker, () => stopWorker(worker));
    setReferenced(worker, false);
    return worker;
  }

  /** An idle process must not keep the program alive. */
  function setReferenced(worker: Worker, isReferenced: boolean): void {
    const stderr = worker.child.stderr as
      | (typeof worker.child.stderr & { ref?(): void; unref?(): void })
      | null;
    const change = isReferenced ? 'ref' : 'unref';
    worker.child[change]();
    worker.child.channel?.[change]();
    stderr?.[change]?.();
  }

  function signalWorker({ child }: Worker, signal: NodeJS.Signals): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      child.kill(signal); // ended already, or not yet a group
    }
  }

  function pauseWorker(worker: Worker, isPaused: boolean): void {
    worker.isPaused = isPaused;
    worker.clock?.pause(isPaused);
    signalWorker(worker, isPaused ? 'SIGSTOP' : 'SIGCONT');
  }

  function stopWorker(worker: Worker): void {
    clearTimeout(worker.idleTimer);
    clearTimeout(worker.spareTimer);
    worker.clock?.stop();
    workers.delete(worker);
    living.delete(worker);
    signalWorker(worker, 'SIGKILL');
  }

  function makeReady(worker: Worker): void {
    worker.isReady = true;
    if (worker.current) send(worker, worker.current);
  }

  function handleAnswer(worker: Worker, message: TaskAnswer): void {
    if (message.kind === 'ready')
      // what Node reserves while starting varies by hundreds of megabytes, so the limit is set once it has loaded
      limitData(worker.child, message.reservedBytes + memoryBytes).then(
        () => makeReady(worker),
        (error: Error) => lose(worker, { kind: 'failed', detail: error.message }),
      );
    else if (worker.current?.id !== message.id) return;
    else if (message.kind === 'exhausted') lose(worker, { kind: 'memory', detail: message.message });
    else endTask(worker, worker.current, message);
  }

  function endTask(
    worker: Worker,
    { end }: Try,
    message: Extract<TaskAnswer, { kind: 'done' | 'refusal' | 'fault' }>,
  ): void {
    worker.current = null;
    clearTimeout(worker.spareTimer);
    worker.clock?.stop();
    worker.tasksDone++;
    // it had answered just before it was paused
    if (worker.isPaused) pauseWorker(worker, false);
    if (message.kind === 'fault' || message.grownBytes > recycleGrowthBytes) stopWorker(worker);
    else rest(worker);
    end(message);
  }

  function lose(worker: Worker, end: TryEnd): void {
    const { current } = worker;
    worker.current = null;
    stopWorker(worker);
    current?.end(end);
  }

  function rest(worker: Worker): void {
    setReferenced(worker, false);
    const end = living.get(worker);
    if (end && living.delete(worker)) living.set(worker, end);
    worker.idleTimer = setTimeout(() => stopWorker(worker), idleMs);
    worker.idleTimer.unref();
  }

  function assign(worker: Worker, one: Try): void {
    clearTimeout(worker.idleTimer);
    setReferenced(worker, true);
    worker.current = one;
    if (worker.isReady) send(worker, one);
    else watch(worker, startLimits, () => lose(worker, { kind: 'failed', detail: 'it did not start' }));
  }

  function send(worker: Worker, one: Try): void {
    watch(worker, one.limits, (met) => lose(worker, { kind: met }));
    if (hasSpare) worker.spareTimer = setTimeout(startSpare, spareAfterMs).unref();
    worker.child.send({ id: one.id, task: one.task }, (error) => {
      if (error) lose(worker, { kind: 'failed', detail: error.message });
    });
  }

  function startSpare(): void {
    if (
      living.size < memoryAllowance().pageProcesses &&
      ![...workers].some(({ current }) => current === null)
    )
      rest(startWorker());
  }

  function watch(worker: Worker, to: WorkLimits, handleLimit: (met: LimitMet) => void): void {
    worker.clock?.stop();
    const { pid } = worker.child;
    worker.clock = watchWork(to, () => (pid === undefined ? null : readTreeCpuMs(pid)), handleLimit);
    // it was ready just before it was paused
    if (worker.isPaused) worker.clock.pause(true);
  }

  function takeWorker(key: string | undefined): Worker {
    const idle = [...workers].filter(({ current }) => current === null);
    return idle.find((worker) => worker.key === key) ?? idle[0] ?? startWorker();
  }

  /** One task in its slot of the queue, retried on a fresh process unless it is known to be at fault. */
  function createRun(task: unknown, key: string | undefined, limits: WorkLimits, signal: AbortSignal) {
    let worker: Worker | null = null;
    const attempt = () =>
      new Promise<{ end: TryEnd; tasksBefore: number }>((resolve, reject) => {
        const chosen = takeWorker(key);
        const tasksBefore = chosen.tasksDone;
        const handleAbort = () => {
          chosen.current = null;
          stopWorker(chosen);
          reject(signal.reason);
        };
        signal.addEventListener('abort', handleAbort, { once: true });
        worker = chosen;
        chosen.key = key;
        assign(chosen, {
          id: nextId++,
          task,
          limits,
          end: (end) => {
            signal.removeEventListener('abort', handleAbort);
            worker = null;
            resolve({ end, tasksBefore });
          },
        });
      });
    return {
      async perform(): Promise<unknown> {
        for (let tries = 1; ; tries++) {
          signal.throwIfAborted();
          const { end, tasksBefore } = await attempt();
          const isLast = tries >= maxTries;
          switch (end.kind) {
            case 'done':
              return end.result;
            case 'refusal':
              throw invalidInput(end.message);
            case 'fault':
              throw new Error(`a process of the pool: ${end.message}`);
            case 'spent':
              throw new WorkLost('spent', `more than ${limits.cpuMs} ms of CPU time`);
            case 'starved':
              if (isLast) throw new WorkStarved();
              break;
            case 'failed':
              if (isLast) throw new WorkStarved(new Error(`a process was lost: ${end.detail}`));
              break;
            case 'memory':
              // earlier tasks may have filled its memory: only a fresh process decides
              if (isLast || tasksBefore === 0) throw new WorkLost('memory', end.detail);
          }
        }
      },
      pause(isPaused: boolean): void {
        if (worker) pauseWorker(worker, isPaused);
      },
    };
  }

  function openPool({ size, limits }: PoolLimits): ProcessPool {
    const lane: Lane = { most: size, running: 0 };
    const closing = new AbortController();
    pools++;
    return {
      async run(task, { owner, signal: given, key, priority, lane: shared, begin }) {
        const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal;
        signal.throwIfAborted();
        const { perform, pause } = createRun(task, key, limits, signal);
        const work = async () => {
          begin?.();
          return await perform();
        };
        return await queue.take(owner, signal, work, {
          lanes: shared ? [lane, shared] : [lane],
          ...(priority ? { priority } : {}),
          ...(canPause ? { pause } : {}),
        });
      },
      async close() {
        if (closing.signal.aborted) return;
        closing.abort(new Error('the processes have been closed'));
        pools--;
        if (pools === 0) for (const worker of workers) stopWorker(worker);
      },
    };
  }

  return { openPool };
}
