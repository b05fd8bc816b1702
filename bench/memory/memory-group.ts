/** A control group with a limit on memory, in which a product runs; by either version of control groups. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface MemoryGroup {
  /** Prefix of a command that runs it in the group. */
  wrap(command: readonly string[]): string[];
  /** The most that was counted at once (including page cache, which is released under pressure), MB. */
  readPeak(): number;
  /** How many processes were killed for lack of memory. */
  readKills(): number;
  remove(): Promise<void>;
}

interface Names {
  folder: string;
  limit: string;
  peak: string;
  kills: string;
}

const versions: Names[] = [
  { folder: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events' },
  {
    folder: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
  },
];

/** @throws Error where no group can be made: as another user than root, or in most containers */
export function openMemoryGroup(limitBytes: number): MemoryGroup {
  for (const names of versions) {
    const folder = path.join(names.folder, `inkproof-bench-${process.pid}`);
    if (!existsSync(path.join(names.folder, 'cgroup.procs'))) continue;
    mkdirSync(folder);
    const file = (name: string) => path.join(folder, name);
    if (!existsSync(file(names.limit))) {
      rmdirSync(folder);
      continue;
    }
    writeFileSync(file(names.limit), String(limitBytes));
    const read = (name: string) => readFileSync(file(name), 'utf8');
    return {
      wrap: (command) => ['sh', '-c', `echo $$ >'${file('cgroup.procs')}' && exec "$@"`, 'sh', ...command],
      readPeak: () => Math.round(Number(read(names.peak)) / 2 ** 20),
      readKills: () => Number(/^oom_kill (\d+)$/m.exec(read(names.kills))?.[1]),
      async remove() {
        for (let tries = 0; ; tries++) {
          try {
            return rmdirSync(folder);
          } catch (error) {
            // its last process is still ending
            if (tries === 50) throw error;
            await sleep(100);
          }
        }
      },
    };
  }
  throw new Error(
    'No control group with a limit on memory can be made here; it takes root outside a container.',
  );
}
