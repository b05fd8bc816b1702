/** Resource use of a running product's processes: memory, and CPU time by kind of process. Linux only (`/proc`). */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Linux counts in hundredths of a second. */
const tickMs = 10;
/** Processes that live shorter than this may be missed; their time then counts as `ended before they were seen`. */
const lookEveryMs = 50;

export interface Memory {
  /** Resident megabytes of the process alone, and including all its descendants. */
  own: number;
  all: number;
}

export interface ProcessWatch {
  /**
   * Stops watching. CPU time in ms and processes started since watching began, by kind, the largest first; the
   * most memory seen.
   */
  stop(): Promise<{
    cpuMs: [kind: string, ms: number][];
    begun: [kind: string, count: number][];
    peak: Memory;
  }>;
}

/** Watches a process and all its descendants. */
export async function watchProcesses(pid: number): Promise<ProcessWatch> {
  const seen = new Map<string, { kind: string; first: number; last: number }>();
  const peak: Memory = { own: 0, all: 0 };
  let isStopped = false;
  let isFirst = true;

  const look = async () => {
    let all = 0;
    for (const one of [pid, ...(await descendantsOf(pid))]) {
      const times = await timesOf(one);
      if (!times) continue;
      const id = `${one} ${times.startedAt}`;
      // processes that exist when watching begins have already used some time
      const known = seen.get(id);
      const first = known?.first ?? (isFirst ? times.own : 0);
      // an ended process has no name any more; one that was only forked has yet to get its own
      const kind = one === pid ? 'server' : (await kindOf(one)) || known?.kind || 'other';
      seen.set(id, { kind, first, last: times.own });
      const resident = await residentOf(one);
      if (one === pid) peak.own = Math.max(peak.own, Math.round(resident));
      all += resident;
    }
    isFirst = false;
    peak.all = Math.max(peak.all, Math.round(all));
  };

  await look();
  const atFirst = new Set(seen.keys());
  const totalBefore = await treeTicks(pid);
  const looking = (async () => {
    while (!isStopped) {
      await sleep(lookEveryMs);
      await look();
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await looking;
      await look();
      const total = (await treeTicks(pid)) - totalBefore;
      const begun = new Map<string, number>();
      const byKind = new Map<string, number>();
      let known = 0;
      for (const [id, { kind, first, last }] of seen) {
        if (!atFirst.has(id)) begun.set(kind, (begun.get(kind) ?? 0) + 1);
        byKind.set(kind, (byKind.get(kind) ?? 0) + last - first);
        known += last - first;
      }
      if (total > known) byKind.set('ended before they were seen', total - known);
      const cpuMs = [...byKind].map(([kind, ticks]): [string, number] => [kind, ticks * tickMs]);
      return {
        cpuMs: cpuMs.filter(([, ms]) => ms > 0).sort((a, b) => b[1] - a[1]),
        begun: [...begun].sort((a, b) => b[1] - a[1]),
        peak,
      };
    },
  };
}

export async function memoryOf(pid: number): Promise<Memory> {
  const own = await residentOf(pid);
  let all = own;
  for (const child of await descendantsOf(pid)) all += await residentOf(child);
  return { own: Math.round(own), all: Math.round(all) };
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Ticks of all living processes in the tree, including their ended children. */
async function treeTicks(pid: number): Promise<number> {
  let sum = 0;
  for (const one of [pid, ...(await descendantsOf(pid))]) {
    const times = await timesOf(one);
    sum += (times?.own ?? 0) + (times?.ended ?? 0);
  }
  return sum;
}

async function timesOf(pid: number): Promise<{ own: number; ended: number; startedAt: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  if (stat === '') return null;
  // after the name in brackets: state, then numbers; utime, stime, cutime, cstime are fields 14 to 17, the start is 22
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (field: number) => fields[field - 3] || 0;
  return { own: at(14) + at(15), ended: at(16) + at(17), startedAt: at(22) };
}

/** The program's name; for our own processes, that of its file. */
export async function kindOf(pid: number): Promise<string> {
  const [command = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split(
    '\0',
  );
  const file = args.find((arg) => /-process\.ts$/.test(arg));
  if (file) return file.replace(/^.*\//, '').replace(/\.ts$/, '');
  if (/postgres/.test(command)) return 'database';
  return command.replace(/^.*\//, '').replace(/ .*/, '');
}

/** All living descendants of a process. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.trim().split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}
