/**
 * Processes for work on pages: started when work comes, given one task at a time, killed and replaced when a task takes too long or
 * its caller gives up, gone when idle. Their memory is bounded by the operating system (RLIMIT_DATA), so that whatever
 * a picture or a PDF unpacks to costs its own page and nothing else.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { invalidInput } from '../../platform/errors.ts';
import type { PageTask, PageTaskAnswer, PageTaskResult } from './page-task.ts';

export interface PagePoolOptions {
  /** Processes side by side. */
  size: number;
  /** Longest time for one task, ms. A 12-megapixel HEIC photo needs about 5 s on a slow core. */
  taskTimeoutMs?: number;
  /**
   * Private memory a process may reserve beside what it starts with, bytes. A 50-megapixel photo needs some 0.4 GB, as
   * HEIC twice as much.
   */
  memoryLimitBytes?: number;
}

const defaultTaskTimeoutMs = 60_000;
/** A process is there within 0.4 s on an idle machine; this is for a very busy one. */
const startTimeoutMs = 60_000;
const defaultMemoryLimitBytes = 1_600_000_000;
/** WebAssembly memory never shrinks: a process that has grown by this since its start is replaced after its task. */
const recycleGrowthBytes = 250_000_000;
/** An idle process gives its memory back after this long. */
const idleMs = 60_000;
const prlimitPath = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));
const programPath = fileURLToPath(new URL('./page-process.ts', import.meta.url));

/** The process died or was stopped over this task: `memory` includes a crash of a decoder. */
export class PageProcessLost extends Error {
  readonly reason: 'memory' | 'time';
  constructor(reason: 'memory' | 'time', detail: string) {
    super(`a page process was lost (${reason}): ${detail}`);
    this.name = 'PageProcessLost';
    this.reason = reason;
  }
}

interface Job {
  id: number;
  task: unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  signal?: AbortSignal;
  onAbort: () => void;
  /** It was lost once with a process that earlier tasks may have filled; a fresh one has the last word. */
  isSecondTry: boolean;
}

interface Worker {
  child: ChildProcess;
  job: Job | null;
  /** Its program is loaded and its memory limited. */
  isReady: boolean;
  tasksDone: number;
  taskTimer?: NodeJS.Timeout;
  idleTimer?: NodeJS.Timeout;
  lastWords: string;
}

export interface ProcessPool {
  /**
   * Runs one task when a process is free.
   * @throws ApiError INVALID_INPUT with the process's sentence; PageProcessLost; the signal's reason.
   */
  run(task: unknown, signal?: AbortSignal): Promise<unknown>;
  /** Ends all processes; what is under way is rejected. */
  close(): Promise<void>;
}

export interface PagePool extends ProcessPool {
  run<T extends PageTask>(task: T, signal?: AbortSignal): Promise<PageTaskResult<T>>;
}

/** Processes that decode and prepare pages. */
export function createPagePool(options: PagePoolOptions): PagePool {
  return createProcessPool(programPath, options) as PagePool;
}

