/**
 * The worker: takes jobs while it has free slots, renews their leases, and stops those that no longer count.
 * Nudges wake it, and it polls every two seconds, which is also how leases of dead processes are found.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { describeAbsence, findAbsence } from '#platform/absence.ts';
import { FairQueue } from '#platform/work/fair-queue.ts';
import { unboundedWaiting } from '#platform/work/queue-limits.ts';
import { WorkStarved } from '#platform/work/work-limit.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Database, persist } from '../database.ts';
import type { Notifications } from '../follow/notifications.ts';
import type { Stations } from '../stations/stations.ts';
import type { AssemblyJob, PageJob } from './jobs.ts';
import type { ConversionMetrics } from './metrics.ts';
import { completeAssembly, completePage, generationFailed } from './outcomes.ts';
import { claimAssembly, claimPage, releaseJobs, renewalMs, renewLeases } from './queue.ts';
import { runAssembly } from './run-assembly.ts';
import { runPage } from './run-page.ts';
import { createSourceFiles } from './source-files.ts';
import { removeDueFiles } from './sweep.ts';

export interface WorkerOptions {
  db: Database;
  storage: Storage;
  notifications: Notifications;
  stations: Stations;
  /** Pages of one account being read at once; a quarter as many slots are added for others. */
  readConcurrency: number;
  /** Documents assembled at once. */
  assemblyConcurrency: number;
  logger: Logger;
  metrics: ConversionMetrics;
}

