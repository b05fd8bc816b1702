/** Knows which process is the first of a box, and ends the box by it. */
import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { boxInfoDescriptor } from './sandbox.ts';

/** How long the box may take to end once its first process is killed; then its builder is killed, too. */
const patienceMs = 2_000;

export interface FollowedBox {
  /** Ends every process of the box; it is over when its stderr closes. */
  kill(): void;
  /** To be called when the box is over: nothing is signalled after it. */
  closed(): void;
  /** Proportional memory (PSS) of the box's processes in bytes; 0 when it is over. */
  measureMemory(): Promise<number>;
}

/**
 * Kills a box by its first process: with it the kernel ends every other one. Killing bubblewrap instead would, while it
 * still sets the box up, leave a process behind that no longer has a parent to die with.
 */
export function followBox(child: ChildProcess): FollowedBox {
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
    async measureMemory() {
      return firstPid === null || isClosed ? 0 : measureTree(firstPid);
    },
  };
}

/** Most processes that are looked at: a box may have far fewer. */
const maxProcesses = 512;

/** Orphans count too: their parent is the first process of the box. */
async function measureTree(root: number): Promise<number> {
  const pids = [root];
  let bytes = 0;
  for (let at = 0; at < pids.length && at < maxProcesses; at++) {
    const place = `/proc/${pids[at]}`;
    const rollup = await readFile(`${place}/smaps_rollup`, 'utf8').catch(() => '');
    bytes += Number(/^Pss: *(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
    for (const thread of await readdir(`${place}/task`).catch(() => [])) {
      const children = await readFile(`${place}/task/${thread}/children`, 'utf8').catch(() => '');
      pids.push(...children.split(' ').filter(Boolean).map(Number));
    }
  }
  return bytes;
}
