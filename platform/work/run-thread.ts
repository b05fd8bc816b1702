/**
 * One task in a thread of its own that ends with it: a bound on its CPU time and its memory, and the caller's own thread
 * stays free. For code that runs nothing and opens no file: what it reads may be hostile, and can take time and memory only.
 * Who decodes with native code needs a process (process-pool.ts): such a thread cannot be ended.
 */
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { readThreadCpuMs } from './cpu-time.ts';
import { type WorkLimits, WorkLost, WorkStarved, watchWork } from './work-limit.ts';

export interface ThreadOptions {
  limits: WorkLimits;
  /** Most JavaScript memory of the thread, MB. */
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
    // no setting reaches it; what Node has compiled once is half of what a start costs
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
