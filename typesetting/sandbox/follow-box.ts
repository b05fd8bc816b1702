/** Finds the first process of a box, and ends the box through it. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { listTree, readTreeCpuMs } from '#platform/work/cpu-time.ts';
import { boxInfoDescriptor, isLandlock, type SandboxKind } from './sandbox.ts';

/** How long the box may take to end after its first process is killed; then its builder is killed too. */
const graceMs = 2_000;

export interface FollowedBox {
  /** Ends every process of the box; it is over when its stderr closes. */
  kill(): void;
  /** Sends SIGINT to the processes of the box that run this program. */
  interrupt(program: string): void;
  /** To be called when the box is over: nothing is signalled after it. */
  closed(): void;
  /** Proportional memory (PSS) of the box's processes in bytes; 0 when it is over. */
  measureMemory(): Promise<number>;
  /** CPU time of the box's processes so far, in ms; null when it is over. */
  readCpuMs(): number | null;
}

/**
 * Kills a box by its first process, with which the kernel ends all others. Killing bubblewrap instead, while it
 * still sets the box up, would leave a process behind that has no parent to die with. A Landlock jail's first
 * process leads a group of all the others; its parent, which we started, ends that group when asked to.
 */
export function followBox(child: ChildProcess, kind: SandboxKind): FollowedBox {
  const isJail = isLandlock(kind);
  let firstPid: number | null = null;
  let isKilled = false;
  let isClosed = false;
  let lastResort: NodeJS.Timeout | undefined;
  const signal = (pid: number, what: 'SIGKILL' | 'SIGINT' = 'SIGKILL') => {
    try {
      process.kill(pid, what);
    } catch {
      // ended already
    }
  };
  let info = '';
  const stream = child.stdio[boxInfoDescriptor] as Readable;
  stream.setEncoding('utf8').on('data', (text: string) => {
    info += text;
    firstPid ??= Number(/"child-pid": *(\d+)/.exec(info)?.[1] ?? 0) || null;
    if (firstPid !== null && isKilled && !isJail) signal(firstPid);
  });
  stream.on('error', () => {});
  child.once('exit', (_code, endedBy) => {
    // somebody killed the jail's parent: nobody is left to end the group
    if (isJail && endedBy !== null && firstPid !== null) signal(-firstPid);
  });
  const root = () => (isClosed ? null : isJail ? (child.pid ?? null) : firstPid);
  return {
    kill() {
      if (isKilled || isClosed) return;
      isKilled = true;
      if (isJail) child.kill('SIGTERM');
      // not known yet: the line above applies as soon as it is
      else if (firstPid !== null) signal(firstPid);
      lastResort = setTimeout(() => {
        if (isJail && firstPid !== null) signal(-firstPid);
        if (child.pid !== undefined) signal(-child.pid);
      }, graceMs);
    },
    interrupt(program) {
      if (isKilled || isClosed || child.pid === undefined) return;
      for (const pid of listTree(child.pid)) if (readName(pid) === program) signal(pid, 'SIGINT');
    },
    closed() {
      isClosed = true;
      clearTimeout(lastResort);
    },
    async measureMemory() {
      const pid = root();
      return pid === null ? 0 : measureTree(pid);
    },
    readCpuMs: () => (isClosed || child.pid === undefined ? null : readTreeCpuMs(child.pid)),
  };
}

/** The name of a process's program, as the kernel gives it. */
function readName(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
  } catch {
    return null;
  }
}

/** Orphans count too: their parent is the first process of the box. */
async function measureTree(root: number): Promise<number> {
  let bytes = 0;
  for (const pid of listTree(root)) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    bytes += Number(/^Pss: *(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
  }
  return bytes;
}
