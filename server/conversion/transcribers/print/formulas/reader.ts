/** The reader of printed formulas: in a process of its own, which holds the sign model while pages come. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProcessPool } from '../../../pages/page-pool.ts';
import type { FormulaTask, PrintedLines } from './formula-task.ts';
import type { ReadFormulas } from './read-formulas.ts';

export interface FormulaReader {
  /**
   * The lines with their formulas read. Null when that is not possible within its time and memory.
   * @throws the signal's reason
   */
  read(page: PrintedLines, signal: AbortSignal): Promise<ReadFormulas | null>;
  close(): Promise<void>;
}

export interface FormulaReaderOptions {
  /** Weights, with their `.json` beside them. Default: `models/print-signs.onnx` of this package. */
  model?: string;
  /** Time for one page, in ms. Default 60 000: a page dense with formulas takes some 2 s of one core. */
  pageTimeoutMs?: number;
  /** Told what went wrong with a page whose formulas could not be read. */
  onFailure?: (error: unknown) => void;
}

const ownModel = path.resolve(import.meta.dirname, '../../../../../models/print-signs.onnx');
const program = fileURLToPath(new URL('./formula-process.ts', import.meta.url));
const memoryLimitBytes = 1_200_000_000;

/** @returns null where no weights are: formulas are not read then */
export function openFormulaReader(options: FormulaReaderOptions = {}): FormulaReader | null {
  const { model = ownModel, pageTimeoutMs = 60_000, onFailure } = options;
  if (!existsSync(model)) return null;
  const processes = createProcessPool(program, { size: 1, taskTimeoutMs: pageTimeoutMs, memoryLimitBytes });
  return {
    async read(page, signal) {
      const task: FormulaTask = { model, ...page };
      try {
        return (await processes.run(task, signal)) as ReadFormulas;
      } catch (error) {
        signal.throwIfAborted();
        onFailure?.(error);
        return null;
      }
    },
    close: () => processes.close(),
  };
}
