/** The side of a pool's process (process-pool.ts) that answers the server. */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { TaskAnswer, TaskMessage } from './task.ts';
import { Refusal } from './task.ts';

function answer(message: TaskAnswer): void {
  process.send?.(message);
}

/** Private memory reserved, which the limit counts. On systems other than Linux, memory in use. */
function reservedBytes(): number {
  try {
    // statm counts in pages; the sixth number is data and stack
    return Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[5]) * 4096;
  } catch {
    return process.memoryUsage.rss();
  }
}

/** Without work for so long, a process collects its garbage, in ms: V8 keeps it while nothing new is allocated. */
const defaultRestMs = 500;

/**
 * Answers tasks as they come, until the server ends.
 * @param restMs a longer rest before garbage is collected, for programs whose compiled code it costs: V8 discards code
 * made for objects of which none is left
 * @param onRest lets go, before that, of what the next task can open again
 */
export function answerTasks(
  run: (task: unknown) => Promise<unknown>,
  restMs = defaultRestMs,
  onRest?: () => Promise<void>,
): void {
  const bytesAtStart = reservedBytes();
  const grownBytes = (): number => reservedBytes() - bytesAtStart;
  let rest: NodeJS.Timeout | undefined;
  process.on('disconnect', () => process.exit(0));
  process.on('message', async ({ id, task }: TaskMessage) => {
    clearTimeout(rest);
    try {
      const result = await run(task);
      answer({ id, kind: 'done', result, grownBytes: grownBytes() });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // a WebAssembly abort, or V8 refusing an array: both mean that the limit was reached
      const isExhausted = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
      if (error instanceof Refusal) answer({ id, kind: 'refusal', message, grownBytes: grownBytes() });
      else if (isExhausted) answer({ id, kind: 'exhausted', message });
      else
        answer({ id, kind: 'fault', message: error instanceof Error ? (error.stack ?? message) : message });
    }
    // an ordinary collection keeps the pages it has freed
    rest = setTimeout(async () => {
      await onRest?.();
      globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
    }, restMs).unref();
  });
  answer({ kind: 'ready', reservedBytes: bytesAtStart });
  // Node would write its compile cache on exit, but these processes are killed
  flushCompileCache();
}
