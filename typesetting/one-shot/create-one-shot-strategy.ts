/**
 * The one-shot strategy: an engine that has read the preamble waits for the rest of the document (waiting-engine.ts),
 * is used for one pass, and others are started in the background for the edits to come (engine-pool.ts). What a
 * settled compile left in auxiliary files lies ready for the next one, so that most edits take one pass.
 *
 * The result is the cold strategy's: documents that could tell the difference (split-document.ts) are compiled cold,
 * and a pass that ends with errors after it read kept auxiliary files is repeated without them.
 */
import path from 'node:path';
import type { Logger } from 'pino';
import type { LogMessage } from '#shared/api/errors.ts';
import { createColdStrategy } from '../engines/cold.ts';
import { engineArgs, finishJob, type JobPlace, judgePass, runInPlace } from '../engines/finish-job.ts';
import { type AuxFiles, isSettled, maxPasses, readAuxFiles, toAuxState } from '../engines/passes.ts';
import type { Strategy, StrategyJob, StrategyResult } from '../engines/strategy.ts';
import type { EngineMetrics } from '../metrics.ts';
import { createJobFolder, readJobFile } from '../sandbox/job-folder.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import type { BoxedExit, Watch } from '../sandbox/run-boxed.ts';
import { EnginePool, noAux, type Slot } from './engine-pool.ts';
import { type SplitDocument, splitDocument } from './split-document.ts';
import { writeAux } from './waiting-engine.ts';

export interface OneShotOptions {
  /** Budget of the engines that wait, in bytes. Default 1 GB. */
  memoryBytes?: number;
  /** How long an owner's engines wait for the next edit, in ms. Default 10 minutes. */
  idleMs?: number;
  metrics?: EngineMetrics;
  logger?: Logger;
  now?: () => number;
}

export interface OneShotStrategy extends Strategy {
  /** Resolves when every engine that is to wait does. */
  whenReady(): Promise<void>;
}

const defaultMemoryBytes = 1_000_000_000;
const defaultIdleMs = 10 * 60_000;
const maxListBytes = 2_000_000;

/** A place a pass runs in, from nothing or from a waiting engine. */
interface Pass {
  isWarm: boolean;
  place: JobPlace;
  run(): Promise<BoxedExit>;
}

interface Compile {
  job: StrategyJob;
  watch: Watch;
  slot: Slot;
  split: SplitDocument;
  passes: number;
  /** What has to be gone before the job is over. */
  releases: (() => Promise<void>)[];
}

