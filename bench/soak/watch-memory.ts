/** What a typesetter uses: this process's memory, its boxes' memory, its processes and folders. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { boxedProcesses } from '#typesetting/testing/left-behind.ts';

export interface Sample {
  hours: number;
  /** Resident memory of this process after a garbage collection. */
  ownMegabytes: number;
  /** Of every process in a box; shared pages are divided among the processes that share them. */
  boxesMegabytes: number;
  processes: number;
  folders: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export function takeSample(workDir: string, begun: number): Sample {
  collectGarbage();
  const boxed = boxedProcesses(workDir);
  return {
    hours: (performance.now() - begun) / 3_600_000,
    ownMegabytes: process.memoryUsage.rss() / 1e6,
    boxesMegabytes: boxed.reduce((sum, pid) => sum + readPss(pid), 0) / 1e6,
    processes: boxed.length,
    folders: listFolders(workDir).length,
  };
}

/** Everything below the folders that typesetters made in `workDir`. */
export function listFolders(workDir: string): string[] {
  try {
    return readdirSync(workDir).flatMap((name) => readdirSync(path.join(workDir, name)));
  } catch {
    return [];
  }
}

function readPss(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    // it has ended
    return 0;
  }
}

/** Slope of the least-squares line, in units per hour. */
export function slopeAnHour(samples: readonly Sample[], field: Exclude<keyof Sample, 'hours'>): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanHours = mean(samples.map(({ hours }) => hours));
  const meanValue = mean(samples.map((sample) => sample[field]));
  let [above, below] = [0, 0];
  for (const sample of samples) {
    above += (sample.hours - meanHours) * (sample[field] - meanValue);
    below += (sample.hours - meanHours) ** 2;
  }
  return below === 0 ? 0 : above / below;
}
