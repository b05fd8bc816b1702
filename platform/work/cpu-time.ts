/** CPU time as the system counts it: of a process with all that it started, and of a thread of this process. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second on every machine it runs on (USER_HZ). */
const tickMs = 10;
/** Most processes looked at below one. */
const maxProcesses = 512;

/**
 * Milliseconds of CPU that a process and everything below it have used, ended children included once they were waited
 * for; null when the process is gone, or the system does not tell (there is no /proc).
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

/** A process and everything below it, parents first. Orphans count where their new parent is below it. */
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
 * @param name what it was started with as `name`, at most 15 characters and like no other's
 * @returns 0 while it is not there; null when the system does not tell
 */
export function readThreadCpuMs(name: string): number | null {
  const threads = list('/proc/self/task');
  for (const thread of threads) {
    const place = `/proc/self/task/${thread}`;
    if (read(`${place}/comm`).trim() === name) return (readTicks(`${place}/stat`, 2) ?? 0) * tickMs;
  }
  return threads.length > 0 ? 0 : null;
}

/** utime and stime, then those of ended children: fields 14 to 17, behind the name in parentheses. */
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
