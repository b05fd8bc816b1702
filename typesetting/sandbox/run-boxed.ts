/** Runs one program in the box, watches its folder, and ends its whole process group at a limit or on abort. */
import type { LimitMet, WorkBudget } from '#platform/work/work-limit.ts';
import type { BoxedCommand, SandboxKind, SandboxPaths } from './sandbox.ts';
import { spawnBox } from './spawn-box.ts';
import { watchFolder } from './watch-folder.ts';

/** How a boxed program ended. All of its processes are gone when this is known. */
export type BoxedExit =
  | { kind: 'exited'; code: number; stderr: string }
  | { kind: 'out-of-time'; met: LimitMet }
  /** It wrote more files, or more bytes in all, than a job may. */
  | { kind: 'flooded'; what: 'files' | 'bytes' }
  | { kind: 'aborted' };

export interface Watch {
  /** What its programs may use together; past it they are ended. */
  budget: WorkBudget;
  signal: AbortSignal;
}

const maxStderrBytes = 8_192;

export async function runBoxed(
  kind: SandboxKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  watch: Watch,
): Promise<BoxedExit> {
  if (watch.signal.aborted) return { kind: 'aborted' };
  if (watch.budget.leftMs <= 0) return { kind: 'out-of-time', met: 'spent' };
  const { child, box } = spawnBox(kind, paths, command);
  let verdict: BoxedExit | null = null;
  const end = (reason: BoxedExit) => {
    verdict ??= reason;
    box.kill();
  };
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < maxStderrBytes) stderr += text.slice(0, maxStderrBytes - stderr.length);
  });
  const handleAbort = () => end({ kind: 'aborted' });
  watch.signal.addEventListener('abort', handleAbort, { once: true });
  const clock = watch.budget.watch(box.readCpuMs, (met) => end({ kind: 'out-of-time', met }));
  const endWatch = watchFolder(command.folder, (what) => end({ kind: 'flooded', what }));
  try {
    // `close` comes when the last holder of the stderr pipe is gone: no process of the box is left then
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode, signal) => resolve(exitCode ?? (signal ? 137 : 1)));
    });
    return verdict ?? { kind: 'exited', code, stderr };
  } finally {
    box.closed();
    clock.stop();
    endWatch();
    watch.signal.removeEventListener('abort', handleAbort);
  }
}
