/** How V8 runs in the processes of a pool: they are many, short-lived and small. */
import { memoryAllowance } from './memory.ts';

/** Calls of a function before V8's quick compiler optimises it, and before its thorough one; its own: 400 and 3,000. */
export interface CallsToOptimise {
  quickly: number;
  thoroughly: number;
}

/** JavaScript's share of a process's memory. */
const heapMb = 512;
/** V8 keeps up to three times this for new objects; its own default is 32 MB. */
const semiSpaceMb = 4;
/** V8 starts with a few megabytes and collects everything each time it grows: up to a fifth of a short life. */
const initialHeapMb = 100;

export function v8Flags(callsToOptimise: CallsToOptimise | undefined): string[] {
  return [
    `--max-old-space-size=${heapMb}`,
    `--max-semi-space-size=${semiSpaceMb}`,
    // so little is collected at a time that waking other threads for it costs more than it saves
    '--no-parallel-scavenge',
    ...(memoryAllowance().isThrifty ? [] : [`--initial-old-space-size=${initialHeapMb}`]),
    ...(callsToOptimise
      ? [
          `--invocation-count-for-maglev=${callsToOptimise.quickly}`,
          `--invocation-count-for-turbofan=${callsToOptimise.thoroughly}`,
        ]
      : []),
    '--expose-gc', // answer-tasks.ts
    '--disable-warning=ExperimentalWarning',
  ];
}
