/**
 * The unprivileged user ids that jobs run as when the product runs as root: each id belongs to one running job,
 * so two jobs can neither signal nor trace each other nor share a process limit, and no other program's files
 * are theirs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/**
 * 60600–61111: inside 60578–61183, which systemd's allocation table leaves unused and no distribution hands out
 * (https://systemd.io/UIDS-GIDS/). Not `nobody`, whose id other services share.
 */
const firstId = 60_600;
// several servers per machine, each with one id per compile and per warm engine
const idCount = 512;

export interface ReservedIds {
  ids: number[];
  release(): Promise<void>;
}

/**
 * Reserves up to `count` ids for this process. A reservation is a listening socket in the kernel's abstract
 * namespace: it excludes every other process of the machine and vanishes with its owner, however that ends.
 * Returns fewer ids if other processes hold the rest or run as them: an id with a living process, be it a
 * stranger's or left by a killed server, is not handed out.
 */
export async function reserveIds(count: number): Promise<ReservedIds> {
  const held: Server[] = [];
  const ids: number[] = [];
  const inUse = idsInUse();
  for (let id = firstId; id < firstId + idCount && ids.length < count; id++) {
    if (inUse.has(id)) continue;
    const server = await listen(`\0inkproof-job-id-${id}`);
    if (!server) continue;
    held.push(server);
    ids.push(id);
  }
  return {
    ids,
    async release() {
      await Promise.all(held.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

/** Ids that some process of this machine runs as. */
function idsInUse(): Set<number> {
  const ids = new Set<number>();
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      ids.add(Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]));
    } catch {
      // ended meanwhile
    }
  }
  return ids;
}

function listen(address: string): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(null));
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}
