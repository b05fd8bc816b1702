/** Assembles the typesetter: sandbox chosen at boot, cache and fair queue in front, a strategy behind. */
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { FairQueue } from '#platform/work/fair-queue.ts';
import { memoryAllowance } from '#platform/work/memory.ts';
import { WorkBudget } from '#platform/work/work-limit.ts';
import { compilationTimeoutTexts } from '#shared/api/errors.ts';
import { chooseEngine, type EngineChoice } from './engines/engine.ts';
import { ResultCache, type StartCompile } from './engines/result-cache.ts';
import type { StrategyName, StrategyResult } from './engines/strategy.ts';
import { tolerate } from './engines/tolerate.ts';
import { withHelpers } from './helpers/with-helpers.ts';
import { createCompileMetrics } from './metrics.ts';
import { countStaying, defaultStrategies, openStrategy } from './open-strategy.ts';
import { openWorkFolder } from './sandbox/job-folder.ts';
import { openSandbox } from './sandbox/open-sandbox.ts';
import { removeTree } from './sandbox/remove-tree.ts';
import type { SandboxKind } from './sandbox/sandbox.ts';
import type { CompileJob, CompileResult, Typesetter } from './typesetter.ts';

export interface TypesetterOptions {
  /**
   * Compiles in parallel. Default: half the cores, at least two: one long document must not keep
   * everybody waiting. Fewer if memory is too small for them.
   */
  concurrency?: number;
  logger?: Logger;
  /** Where compile metrics are registered. */
  metrics?: Registry;
  /** Folder for job folders; created if missing. Every folder above it must be traversable for the jobs' user ids. */
  workDir: string;
  /** Which sandboxes to try, in order. Default: every one this user could use. An empty list refuses everything. */
  sandbox?: readonly SandboxKind[];
  /** Which ways of compiling to try, in order: the first that works here is used. Default: all, the fastest first. */
  strategies?: readonly StrategyName[];
}

const defaultCpuMs = 30_000;
/** One owner's share of the queue: an editor has one compile at a time, a conversion a few. */
const maxWaitingPerOwner = 16;
/** All callers of one network: a class of about thirty compiling together, one or two documents each. */
const maxWaitingPerGroup = 64;
const maxWaiting = 256;
/** Longer than nearly every compile that a person waits for, far shorter than the limit of 30 s. */
const asideAfterMs = 4_000;
/** Some hundreds of ordinary documents: a PDF and its SyncTeX file are about 100 kB. */
const maxCachedBytes = 64_000_000;
/** When to retry what a loaded machine had no time for, in seconds. */
const starvedRetrySeconds = 30;

