/** What a typesetter left on the machine: processes still alive in a box over its folder, and job folders. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Ids of processes in a box over a folder below `workDir`: their mount table shows it at /work or, in a box
 * without its own mounts, it is their working folder.
 */
export function boxedProcesses(workDir: string): number[] {
  const needle = placeInFileSystem(workDir);
  const own = readlinkSync('/proc/self/ns/mnt');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`).startsWith(`${workDir}/`)) return true;
        // most processes of a machine are in no box: this is much cheaper than reading their mount tables
        if (readlinkSync(`/proc/${pid}/ns/mnt`) === own) return false;
        const table = readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
        return table.split('\n').some((line) => line.includes(needle) && / \/(?:newroot\/)?work /.test(line));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** How many of them are using a processor, or want to, now. */
export function runningProcesses(workDir: string): number {
  return boxedProcesses(workDir).filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'R';
    } catch {
      return false;
    }
  }).length;
}

/**
 * A folder's path as in mount tables: from the root of its own file system, which differs from this machine's
 * root if, say, /tmp is a separate file system.
 */
function placeInFileSystem(folder: string): string {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map((fields) => ({ root: fields[3]!, point: fields[4]! }))
    .filter(({ point }) => point === '/' || folder === point || folder.startsWith(`${point}/`));
  const nearest = mounts.reduce((best, one) => (one.point.length >= best.point.length ? one : best));
  const below = nearest.point === '/' ? folder : folder.slice(nearest.point.length);
  return (nearest.root === '/' ? '' : nearest.root) + below;
}

/** Job folders below `workDir`. */
export function jobFolders(workDir: string): string[] {
  return readdirSync(workDir)
    .filter((name) => name.startsWith('typesetting-'))
    .flatMap((name) => readdirSync(path.join(workDir, name)).filter((job) => job.startsWith('job-')));
}
