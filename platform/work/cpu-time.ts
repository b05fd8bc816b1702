/** CPU time as the system counts it: of a process including its descendants, and of a thread of this process. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second on every machine it runs on (USER_HZ). */
const tickMs = 10;
/** Most descendants of one process that are counted. */
const maxProcesses = 512;

/**
 * Milliseconds of CPU used by a process and all its descendants, including ended children that were waited for;
 * null if the process has ended, or the system does not report it (no /proc).
 */
export function readTreeCpuMs(pid: number): number | null {
  let ticks: number | null = null;
  for (const one of listTree(pid)) {
    const own = readTicks(`/proc/${one}/stat`, 4);
    if (own !== null) ticks = (ticks ?? 0) + own;
    else if (one === pid) return null;
  }
  return ticks === null ? null : ticks * tickMs;
}

/** A process and all its descendants, parents first. Orphans count if their new parent is a descendant. */
export function* listTree(root: number): Generator<number> {
  const pids = [root];
  for (let at = 0; at < pids.length && at < maxProcesses; at++) {
    yield pids[at]!;
    const place = `/proc/${pids[at]}/task`;
    for (const thread of list(place)) pids.push(...readNumbers(`${place}/${thread}/children`));
  }
}

/**
 * Milliseconds of CPU that a worker thread has used.
 * @param name the `name` it was started with, unique and at most 15 characters
 * @returns 0 while it does not exist; null if the system does not report it
 */
export function readThreadCpuMs(name: string): number | null {
  const threads = list('/proc/self/task');
  for (const thread of threads) {
    const place = `/proc/self/task/${thread}`;
    if (read(`${place}/comm`).trim() === name) return (readTicks(`${place}/stat`, 2) ?? 0) * tickMs;
  }
  return threads.length > 0 ? 0 : null;
}

/** utime and stime, then those of ended children: fields 14 to 17, after the name in parentheses. */
function readTicks(file: string, fields: 2 | 4): number | null {
  const stat = read(file);
  if (stat === '') return null;
  const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return rest.slice(11, 11 + fields).reduce((sum, field) => sum + Number(field), 0);
}

const readNumbers = (file: string) => read(file).split(' ').filter(Boolean).map(Number);

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
