/** The program of a formula process: loads the sign model, and reads printed pages one after the other. */
import { answerTasks } from '#platform/work/answer-tasks.ts';
import type { FormulaTask } from './formula-task.ts';
import { lookPrinted } from './look-printed.ts';
import { readFormulas } from './read-formulas.ts';
import { openSignModel, type SignModel } from './signs/sign-model.ts';

let opened: Promise<SignModel> | null = null;

answerTasks(async (task) => {
  const request = task as FormulaTask;
  opened ??= openSignModel(request.model);
  if ('boxes' in request) return await lookPrinted(request, await opened);
  return await readFormulas(request, await opened);
});