/** @param program what a process runs: it answers by `answerTasks` (answer-tasks.ts) */
export function createProcessPool(program: string, options: PagePoolOptions): ProcessPool {
  const { size, taskTimeoutMs = defaultTaskTimeoutMs, memoryLimitBytes = defaultMemoryLimitBytes } = options;
  const workers = new Set<Worker>();
  const waiting: Job[] = [];
  let nextId = 1;
  let isClosed = false;

  function startWorker(): Worker {
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=512', '--disable-warning=ExperimentalWarning', program],
      {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        serialization: 'advanced',
        detached: true, // a group of its own: a kill takes what it started along
        env: { PATH: process.env.PATH ?? '', TMPDIR: process.env.TMPDIR ?? '/tmp', OMP_THREAD_LIMIT: '1' },
      },
    );
    const worker: Worker = { child, job: null, isReady: false, tasksDone: 0, lastWords: '' };
    child.stderr?.on('data', (chunk: Buffer) => {
      worker.lastWords = (worker.lastWords + chunk.toString()).slice(-1000);
    });
    child.on('message', (message) => handleAnswer(worker, message as PageTaskAnswer));
    child.on('error', (error) => handleLoss(worker, error.message));
    child.on('exit', (code, signal) => handleLoss(worker, `${signal ?? code} ${worker.lastWords}`));
    workers.add(worker);
    setReferenced(worker, false);
    return worker;
  }

  /** An idle process must not keep the program alive. */
  function setReferenced(worker: Worker, isReferenced: boolean): void {
    const stderr = worker.child.stderr as
      | (typeof worker.child.stderr & { ref?(): void; unref?(): void })
      | null;
    if (isReferenced) {
      worker.child.ref();
      worker.child.channel?.ref();
      stderr?.ref?.();
    } else {
      worker.child.unref();
      worker.child.channel?.unref();
      stderr?.unref?.();
    }
  }

  function stopWorker(worker: Worker): void {
    clearTimeout(worker.idleTimer);
    clearTimeout(worker.taskTimer);
    workers.delete(worker);
    const { pid } = worker.child;
    if (pid === undefined || worker.child.exitCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      worker.child.kill('SIGKILL'); // gone already, or no group yet
    }
  }

  function takeJob(worker: Worker): Job | null {
    const { job } = worker;
    worker.job = null;
    clearTimeout(worker.taskTimer);
    if (job) job.signal?.removeEventListener('abort', job.onAbort);
    return job;
  }

  /** What Node reserves while it starts varies by hundreds of megabytes: the limit is set once it has loaded. */
  function limitMemory(worker: Worker, reservedBytes: number): void {
    const begin = () => {
      worker.isReady = true;
      if (worker.job) send(worker, worker.job);
    };
    if (!prlimitPath) {
      begin();
      return;
    }
    const limit = `--data=${reservedBytes + memoryLimitBytes}`;
    execFile(prlimitPath, ['--pid', String(worker.child.pid), limit, '--core=0'], (error) => {
      if (error) handleLoss(worker, error.message);
      else begin();
    });
  }

  function handleAnswer(worker: Worker, message: PageTaskAnswer): void {
    if (message.kind === 'ready') {
      limitMemory(worker, message.reservedBytes);
      return;
    }
    if (worker.job?.id !== message.id) return;
    if (message.kind === 'exhausted') {
      handleLoss(worker, message.message);
      return;
    }
    const job = takeJob(worker)!;
    worker.tasksDone++;
    if (message.kind === 'done') job.resolve(message.result);
    else if (message.kind === 'refusal') job.reject(invalidInput(message.message));
    else job.reject(new Error(`page process: ${message.message}`));
    if (message.kind === 'fault' || message.grownBytes > recycleGrowthBytes) stopWorker(worker);
    else rest(worker);
    startNext();
  }

  function handleLoss(worker: Worker, detail: string): void {
    const job = takeJob(worker);
    stopWorker(worker);
    if (job && worker.tasksDone > 0 && !job.isSecondTry) {
      job.isSecondTry = true;
      job.signal?.addEventListener('abort', job.onAbort, { once: true });
      waiting.unshift(job);
    } else job?.reject(new PageProcessLost('memory', detail.trim()));
    startNext();
  }

  function rest(worker: Worker): void {
    setReferenced(worker, false);
    worker.idleTimer = setTimeout(() => stopWorker(worker), idleMs);
    worker.idleTimer.unref();
  }

  function startNext(): void {
    while (waiting.length > 0 && !isClosed) {
      let worker = [...workers].find((candidate) => candidate.job === null);
      if (!worker) {
        if (workers.size >= size) return;
        worker = startWorker();
      }
      assign(worker, waiting.shift()!);
    }
  }

  function assign(worker: Worker, job: Job): void {
    clearTimeout(worker.idleTimer);
    setReferenced(worker, true);
    worker.job = job;
    if (worker.isReady) send(worker, job);
    else stopAfter(worker, job, startTimeoutMs);
  }

  function send(worker: Worker, job: Job): void {
    stopAfter(worker, job, taskTimeoutMs);
    worker.child.send({ id: job.id, task: job.task }, (error) => {
      if (error) handleLoss(worker, error.message);
    });
  }

  function stopAfter(worker: Worker, job: Job, timeoutMs: number): void {
    clearTimeout(worker.taskTimer);
    worker.taskTimer = setTimeout(() => {
      takeJob(worker);
      stopWorker(worker);
      job.reject(new PageProcessLost('time', `more than ${timeoutMs} ms`));
      startNext();
    }, timeoutMs);
  }

  return {
    run: (task, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('the page processes have been closed'));
        if (signal?.aborted) return reject(signal.reason);
        const job: Job = {
          id: nextId++,
          task,
          resolve,
          reject,
          signal,
          isSecondTry: false,
          onAbort: () => {
            const place = waiting.indexOf(job);
            if (place >= 0) waiting.splice(place, 1);
            for (const worker of workers)
              if (worker.job === job) {
                takeJob(worker);
                stopWorker(worker);
              }
            reject(signal?.reason);
            startNext();
          },
        };
        signal?.addEventListener('abort', job.onAbort, { once: true });
        waiting.push(job);
        startNext();
      }),
    async close() {
      isClosed = true;
      const closing = new Error('the page processes have been closed');
      for (const job of waiting.splice(0)) job.reject(closing);
      for (const worker of [...workers]) {
        takeJob(worker)?.reject(closing);
        stopWorker(worker);
      }
    },
  };
}
