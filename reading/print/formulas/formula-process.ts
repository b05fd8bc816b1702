/** The program of a formula process: holds the sign model, and reads the formulas of printed pages one after the other. */
import { answerTasks } from '#platform/work/answer-tasks.ts';
import type { FormulaTask } from './formula-task.ts';
import { readFormulas } from './read-formulas.ts';
import { openSignModel, type SignModel } from './sign-model.ts';

let opened: Promise<SignModel> | null = null;

answerTasks(async (task) => {
  const { model, grey, page, lines, taken } = task as FormulaTask;
  opened ??= openSignModel(model);
  return await readFormulas(grey, page, lines, taken, await opened);
});
