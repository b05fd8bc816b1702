/** What a process of a pool (process-pool.ts) says to the server. */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { TaskAnswer, TaskMessage } from './task.ts';
import { Refusal } from './task.ts';

function answer(message: TaskAnswer): void {
  process.send?.(message);
}

/** Private memory reserved: what the limit counts. Elsewhere than on Linux, what is in use. */
function reservedBytes(): number {
  try {
    // statm counts in pages; the sixth number is data and stack
    return Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[5]) * 4096;
  } catch {
    return process.memoryUsage.rss();
  }
}

/** Answers tasks as they come, until the server is gone. */
export function answerTasks(run: (task: unknown) => Promise<unknown>): void {
  const bytesAtStart = reservedBytes();
  const grownBytes = (): number => reservedBytes() - bytesAtStart;
  process.on('disconnect', () => process.exit(0));
  process.on('message', async ({ id, task }: TaskMessage) => {
    try {
      const result = await run(task);
      answer({ id, kind: 'done', result, grownBytes: grownBytes() });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // WebAssembly decoders abort, V8 refuses an array: both mean that the limit was met
      const isExhausted = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
      if (error instanceof Refusal) answer({ id, kind: 'refusal', message, grownBytes: grownBytes() });
      else if (isExhausted) answer({ id, kind: 'exhausted', message });
      else
        answer({ id, kind: 'fault', message: error instanceof Error ? (error.stack ?? message) : message });
    }
  });
  answer({ kind: 'ready', reservedBytes: bytesAtStart });
  // Node would write what it compiled when it exits, and these processes are killed
  flushCompileCache();
}
