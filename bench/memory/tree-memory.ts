/**
 * Memory of a process and all its descendants, by kind (Linux only, `/proc`). What a process has written to is counted
 * as PSS: pages that processes share are divided among them. Files in memory (programs, libraries, weights) are counted
 * once for the whole tree, so that another installation which maps the same files changes nothing.
 */
import { readFile } from 'node:fs/promises';
import { descendantsOf, kindOf } from '../support/processes.ts';

export interface TreeMemory {
  /** MB of all processes together, files included. */
  all: number;
  /** MB of files in memory, each counted once. */
  files: number;
  /** Number of processes of a kind, and their MB without files; the largest first. */
  kinds: { kind: string; count: number; megabytes: number }[];
}

export async function readTreeMemory(root: number): Promise<TreeMemory> {
  const kinds = new Map<string, { count: number; kb: number }>();
  const files = new Map<string, number>();
  for (const pid of [root, ...(await descendantsOf(root))]) {
    const [rollup, maps] = await Promise.all(
      ['smaps_rollup', 'smaps'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    // it has ended
    if (!rollup || !maps) continue;
    const kind = pid === root ? 'server' : await kindOf(pid);
    const { count, kb } = kinds.get(kind) ?? { count: 0, kb: 0 };
    kinds.set(kind, {
      count: count + 1,
      kb: kb + readField(rollup, 'Pss_Anon') + readField(rollup, 'Pss_Shmem'),
    });
    for (const [file, resident] of readFiles(maps)) files.set(file, Math.max(files.get(file) ?? 0, resident));
  }
  const filesKb = [...files.values()].reduce((sum, kb) => sum + kb, 0);
  const ownKb = [...kinds.values()].reduce((sum, { kb }) => sum + kb, 0);
  return {
    all: toMegabytes(filesKb + ownKb),
    files: toMegabytes(filesKb),
    kinds: [...kinds]
      .map(([kind, { count, kb }]) => ({ kind, count, megabytes: toMegabytes(kb) }))
      .sort((a, b) => b.megabytes - a.megabytes),
  };
}

/** `225 MB: server 97, database 13 × 38, files 60` */
export function describeMemory({ all, files, kinds }: TreeMemory): string {
  const parts = kinds.map(({ kind, count, megabytes }) =>
    count > 1 ? `${kind} (${count}) ${megabytes}` : `${kind} ${megabytes}`,
  );
  return `${all} MB: ${[...parts, `programs and libraries ${files}`].join(', ')}`;
}

/** Resident kB of each part of a file that is mapped and not written to. */
function readFiles(maps: string): Map<string, number> {
  const resident = new Map<string, number>();
  for (const part of maps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
    // address, rights, offset, device, inode, path
    const [, , offset, device, inode, path = ''] = part.split('\n', 1)[0]!.split(/\s+/);
    // shared memory has an inode but no file
    if (inode === '0' || /^(?:\/dev\/zero|\/SYSV|\/memfd:|\/dev\/shm\/)/.test(path)) continue;
    const key = `${device}:${inode}:${offset}`;
    const kb = readField(part, 'Rss') - readField(part, 'Anonymous');
    resident.set(key, (resident.get(key) ?? 0) + kb);
  }
  return resident;
}

const readField = (text: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);

const toMegabytes = (kb: number) => Math.round(kb / 1024);
