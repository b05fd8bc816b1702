/**
 * Runs one of our own models in a separate process, which keeps the model from the first page that needs it until a
 * minute after the last. A process, because a thread cannot be ended in the middle of the model's work without ending
 * the server.
 */
import { existsSync } from 'node:fs';
import { createProcesses } from '#platform/work/process-pool.ts';
import { type WorkLimits, WorkStarved } from '#platform/work/work-limit.ts';
import { localOwner, pageQueue } from './page-queue.ts';

export interface ModelProcessOptions {
  /** Weights, with their `.json` file next to them. Default: this package's, under `reading/models/`. */
  model?: string;
  /** Per page. Default 60 s of CPU time: a page of 40 lines, or dense with formulas, takes 2 to 4 s of one core. */
  limits?: WorkLimits;
  /** Called with the reason when a page could not be read. */
  onFailure?: (error: unknown) => void;
}

export interface ModelProcess<Task, Result> {
  /**
   * Returns null if the page cannot be read within its time and memory.
   * @param owner in the queue, as returned by `queueOwner`
   * @throws WorkStarved; the signal's reason
   */
  read(task: Task, signal: AbortSignal, owner?: string): Promise<Result | null>;
  close(): Promise<void>;
}

/** The model, the dictionary and one page reserve 220 to 340 MB. */
const memoryLimitBytes = 1_200_000_000;
/** Above that: a new process would load them again, at the cost of a second of CPU time. */
const recycleGrowthBytes = 400_000_000;

/**
 * @param program what the process runs; each task includes the path of the weights
 * @returns null if there are no weights: nothing is read then
 */
export function openModelProcess<Task extends object, Result>(
  program: string,
  ownModel: string,
  { model = ownModel, limits = { cpuMs: 60_000 }, onFailure }: ModelProcessOptions,
): ModelProcess<Task, Result> | null {
  if (!existsSync(model)) return null;
  const processes = createProcesses(program, {
    queue: pageQueue(),
    memoryLimitBytes,
    recycleGrowthBytes,
  }).openPool({
    size: 1,
    limits,
  });
  return {
    async read(task, signal, owner = localOwner) {
      try {
        return (await processes.run({ model, ...task }, { owner, signal })) as Result;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof WorkStarved) throw error;
        onFailure?.(error);
        return null;
      }
    },
    close: () => processes.close(),
  };
}
