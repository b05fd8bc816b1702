/** Runs one program in the box, watches its folder, and ends its whole process group at a limit or on abort. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { measureFolder } from './job-folder.ts';
import {
  type BoxedCommand,
  boxCommand,
  boxInfoDescriptor,
  type SandboxKind,
  type SandboxPaths,
} from './sandbox.ts';

/** How a boxed program ended. All of its processes are gone when this is known. */
export type BoxedExit =
  | { kind: 'exited'; code: number; stderr: string }
  | { kind: 'out-of-time' }
  /** It wrote more files, or more bytes in all, than a job may. */
  | { kind: 'flooded'; what: 'files' | 'bytes' }
  | { kind: 'aborted' };

export interface Watch {
  /** Epoch ms after which the program is ended. */
  deadline: number;
  signal: AbortSignal;
}

/** A job's folder holds a dozen files; documents that keep their figures and listings apart reach some hundred. */
const maxFilesInFolder = 600;
const maxFolderBytes = 200_000_000;
// 80,000 tiny files take 8 s (measured): at this pace a flood is seen after some hundred
const watchIntervalMs = 100;
const maxStderrBytes = 8_192;

export async function runBoxed(
  kind: SandboxKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  watch: Watch,
): Promise<BoxedExit> {
  if (watch.signal.aborted) return { kind: 'aborted' };
  const remainingMs = watch.deadline - Date.now();
  if (remainingMs <= 0) return { kind: 'out-of-time' };
  const { file, args } = boxCommand(kind, paths, command);
  const child = spawn(file, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/local/bin' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const box = followBox(child);
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
  const clock = setTimeout(() => end({ kind: 'out-of-time' }), remainingMs);
  let isMeasuring = false;
  const watcher = setInterval(async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    const size = await measureFolder(command.folder, maxFilesInFolder).catch(() => null);
    isMeasuring = false;
    if (size && size.files >= maxFilesInFolder) end({ kind: 'flooded', what: 'files' });
    else if (size && size.bytes > maxFolderBytes) end({ kind: 'flooded', what: 'bytes' });
  }, watchIntervalMs);
  try {
    // `close` comes when the last holder of the stderr pipe is gone: no process of the box is left then
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode, signal) => resolve(exitCode ?? (signal ? 137 : 1)));
    });
    return verdict ?? { kind: 'exited', code, stderr };
  } finally {
    box.closed();
    clearTimeout(clock);
    clearInterval(watcher);
    watch.signal.removeEventListener('abort', handleAbort);
  }
}

/** How long the box may take to end once its first process is killed; then its builder is killed, too. */
const patienceMs = 2_000;

/**
 * Kills a box by its first process: with it the kernel ends every other one. Killing bubblewrap instead would, while it
 * still sets the box up, leave a process behind that no longer has a parent to die with.
 */
function followBox(child: ChildProcess): { kill(): void; closed(): void } {
  let firstPid: number | null = null;
  let isKilled = false;
  let isClosed = false;
  let lastResort: NodeJS.Timeout | undefined;
  const signal = (pid: number) => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone already
    }
  };
  let info = '';
  const stream = child.stdio[boxInfoDescriptor] as Readable;
  stream.setEncoding('utf8').on('data', (text: string) => {
    info += text;
    firstPid ??= Number(/"child-pid": *(\d+)/.exec(info)?.[1] ?? 0) || null;
    if (firstPid !== null && isKilled) signal(firstPid);
  });
  stream.on('error', () => {});
  return {
    kill() {
      if (isKilled || isClosed) return;
      isKilled = true;
      // not told yet: the line above strikes as soon as it is
      if (firstPid !== null) signal(firstPid);
      lastResort = setTimeout(() => child.pid !== undefined && signal(-child.pid), patienceMs);
    },
    closed() {
      isClosed = true;
      clearTimeout(lastResort);
    },
  };
}