export interface Worker {
  /** Returns unfinished jobs and resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** How often to poll without a nudge, in ms. */
const pollMs = 2_000;
/** How long a starved job rests before it waits again, in ms. */
const starvedPauseMs = 5_000;

interface RunningJob {
  job: PageJob | AssemblyJob;
  controller: AbortController;
  done: Promise<void>;
  /** A page that has a reader. */
  isRead: boolean;
}

export function startWorker(options: WorkerOptions): Worker {
  const { db, storage, notifications, stations, readConcurrency, assemblyConcurrency, logger, metrics } =
    options;
  const sourceFiles = createSourceFiles(storage);
  // keeps slots for others when one account fills its share with long pages
  const forOthers = Math.ceil(readConcurrency / 4);
  const readers = new FairQueue({
    concurrency: readConcurrency + forOthers,
    maxRunningPerOwner: readConcurrency,
    ...unboundedWaiting,
  });
  const pageWork = { db, storage, sourceFiles, stations, readers };
  const running = new Map<string, RunningJob>();
  let isStopping = false;
  let isPumping = false;
  let isPumpWanted = false;
  /** Set when there may be a document to assemble, or a place for one. */
  let mayAssemble = true;
  /** No page waits but those of these callers, as far as is known; null if that is not known. */
  let nobodyBut: ReadonlySet<string> | null = null;

  const countAssemblies = () => [...running.values()].filter(({ job }) => job.kind === 'assembly').length;

  /** Pages that are made ready to be read. */
  const listAhead = () => [...running.values()].filter(({ job, isRead }) => job.kind === 'page' && !isRead);

  // as many are made ready as can be read: those that began together end together. Not more at first, when each of
  // them would delay the first ones
  const mayPrepare = () => listAhead().length < readConcurrency + forOthers;

  /** Callers that have as many pages ahead as allowed. */
  const listFullCallers = () => {
    const pages = new Map<string, number>();
    for (const { job } of listAhead()) pages.set(job.callerId, (pages.get(job.callerId) ?? 0) + 1);
    return [...pages].filter(([, ahead]) => ahead >= readConcurrency).map(([callerId]) => callerId);
  };

  const pump = async () => {
    isPumpWanted = true;
    if (isPumping) return;
    isPumping = true;
    try {
      while (isPumpWanted && !isStopping) {
        isPumpWanted = false;
        while (mayAssemble && !isStopping && countAssemblies() < assemblyConcurrency) {
          mayAssemble = false;
          const job = await claimAssembly(db);
          if (!job) break;
          mayAssemble = true;
          begin(job);
        }
        while (!isStopping && mayPrepare()) {
          const without = listFullCallers();
          if (nobodyBut && [...nobodyBut].every((callerId) => without.includes(callerId))) break;
          nobodyBut = new Set(without);
          const job = await claimPage(db, without);
          if (!job) break;
          nobodyBut = null;
          begin(job);
        }
      }
    } catch (error) {
      logger.error({ err: error }, 'taking jobs failed; will try again');
    } finally {
      isPumping = false;
    }
  };

  const begin = (job: PageJob | AssemblyJob) => {
    const controller = new AbortController();
    const entry: RunningJob = { job, controller, done: Promise.resolve(), isRead: false };
    running.set(job.token, entry);
    const handleRead = () => {
      entry.isRead = true;
      void pump();
    };
    entry.done = work(job, controller.signal, handleRead).finally(() => {
      running.delete(job.token);
      if (!isStopping) void pump();
    });
  };

  /** Something may wait that was not there when it was last looked for. */
  const lookAgain = () => {
    mayAssemble = true;
    nobodyBut = null;
    return pump();
  };

  const work = async (job: PageJob | AssemblyJob, signal: AbortSignal, handleRead: () => void) => {
    const log = logger.child({
      conversionId: job.conversionId,
      ...(job.kind === 'page' ? { page: job.number } : {}),
    });
    try {
      if (job.kind === 'page') {
        const record = await runPage(pageWork, job, signal, handleRead);
        metrics.pageEnded(record);
        log.info({ outcome: record.kind }, 'page ended');
      } else {
        const startedMs = performance.now();
        const report = await runAssembly({ db, storage, stations }, job, signal);
        metrics.assemblyEnded(report, performance.now() - startedMs);
        log.info({ outcome: report.kind }, 'assembly ended');
      }
      await removeDueFiles({ db, storage }, job.conversionId);
    } catch (error) {
      if (signal.aborted) {
        await releaseJobs(db, [job])
          .then(() => removeDueFiles({ db, storage }, job.conversionId))
          .catch((cause) => log.error({ err: cause }, 'a stopped job could not be given back'));
        return;
      }
      const absence = findAbsence(error);
      if (absence === 'database' || absence === 'storage') {
        // not a failure: taken again when the lease expires
        log.warn({ err: error }, 'a job was interrupted because a service is unavailable; it will run later');
        return;
      }
      if (error instanceof WorkStarved) {
        log.warn({ err: error }, 'a job was starved of processor time; it will be tried again');
        return await tryLater(job, signal, log);
      }
      log.error({ err: error }, 'a job failed');
      await giveUp(job, describeAbsence(error)?.toObject()).catch((cause) =>
        log.error({ err: cause }, 'its failure could not be recorded'),
      );
    }
  };

  /** The machine had no time for it: it waits again, and counts as tried, so that it does not wait for ever. */
  const tryLater = async (job: PageJob | AssemblyJob, signal: AbortSignal, log: Logger) => {
    await sleep(starvedPauseMs, undefined, { signal }).catch(() => {});
    await releaseJobs(db, [job], { wasTried: !signal.aborted }).catch((cause) =>
      log.error({ err: cause }, 'a starved job could not be given back'),
    );
  };

  /** Our fault, or a lack of resources: the page or document fails, and the user may retry it. */
  const giveUp = async (job: PageJob | AssemblyJob, error = generationFailed()) => {
    if (job.kind === 'page') {
      await persist(() => completePage(db, job, { kind: 'failed', error, previewKey: null }));
      metrics.pageEnded({ kind: 'failed', readingMs: 0, failure: error.code });
    } else {
      await persist(() => completeAssembly(db, job, { kind: 'failed', error }));
      metrics.assemblyEnded({ kind: 'failed', failure: error.code }, 0);
    }
  };

  /** Renews the leases of these jobs and stops those that no longer count. */
  const renew = async (entries: readonly RunningJob[]) => {
    if (entries.length === 0) return;
    const alive = await renewLeases(
      db,
      entries.map(({ job }) => job.token),
    );
    for (const { job, controller } of entries)
      if (!alive.has(job.token)) controller.abort(new Error('the job no longer counts'));
  };

  const handleError = (error: unknown) =>
    logger.error({ err: error }, 'renewing leases failed; will try again');
  const unsubscribe = notifications.subscribe((nudge) => {
    if (nudge === null || nudge.kind === 'work') void lookAgain();
    if (nudge?.kind === 'stop')
      renew([...running.values()].filter(({ job }) => job.conversionId === nudge.conversionId)).catch(
        handleError,
      );
  });
  const poll = setInterval(() => void lookAgain(), pollMs);
  const renewal = setInterval(() => renew([...running.values()]).catch(handleError), renewalMs);
  void lookAgain();

  return {
    async stop() {
      isStopping = true;
      unsubscribe();
      clearInterval(poll);
      const entries = [...running.values()];
      for (const { controller } of entries) controller.abort(new Error('the server is shutting down'));
      await Promise.all(entries.map(({ done }) => done));
      clearInterval(renewal);
      await sourceFiles.close();
    },
  };
}
