/** The cold strategy: every job starts its engine from scratch, in a separate folder and box. */
import path from 'node:path';
import { createJobFolder } from '../sandbox/job-folder.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import { engineArgs, finishCutShort, finishJob, type JobPlace, judgePass, runInPlace } from './finish-job.ts';
import { isSettled, maxPasses, readAuxFiles, readAuxState, toAuxState } from './passes.ts';
import type { Strategy, StrategyJob, StrategyResult } from './strategy.ts';

export function createColdStrategy(sandbox: Sandbox, workFolder: string): Strategy {
  let count = 0;
  return {
    name: 'cold',
    async compile(job, watch) {
      const id = sandbox.takeId();
      try {
        const folder = await createJobFolder(
          path.join(workFolder, `job-${++count}`),
          id,
          job.latex,
          job.assets,
          job.before,
        );
        try {
          return await compileIn({ sandbox, folder, id, watch }, job);
        } finally {
          await folder.remove();
        }
      } finally {
        sandbox.giveBackId(id);
      }
    },
    close: async () => {},
  };
}

async function compileIn(place: JobPlace, job: StrategyJob): Promise<StrategyResult> {
  const { folder } = place;
  if (job.engine === 'lualatex') await place.sandbox.lendFonts(folder.path, place.id);
  let before = await readAuxState(folder.path, folder.inputs);
  for (let passes = 1; ; passes++) {
    const exit = await runInPlace(place, job.engine, engineArgs(job.engine));
    const pass = await judgePass(folder.path, exit, job, passes);
    if (pass.kind === 'over') return pass.result;
    if (pass.kind === 'cut-short') return finishCutShort(place, job.engine, pass.messages, passes);
    const left = await readAuxFiles(folder.path, folder.inputs);
    const after = toAuxState(left);
    if (pass.hasError || passes >= maxPasses || isSettled(before, after))
      return finishJob(place, job.engine, pass.messages, passes, left);
    before = after;
  }
}
