/** The reader of printed formulas: in a process of its own, which holds the sign model while pages come. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProcessPool } from '#platform/work/process-pool.ts';
import { type WorkLimits, WorkStarved } from '#platform/work/work-limit.ts';

import { localOwner, pageQueue } from '../../page-queue.ts';
import type { FormulaTask, PrintedLines } from './formula-task.ts';
import type { ReadFormulas } from './read-formulas.ts';

export interface FormulaReader {
  /**
   * The lines with their formulas read. Null when that is not possible within its time and memory.
   * @param owner whose turn it takes, as `queueOwner` writes it
   * @throws WorkStarved; the signal's reason
   */
  read(page: PrintedLines, signal: AbortSignal, owner?: string): Promise<ReadFormulas | null>;
  close(): Promise<void>;
}

export interface FormulaReaderOptions {
  /** Weights, with their `.json` beside them. Default: `reading/models/print-signs.onnx` of this package. */
  model?: string;
  /** Of one page. Default 60 s of CPU time: a page dense with formulas takes some 2 s of one core. */
  limits?: WorkLimits;
  /** Told what went wrong with a page whose formulas could not be read. */
  onFailure?: (error: unknown) => void;
}

const ownModel = path.resolve(import.meta.dirname, '../../models/print-signs.onnx');
const program = fileURLToPath(new URL('./formula-process.ts', import.meta.url));
const memoryLimitBytes = 1_200_000_000;

/** @returns null where no weights are: formulas are not read then */
export function openFormulaReader(options: FormulaReaderOptions = {}): FormulaReader | null {
  const { model = ownModel, limits = { cpuMs: 60_000 }, onFailure } = options;
  if (!existsSync(model)) return null;
  const processes = createProcessPool(program, { queue: pageQueue, size: 1, limits, memoryLimitBytes });
  return {
    async read(page, signal, owner = localOwner) {
      const task: FormulaTask = { model, ...page };
      try {
        return (await processes.run(task, { owner, signal })) as ReadFormulas;
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
