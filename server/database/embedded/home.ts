/**
 * The folder of a cluster, its home. It contains `data` (the cluster), `socket` and `log`, and belongs to the user that
 * runs PostgreSQL. Usually it is DATA_DIR/database; if that user cannot enter root's DATA_DIR (under /root), it is a
 * folder under /var/lib/inkproof. DATA_DIR/database-location records it, so that a later change of permissions or users
 * never makes an installation start with an empty database next to its old one.
 */
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { canEnter, chooseServerUser, type ServerUser } from './server-user.ts';

export interface ClusterHome {
  folder: string;
  /** PostgreSQL's own data folder. */
  data: string;
  /** The user that PostgreSQL runs as; null if it is this process's own. */
  user: ServerUser | null;
  /** Where binaries are copied to if the user cannot reach those in node_modules. */
  binariesRoot: string;
}

const systemRoot = '/var/lib/inkproof';
const locationFile = (dataDir: string) => path.join(dataDir, 'database-location');

/**
 * Finds the home of this installation's cluster; creates the folder if there is none yet.
 * @throws Error if the recorded home is missing, or belongs to a user that this process cannot switch to.
 */
export async function findClusterHome(dataDir: string): Promise<ClusterHome> {
  const recorded = (await readFile(locationFile(dataDir), 'utf8').catch(() => '')).trim();
  const local = path.join(realpathSync(dataDir), 'database');
  if (recorded) {
    // if the data folder was moved, its cluster has moved with it
    const folder = existsSync(recorded) || !existsSync(local) ? recorded : local;
    const owner = await stat(path.join(folder, 'data')).catch(() => null);
    if (!owner) {
      throw new Error(
        `The database of ${dataDir} should be in ${folder}, but is not there. Put it back; or, to start with an empty one ` +
          `(or with a backup: ./inkproof restore), remove ${locationFile(dataDir)}.`,
      );
    }
    const user = chooseServerUser({ uid: owner.uid, gid: owner.gid });
    if (!user && owner.uid !== process.getuid?.()) {
      throw new Error(
        `The database in ${folder} belongs to the system user ${owner.uid}. Run Inkproof as the user that created it (or as root), or set DATA_DIR to a folder of your own.`,
      );
    }
    return toHome(folder, user);
  }
  const user = chooseServerUser(null);
  const folder = !user || canEnter(user, dataDir) ? local : await systemHome(dataDir);
  if (user && !canEnter(user, path.dirname(folder))) {
    throw new Error(
      `The system user ${user.uid} cannot enter ${path.dirname(folder)}, where the database would be. Set DATA_DIR to a folder it can reach, or set DATABASE_URL.`,
    );
  }
  ownFolder(folder, user);
  return toHome(folder, user);
}

/** Written once the cluster exists. */
export async function recordClusterHome(dataDir: string, home: ClusterHome): Promise<void> {
  const file = locationFile(dataDir);
  const recorded = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (recorded === home.folder) return;
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${home.folder}\n`, { mode: 0o600 });
  await rename(temporary, file);
}

function toHome(folder: string, user: ServerUser | null): ClusterHome {
  return {
    folder,
    data: path.join(folder, 'data'),
    user,
    binariesRoot: user ? path.join(systemRoot, 'binaries') : path.join(path.dirname(folder), 'binaries'),
  };
}

async function systemHome(dataDir: string): Promise<string> {
  const hash = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12);
  await mkdir(systemRoot, { recursive: true, mode: 0o755 });
  return path.join(systemRoot, `${path.basename(path.dirname(path.resolve(dataDir)))}-${hash}`);
}

/** Creates `folder` in an existing parent, mode 0700, owned by the server's user. */
export function ownFolder(folder: string, user: ServerUser | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (user) chownSync(folder, user.uid, user.gid);
}

/** A Unix socket's address has at most 107 bytes, of which `/.s.PGSQL.5432` takes 14. */
const maxSocketFolderBytes = 107 - '/.s.PGSQL.5432'.length;

/**
 * The folder for the socket: in the home or, if that path is too long, a short one that only the server's user may
 * enter.
 * @throws Error if the short folder belongs to somebody else.
 */
export function provideSocketFolder(home: ClusterHome): string {
  const inHome = path.join(home.folder, 'socket');
  if (Buffer.byteLength(inHome) <= maxSocketFolderBytes) {
    ownFolder(inHome, home.user);
    return inHome;
  }
  const uid = home.user?.uid ?? process.getuid?.() ?? 0;
  const hash = createHash('sha256').update(home.folder).digest('hex').slice(0, 12);
  const short = `/tmp/inkproof-${uid}-${hash}`;
  try {
    mkdirSync(short, { mode: 0o700 });
    if (home.user) chownSync(short, home.user.uid, home.user.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // anybody can write to /tmp: a folder or link that another user has created must not be used
  const found = lstatSync(short);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new Error(
      `${short}, needed for the database's socket, is not a private folder of user ${uid}. Remove it, or set DATA_DIR to a shorter path.`,
    );
  }
  return short;
}

/** Sets aside a home under /var/lib whose DATA_DIR was removed and created again, because its passwords are lost. */
export async function setAsideOrphan(home: ClusterHome): Promise<string | null> {
  if (!home.folder.startsWith(`${systemRoot}/`)) return null;
  const movedTo = `${home.folder}.orphan-${new Date()
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 14)}`;
  await rename(home.folder, movedTo);
  ownFolder(home.folder, home.user);
  return movedTo;
}

/** Removes the remains of an interrupted initialisation. */
export function removeUnfinished(home: ClusterHome): void {
  rmSync(`${home.data}.unfinished`, { recursive: true, force: true });
}
