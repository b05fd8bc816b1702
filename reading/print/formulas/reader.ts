/** The reader of printed formulas. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModelProcess, type ModelProcessOptions, openModelProcess } from '../../model-process.ts';
import type { PrintedLines } from './formula-task.ts';
import type { PrintLook, PrintSigns } from './look-printed.ts';
import type { ReadFormulas } from './read-formulas.ts';

export interface FormulaReader {
  /** Returns the lines with their formulas read. Null results and exceptions are those of a `ModelProcess`. */
  read: ModelProcess<PrintedLines, ReadFormulas>['read'];
  /** The evidence that the content of each box is print. */
  look: ModelProcess<PrintLook, PrintSigns[]>['read'];
  close(): Promise<void>;
}

const model = path.resolve(import.meta.dirname, '../../models/print-signs.onnx');
const program = fileURLToPath(new URL('./formula-process.ts', import.meta.url));

/** @returns null without weights: formulas are then not read */
export function openFormulaReader(options: ModelProcessOptions = {}): FormulaReader | null {
  const process = openModelProcess(program, model, options);
  return (
    process && ({ read: process.read, look: process.read, close: process.close } as FormulaReader | null)
  );
}
