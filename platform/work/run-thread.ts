/**
 * One task in its own thread, which ends with it: its CPU time and memory are limited, and the caller's thread
 * stays free. For code that runs nothing and opens no file: hostile input can then only cost time and memory.
 * Native decoders need a process (process-pool.ts), because such a thread cannot be ended.
 */
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { readThreadCpuMs } from './cpu-time.ts';
import { type WorkLimits, WorkLost, WorkStarved, watchWork } from './work-limit.ts';

export interface ThreadOptions {
  limits: WorkLimits;
  /** Limit of the thread's JavaScript memory, MB. */
  memoryMb: number;
  signal?: AbortSignal;
}

let count = 0;

/**
 * @param program gets the task as `workerData`, and posts one message
 * @returns that message
 * @throws WorkLost; WorkStarved; the signal's reason; what the thread throws
 */
export async function runThread<Answer>(
  program: URL,
  task: unknown,
  { limits, memoryMb, signal }: ThreadOptions,
): Promise<Answer> {
  signal?.throwIfAborted();
  const { NODE_COMPILE_CACHE } = process.env;
  const name = `bounded-${++count}`;
  const thread = new Worker(program, {
    name,
    workerData: task,
    // no setting reaches it; Node's compile cache saves half of the cost of a start
    env: { ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const clock = watchWork(
    limits,
    () => readThreadCpuMs(name),
    (met) =>
      reject(met === 'spent' ? new WorkLost('spent', `more than ${limits.cpuMs} ms`) : new WorkStarved()),
  );
  const giveUp = () => reject(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  thread.once('message', resolve);
  thread.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new WorkLost('memory', error.message) : error),
  );
  thread.once('exit', () => reject(new Error('a thread ended without an answer')));
  try {
    return await promise;
  } finally {
    clock.stop();
    signal?.removeEventListener('abort', giveUp);
    await thread.terminate();
  }
}