/** Opens the typesetter; if no sandbox works it still opens, and refuses every job with the sentence in `refusal`. */
export async function createTypesetter(options: TypesetterOptions): Promise<Typesetter> {
  const { logger } = options;
  const wanted = Math.min(
    options.concurrency ?? Math.max(2, Math.floor(availableParallelism() / 2)),
    memoryAllowance().compiles,
  );
  const workFolder = await openWorkFolder(options.workDir);
  const removeWorkFolder = () => removeTree(workFolder);
  const names = options.strategies ?? defaultStrategies;
  const opened = await openSandbox({
    kinds: options.sandbox,
    workFolder,
    concurrency: wanted * 2,
    staying: countStaying(names),
  });
  if (opened.kind === 'none') {
    logger?.error({ refusal: opened.refusal }, 'compiling is refused');
    await removeWorkFolder();
    const result: CompileResult = { kind: 'refused', reason: opened.refusal };
    return { refusal: opened.refusal, compile: async () => result, close: async () => {} };
  }
  const { sandbox } = opened;
  const concurrency = Math.min(wanted, sandbox.capacity);
  // as many again may have given up their turn: with one endless document per slot, people can still compile
  const maxAside = Math.min(concurrency, sandbox.capacity - concurrency);
  const queue = new FairQueue({
    concurrency,
    maxRunningPerGroup: Math.max(1, concurrency - 1),
    maxAside,
    asideAfterMs,
    maxWaitingPerOwner,
    maxWaitingPerGroup,
    maxWaiting,
  });
  const metrics = createCompileMetrics(options.metrics, queue);
  const strategy = withHelpers(
    openStrategy({ sandbox, workFolder, names, metrics: metrics.engines, logger }),
    sandbox,
    workFolder,
  );
  const cache = new ResultCache({ maxBytes: maxCachedBytes, onSpared: metrics.spared });
  const closing = new AbortController();
  const active = new Set<Promise<unknown>>();
  logger?.info({ sandbox: sandbox.kind, strategy: strategy.name, concurrency }, 'typesetter ready');

  async function compile(job: CompileJob): Promise<CompileResult> {
    if (closing.signal.aborted)
      return { kind: 'refused', reason: 'The server is shutting down.', retryAfterSeconds: 5 };
    const choice: EngineChoice = job.engine ? { engine: job.engine } : chooseEngine(job.latex);
    return cache.compile({ job, engine: choice.engine }, (signal, listener) =>
      compileInTurn(job, choice, AbortSignal.any([signal, closing.signal]), listener),
    );
  }

  async function compileInTurn(
    job: CompileJob,
    choice: EngineChoice,
    ...[signal, { onProgress, onBegin }]: Parameters<StartCompile>
  ): Promise<CompileResult> {
    const queuedAt = performance.now();
    const work = async () => {
      const startedMs = performance.now();
      metrics.waited((startedMs - queuedAt) / 1000);
      const budget =
        job.budget ?? new WorkBudget({ cpuMs: job.cpuMs ?? defaultCpuMs, elapsedMs: job.elapsedMs });
      const usedBefore = budget.usedMs;
      onBegin(() => budget.usedMs - usedBefore);
      const result = await strategy.compile(
        {
          latex: tolerate(job.latex, choice.engine),
          assets: job.assets ?? [],
          owner: job.owner,
          priority: job.priority,
          onProgress,
          wantsPages: job.wantsPages,
          ...choice,
        },
        { budget, signal },
      );
      const seconds = (performance.now() - startedMs) / 1000;
      metrics.finished(choice.engine, result.kind, seconds, result.passes ?? 0);
      logger?.debug(
        { engine: choice.engine, outcome: result.kind, seconds, passes: result.passes },
        'compiled',
      );
      return toResult(result, choice);
    };
    const admission = await queue.run(
      job.owner,
      signal,
      work,
      job.priority ? { priority: job.priority } : {},
    );
    switch (admission.kind) {
      case 'ran':
        return admission.value;
      case 'cancelled':
        return { kind: 'cancelled' };
      case 'full':
        metrics.refused();
        return {
          kind: 'refused',
          reason: admission.isOwnShare
            ? 'Too many documents of yours, or from your network, are waiting to be compiled. Please try again shortly.'
            : 'Too many documents are waiting to be compiled. Please try again shortly.',
          isOwnShare: admission.isOwnShare,
          retryAfterSeconds: admission.retryAfterSeconds,
        };
    }
  }

  return {
    refusal: null,
    compile(job) {
      const work = compile(job);
      active.add(work);
      const forget = () => active.delete(work);
      work.then(forget, forget);
      return work;
    },
    async close() {
      closing.abort();
      await Promise.allSettled(active);
      await strategy.close();
      await sandbox.close();
      await removeWorkFolder();
    },
  };
}

/** Removes what only the metrics need, and explains a failure that a missing engine may have caused. */
function toResult({ passes: _, ...result }: StrategyResult, choice: EngineChoice): CompileResult {
  if (result.kind === 'starved')
    return {
      kind: 'refused',
      reason: compilationTimeoutTexts.server,
      isStarved: true,
      retryAfterSeconds: starvedRetrySeconds,
    };
  if (result.kind !== 'failed' || !choice.substituted) return result;
  const { requested, line } = choice.substituted;
  return {
    ...result,
    messages: [
      ...result.messages,
      {
        level: 'warning',
        file: 'main.tex',
        line,
        message: `The document requests ${requested}, which is not offered; it was compiled with xelatex.`,
        explanation: 'Documents are compiled with xelatex, lualatex or pdflatex here.',
        suggestion: 'Name one of them in this line, or remove the line.',
      },
    ],
  };
}
