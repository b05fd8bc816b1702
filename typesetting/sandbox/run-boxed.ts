/** Runs one program in the box, watches its folder, and ends its whole process group at a limit or on abort. */
import {
  type LimitMet,
  type WorkBudget,
  type WorkClock,
  type WorkLimits,
  watchWork,
} from '#platform/work/work-limit.ts';
import type { BoxedCommand, SandboxKind, SandboxPaths } from './sandbox.ts';
import { spawnBox } from './spawn-box.ts';
import { watchFolder } from './watch-folder.ts';

/** How a boxed program ended. All of its processes have ended when this is known. */
export type BoxedExit =
  | { kind: 'exited'; code: number; stderr: string }
  /** `hasLastWords`: TeX was asked to stop and ended its document itself: log and pages are complete up to there. */
  | { kind: 'out-of-time'; met: LimitMet; hasLastWords?: boolean }
  /** It wrote more files, or more bytes in total, than a job may. */
  | { kind: 'flooded'; what: 'files' | 'bytes' }
  | { kind: 'aborted' };

export interface Watch {
  /** Limit for all of a job's programs together; beyond it they are ended. */
  budget: WorkBudget;
  signal: AbortSignal;
}

const maxStderrBytes = 8_192;
/** What TeX may use to end its document once its time has run out. */
export const lastWords: WorkLimits = { cpuMs: 2_000, elapsedMs: 10_000 };

/**
 * The system's limit for one program. The budget decides; this is only a safety net, set well above it: on a
 * loaded machine the system counts a tenth more for it than was used (measured: 31 s of 27.5 s).
 */
export function cpuSecondsLeft({ budget }: Watch): number {
  return Math.max(1, Math.ceil((budget.leftMs * 1.25) / 1000)) + 3;
}

/**
 * Whether a program whose time ran out ended by itself. @param status as reported by a shell; null:
 * unknown
 */
export function withLastWords(exit: BoxedExit, status: number | null): BoxedExit {
  const hasEnded = status !== null && status < 128;
  return exit.kind === 'out-of-time' && hasEnded ? { ...exit, hasLastWords: true } : exit;
}

export async function runBoxed(
  kind: SandboxKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  watch: Watch,
): Promise<BoxedExit> {
  if (watch.signal.aborted) return { kind: 'aborted' };
  if (watch.budget.leftMs <= 0) return { kind: 'out-of-time', met: 'spent' };
  // TeX's input when it is interrupted and asks the terminal what to do: x ends the document with the pages so
  // far
  const { child, box } = spawnBox(kind, paths, command, {}, { input: 'x\n' });
  let verdict = null as BoxedExit | null;
  let lastClock: WorkClock | undefined;
  const end = (reason: BoxedExit) => {
    verdict ??= reason;
    box.kill();
  };
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < maxStderrBytes) stderr += text.slice(0, maxStderrBytes - stderr.length);
  });
  const handleAbort = () => {
    verdict = { kind: 'aborted' };
    box.kill();
  };
  watch.signal.addEventListener('abort', handleAbort, { once: true });
  const clock = watch.budget.watch(box.readCpuMs, (met) => {
    const reason: BoxedExit = { kind: 'out-of-time', met };
    if (verdict || met !== 'spent') return end(reason);
    verdict = reason;
    box.interrupt(command.program);
    lastClock = watchWork(lastWords, box.readCpuMs, () => box.kill());
  });
  const endWatch = watchFolder(command.folder, (what) => end({ kind: 'flooded', what }));
  try {
    // `close` comes when the last holder of the stderr pipe has ended: no process of the box is left then
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode, signal) => resolve(exitCode ?? (signal ? 137 : 1)));
    });
    return verdict ? withLastWords(verdict, code) : { kind: 'exited', code, stderr };
  } finally {
    lastClock?.stop();
    box.closed();
    clock.stop();
    endWatch();
    watch.signal.removeEventListener('abort', handleAbort);
  }
}
