/**
 * The fork-server strategy: engines that stay alive and resume from the last unchanged line
 * (docs/decisions/013-warm-engines.md). What they cannot do is compiled cold.
 */
import type { LogMessage } from '#shared/api/errors.ts';
import { createColdStrategy } from '../engines/cold.ts';
import { finishCutShort, finishJob, type JobPlace, judgePass } from '../engines/finish-job.ts';
import { looksAtClock } from '../engines/looks-at-clock.ts';
import { type AuxFiles, isSettled, maxPasses, readAuxFiles, toAuxState } from '../engines/passes.ts';
import type { Strategy, StrategyJob, StrategyResult } from '../engines/strategy.ts';
import type { EngineMetrics } from '../metrics.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import type { Watch } from '../sandbox/run-boxed.ts';
import { EnginePool } from './engine-pool.ts';
import { commonStart, findBody } from './inputs.ts';
import type { WarmEngine } from './warm-engine.ts';

export interface ForkServerOptions {
  /** Memory that warm engines together may use, in bytes. */
  memoryBudgetBytes: number;
  metrics?: EngineMetrics;
}

const noAux: AuxFiles = new Map();

export function createForkServerStrategy(
  sandbox: Sandbox,
  workFolder: string,
  options: ForkServerOptions,
): Strategy {
  const pool = new EnginePool({ sandbox, workFolder, ...options });
  const cold = createColdStrategy(sandbox, workFolder);
  return {
    name: 'fork-server',
    async compile(job, watch) {
      const source = Buffer.from(job.latex);
      // a conversion's proof takes only what is free; for somebody typing, another's idle engine may be ended
      const mayEvict = job.priority !== 'background';
      const isCold = job.engine === 'lualatex' || looksAtClock(job.latex, job.assets);
      const engine = isCold ? null : await pool.take(job.owner, job.engine, source, mayEvict);
      if (engine) {
        let result: StrategyResult | null = null;
        try {
          result = await compileWarm(engine, sandbox, job, source, watch, options.metrics);
        } finally {
          pool.giveBack(engine, result !== null, job.priority === 'background');
        }
        if (result) return result;
      }
      options.metrics?.began('cold');
      return cold.compile(job, watch);
    },
    async close() {
      await pool.close();
      await cold.close();
    },
  };
}

/** null if the engine could not continue, through no fault of the document. */
async function compileWarm(
  engine: WarmEngine,
  sandbox: Sandbox,
  job: StrategyJob,
  source: Buffer,
  watch: Watch,
  metrics: EngineMetrics | undefined,
): Promise<StrategyResult | null> {
  const { onProgress } = job;
  const showPages =
    onProgress &&
    ((pages: { pdf: Uint8Array; firstPage: number; lastPage: number }) =>
      onProgress({ kind: 'pages', ...pages }));
  let aux = keepsPreamble(engine.source, source) ? engine.aux : noAux;
  let isInherited = aux.size > 0;
  for (let passes = 1; ; passes++) {
    const end = await engine.runPass({ source, assets: job.assets, aux }, watch, showPages);
    if (end.kind === 'fault') return null;
    if (passes === 1) metrics?.began(end.isResumed ? 'resumed' : 'fresh');
    const { folder } = end;
    if (end.exit.kind === 'aborted') {
      engine.clear(folder, false);
      return { kind: 'cancelled' };
    }
    let isLastPass = false;
    // the PDF of a pass that will be shown, or is probably the last, is begun while its log is read
    const isShown = onProgress !== undefined || isInherited || passes > 1;
    const place: JobPlace = { sandbox, folder, id: null, watch };
    let driven: Promise<unknown> | null = null;
    if (engine.engine === 'xelatex') {
      const drive = (until: Watch) => {
        const exit = engine.drive(folder.path, until);
        driven = exit;
        return exit;
      };
      const early = isShown && end.exit.kind === 'exited' ? drive(watch) : null;
      place.drive = (until) => early ?? drive(until);
    }
    try {
      const [pass, after] = await Promise.all([
        judgePass(folder.path, end.exit, job, passes),
        readAuxFiles(folder.path, folder.inputs),
      ]);
      if (pass.kind === 'over') return pass.result;
      if (pass.kind === 'cut-short') return await finishCutShort(place, job.engine, pass.messages, passes);
      const finish = () => finishJob(place, job.engine, pass.messages, passes, after);
      if (pass.hasError) {
        if (isInherited && blamesAux(pass.messages, aux)) {
          // files from an earlier text are to blame, not this one: restart like a cold compile
          aux = noAux;
          isInherited = false;
          passes = 0;
          continue;
        }
        isLastPass = true;
        return await finish();
      }
      if (passes >= maxPasses || isSettled(toAuxState(aux), toAuxState(after))) {
        engine.aux = aux;
        isLastPass = true;
        return await finish();
      }
      if (onProgress) {
        const shown = await finish();
        if (shown.kind === 'compiled') {
          const { passes: _, left: __, ...rest } = shown;
          onProgress({ ...rest, kind: 'pass' });
        } else if (shown.kind !== 'failed') return shown;
      }
      aux = after;
    } finally {
      await driven;
      engine.clear(folder, isLastPass);
    }
  }
}

/** True if nothing before `\begin{document}` changed: then the last compile's auxiliary files may be reused. */
function keepsPreamble(before: Buffer | null, source: Buffer): boolean {
  if (!before) return false;
  const body = findBody(source);
  return body !== null && commonStart(before, source) >= body;
}

/** True if an error occurred in a file that an earlier pass had left. */
function blamesAux(messages: readonly LogMessage[], aux: AuxFiles): boolean {
  return messages.some(({ level, file }) => level === 'error' && file !== null && aux.has(file));
}
