/** What a typesetter left on the machine: processes that still live in a box over its folder, and job folders. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Ids of processes whose mount table shows a folder below `workDir`: every process of a box has its job at /work. */
export function boxedProcesses(workDir: string): number[] {
  const needle = workDir.replace(/^\/private/, '');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const table = readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
        return table.split('\n').some((line) => line.includes(needle) && / \/(?:newroot\/)?work /.test(line));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Job folders below `workDir`. */
export function jobFolders(workDir: string): string[] {
  return readdirSync(workDir)
    .filter((name) => name.startsWith('typesetting-'))
    .flatMap((name) => readdirSync(path.join(workDir, name)).filter((job) => job.startsWith('job-')));
}
