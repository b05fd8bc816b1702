/** Waits for a warm process's run and ends it at a limit or on abort. */
import { type WorkClock, watchWork } from '#platform/work/work-limit.ts';
import { type BoxedExit, lastWords, type Watch, withLastWords } from '../sandbox/run-boxed.ts';
import { watchFolder } from '../sandbox/watch-folder.ts';
import { faultStatuses } from './protocol.ts';
import type { RunExit, WarmProcess } from './warm-process.ts';

/** How a run ended; a fault is the engine's, not the document's. `cpuMs` is null for one that was ended. */
export type WatchedEnd = { kind: 'fault' } | { kind: 'ended'; exit: BoxedExit; cpuMs: number | null };

/** How long a run may take to end after it is told to. */
const graceMs = 2_000;

/** @param folders those that the run writes into. */
export async function watchRun(
  process: WarmProcess,
  folders: readonly string[],
  watch: Watch,
  start: () => Promise<RunExit>,
): Promise<WatchedEnd> {
  let verdict = (watch.signal.aborted ? { kind: 'aborted' } : null) as BoxedExit | null;
  let lastResort: NodeJS.Timeout | undefined;
  let lastClock: WorkClock | undefined;
  let isStopped = false;
  const stop = (reason: BoxedExit) => {
    verdict = reason;
    if (isStopped) return;
    isStopped = true;
    process.stop();
    lastResort = setTimeout(() => process.kill(), graceMs);
  };
  const end = (reason: BoxedExit) => {
    if (!verdict) stop(reason);
  };
  const handleAbort = () => stop({ kind: 'aborted' });
  watch.signal.addEventListener('abort', handleAbort, { once: true });
  const clock = watch.budget.watch(
    () => process.readCpuMs(),
    (met) => {
      const reason: BoxedExit = { kind: 'out-of-time', met };
      if (verdict || met !== 'spent') return end(reason);
      verdict = reason;
      process.interrupt();
      lastClock = watchWork(
        lastWords,
        () => process.readCpuMs(),
        () => stop(reason),
      );
    },
  );
  const endWatches = folders.map((folder) =>
    watchFolder(folder, (what) =>
      // for a run that is ending its document, this only ends the grace period
      verdict?.kind === 'out-of-time' ? stop(verdict) : end({ kind: 'flooded', what }),
    ),
  );
  try {
    await process.whenIdle();
    if (verdict) return { kind: 'ended', exit: verdict, cpuMs: null };
    const { status, cpuMs } = await start();
    if (verdict) return { kind: 'ended', exit: withLastWords(verdict, status), cpuMs: null };
    if (status === null || faultStatuses.has(status)) return { kind: 'fault' };
    return { kind: 'ended', exit: { kind: 'exited', code: status, stderr: '' }, cpuMs };
  } finally {
    clock.stop();
    lastClock?.stop();
    clearTimeout(lastResort);
    for (const endWatch of endWatches) endWatch();
    watch.signal.removeEventListener('abort', handleAbort);
  }
}
