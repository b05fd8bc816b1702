/** The reader of printed formulas. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModelProcess, type ModelProcessOptions, openModelProcess } from '../../model-process.ts';
import type { PrintedLines } from './formula-task.ts';
import type { ReadFormulas } from './read-formulas.ts';

/** Lines to the same lines with their formulas read. */
export type FormulaReader = ModelProcess<PrintedLines, ReadFormulas>;

const model = path.resolve(import.meta.dirname, '../../models/print-signs.onnx');
const program = fileURLToPath(new URL('./formula-process.ts', import.meta.url));

/** @returns null where no weights are: formulas are not read then */
export const openFormulaReader = (options: ModelProcessOptions = {}): FormulaReader | null =>
  openModelProcess(program, model, options);