export function createOneShotStrategy(
  sandbox: Sandbox,
  workFolder: string,
  options: OneShotOptions = {},
): OneShotStrategy {
  const { metrics, logger } = options;
  const pool = new EnginePool({
    sandbox,
    workFolder,
    memoryBytes: options.memoryBytes ?? defaultMemoryBytes,
    idleMs: options.idleMs ?? defaultIdleMs,
    metrics,
    logger,
    now: options.now ?? Date.now,
  });
  const cold = createColdStrategy(sandbox, workFolder);
  let count = 0;

  async function compile(job: StrategyJob, watch: Watch): Promise<StrategyResult> {
    // nobody edits a background job's document: what would wait would wait in vain
    const split = job.priority === 'background' ? null : splitDocument(job.latex, job.engine);
    if (!split) {
      metrics?.began('cold');
      return cold.compile(job, watch);
    }
    const { engine, assets } = job;
    const slot = pool.slot(job.owner, { engine, preamble: split.preamble, assets });
    const compile: Compile = { job, watch, slot, split, passes: 0, releases: [] };
    try {
      const carried = split.canKeepAux ? slot.aux : noAux;
      let first = await runPasses(compile, carried);
      if (first.kind === 'tainted') first = await runPasses(compile, noAux);
      if (first.kind === 'tainted') throw new Error('a compile without kept files cannot be tainted by them');
      return first.result;
    } finally {
      // in this order: an id is given back when nothing of it is left
      for (const release of compile.releases) await release();
      if (slot.isProven) pool.replenish(slot);
    }
  }

  /** Runs passes until they change nothing. `tainted`: there were errors, and they may come from files that were kept. */
  async function runPasses(
    compile: Compile,
    start: AuxFiles,
  ): Promise<{ kind: 'done'; result: StrategyResult } | { kind: 'tainted' }> {
    const { job, slot, split } = compile;
    const done = (result: StrategyResult) => ({ kind: 'done' as const, result });
    let shown: Promise<void> = Promise.resolve();
    let isOver = false;
    const showPass = async (place: JobPlace, messages: LogMessage[]) => {
      const result = await finishJob(place, job.engine, messages, compile.passes).catch(() => null);
      if (result?.kind !== 'compiled' || isOver) return;
      const { kind: _, passes: __, cited: ___, ...rest } = result;
      job.onProgress?.({ kind: 'pass', ...rest });
    };
    let before = start;
    let pass: Pass = (await takeWaiting(compile, start)) ?? (await startFresh(compile, start));
    metrics?.began(pass.isWarm ? 'fresh' : 'cold');
    try {
      for (let inARow = 1; ; inARow++) {
        const exit = await pass.run();
        const { place } = pass;
        const judged = await judgePass(place.folder.path, exit, job, ++compile.passes);
        if (judged.kind === 'over') return done(judged.result);
        slot.isProven = true;
        if (judged.hasError && start.size > 0) return { kind: 'tainted' };
        const finish = async () => done(await finishJob(place, job.engine, judged.messages, compile.passes));
        if (judged.hasError) return await finish();
        const after = await readAuxFiles(place.folder.path, place.folder.inputs);
        await learn(slot, place, before);
        const settled = isSettled(toAuxState(before), toAuxState(after));
        if (settled || inARow >= maxPasses) {
          const isWorthKeeping = settled && split.canKeepAux && toAuxState(after).size > 0;
          pool.keepAux(slot, isWorthKeeping ? after : noAux);
          return await finish();
        }
        await shown;
        if (job.onProgress) shown = showPass(place, judged.messages);
        const next = await takeWaiting(compile, after);
        if (next) pass = next;
        else {
          // the same folder again, as a cold compile does; the PDF of the pass has to be made first
          await shown;
          pass = { isWarm: false, place, run: () => runFresh(place, job) };
        }
        before = after;
      }
    } finally {
      isOver = true;
      await shown;
    }
  }

  async function takeWaiting(compile: Compile, aux: AuxFiles): Promise<Pass | null> {
    const { slot, job, split, watch } = compile;
    const engine = await pool.take(slot, aux);
    if (!engine) return null;
    compile.releases.push(() => pool.release(engine));
    const place: JobPlace = { sandbox, folder: engine.folder, id: engine.id, watch };
    return { isWarm: true, place, run: () => engine.finish(job.latex, split.rest, watch) };
  }

  async function startFresh({ job, watch, releases }: Compile, aux: AuxFiles): Promise<Pass> {
    const id = sandbox.takeId();
    releases.push(async () => sandbox.giveBackId(id));
    const folder = await createJobFolder(
      path.join(workFolder, `job-one-shot-${++count}`),
      id,
      job.latex,
      job.assets,
    );
    releases.unshift(() => folder.remove());
    await writeAux(folder.path, id, aux);
    const place: JobPlace = { sandbox, folder, id, watch };
    return { isWarm: false, place, run: () => runFresh(place, job) };
  }

  return {
    name: 'one-shot',
    compile,
    whenReady: () => pool.whenReady(),
    close: () => pool.close(),
  };
}

function runFresh(place: JobPlace, job: StrategyJob): Promise<BoxedExit> {
  return runInPlace(place, job.engine, ['-recorder', ...engineArgs(job.engine)]);
}

/** Remembers which of the files that lay in a pass's folder it read only after `\begin{document}`, or never. */
async function learn(slot: Slot, place: JobPlace, found: AuxFiles): Promise<void> {
  if (found.size === 0) return;
  const list = await readJobFile(place.folder.path, 'main.fls', maxListBytes);
  const lines = list?.toString('utf8').split('\n') ?? [];
  const begin = lines.findIndex((line) => /^(?:IN|OUT)PUT (?:\.\/)?main\.aux$/.test(line));
  const early = new Set(lines.slice(0, Math.max(0, begin)).map((line) => line.replace(/^\w+ (?:\.\/)?/, '')));
  slot.late = begin < 0 ? new Set() : new Set([...found.keys()].filter((name) => !early.has(name)));
}
