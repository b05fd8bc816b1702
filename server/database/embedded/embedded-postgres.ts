/**
 * The embedded PostgreSQL of one DATA_DIR. The first process to open it starts the server; others attach to it; the
 * last to close stops it. A server whose starter was killed can be attached to like any other.
 *
 * Every process keeps one connection with a shared advisory lock: its presence. The lock ends with its process, however
 * that ends, so the database itself knows which process is the last. Starting and stopping happen under one lock between
 * processes, so that never two do either at once.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { prepareDataDir } from '#platform/data-dir.ts';
import { withFileLock } from '#platform/file-lock.ts';
import { type PostgresBinaries, provideBinaries } from './binaries.ts';
import {
  type ClusterHome,
  findClusterHome,
  ownFolder,
  provideSocketFolder,
  recordClusterHome,
  setAsideOrphan,
} from './home.ts';
import {
  adminRole,
  applicationDatabase,
  applicationRole,
  checkClusterVersion,
  createApplicationDatabase,
  createCluster,
  type DatabasePasswords,
  hasCluster,
  hasPasswords,
  loadPasswords,
} from './initialise.ts';
import { findPostmaster, launchPostmaster, readPidFile, stopPostmaster } from './postmaster.ts';

export interface EmbeddedPostgres {
  /** For the application: not a superuser. */
  url: string;
  /** For tests and backups of entire clusters: the superuser, database `postgres`. */
  adminUrl: string;
  /** True when the server was already running. */
  attached: boolean;
  /** The cluster's folder; under DATA_DIR unless PostgreSQL's user cannot enter that. */
  location: string;
  /** Where the server writes its log. */
  logFolder: string;
  /** The server's process id, or null while it is down. */
  findServer(): number | null;
  /** Gives up presence; the last process also stops the server. */
  close(): Promise<void>;
}

interface OpenOptions {
  dataDir: string;
  /** Called with a sentence for the operator (where the cluster is, that the server was restarted). */
  onNotice?: (notice: string) => void;
}

/** Longest wait for another process's start or stop, and for a crashed cluster to recover. */
const timeoutMs = 120_000;
/** The advisory lock of presence ("INKP"), in the application's database. */
const presenceKey = 0x494e4b50;

/**
 * Opens the embedded PostgreSQL of `dataDir`; creates the cluster and starts the server if necessary.
 * @throws DatabaseVersionError if the cluster is of another major version; otherwise Error with a message for the
 * operator
 */
export async function openEmbeddedPostgres(options: OpenOptions): Promise<EmbeddedPostgres> {
  const { dataDir, onNotice = () => {} } = options;
  await prepareDataDir(dataDir);
  const lockFile = path.join(dataDir, 'database.lock');
  const locked = <T>(use: () => Promise<T>) => withFileLock(lockFile, timeoutMs, use);

  let closing = false;
  const first = await locked(() => startOrAttach(dataDir, onNotice));
  let presence = first.presence;
  watch(presence);

  /** Restarts the server when presence is lost: it has crashed or was killed, for nobody stops it while we are present. */
  function watch(client: pg.Client): void {
    client.once('end', async () => {
      for (let attempt = 0; !closing; attempt++) {
        try {
          const again = await locked(() => startOrAttach(dataDir, onNotice));
          presence = again.presence;
          if (closing) return await presence.end();
          onNotice(
            again.attached ? 'the database came back' : 'the database had stopped and was started again',
          );
          return watch(presence);
        } catch (error) {
          if (attempt === 0) onNotice(`the database is down: ${(error as Error).message}`);
          await sleep(Math.min(10_000, 250 * 2 ** attempt), undefined, { ref: false });
        }
      }
    });
  }

  return {
    url: first.url,
    adminUrl: first.adminUrl,
    attached: first.attached,
    location: first.home.folder,
    logFolder: path.join(first.home.folder, 'log'),
    findServer: () => findPostmaster(first.home),
    async close() {
      if (closing) return;
      closing = true;
      await locked(async () => {
        const isLast = await leave(presence);
        if (isLast) await stopPostmaster(first.home);
        await presence.end().catch(() => {});
      });
    },
  };
}

/** Gives up presence; true if no other process is present, or the server is down. */
async function leave(presence: pg.Client): Promise<boolean> {
  try {
    await presence.query('SELECT pg_advisory_unlock_shared($1)', [presenceKey]);
    const { rows } = await presence.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1) AS last', [
      presenceKey,
    ]);
    return rows[0]?.last === true;
  } catch {
    return true;
  }
}

interface Started {
  home: ClusterHome;
  url: string;
  adminUrl: string;
  attached: boolean;
  presence: pg.Client;
}

/** Call only under the lock. */
async function startOrAttach(dataDir: string, onNotice: (notice: string) => void): Promise<Started> {
  const home = await findClusterHome(dataDir);
  const binaries = await provideBinaries(home.user, home.binariesRoot);
  if (hasCluster(home)) {
    checkClusterVersion(home, dataDir, binaries);
    if (!hasPasswords(dataDir)) await setAsideOrRefuse(home, dataDir, onNotice);
  }
  const passwords = await loadPasswords(dataDir);
  const isNew = !hasCluster(home);
  if (isNew) createCluster(home, binaries, passwords);
  await recordClusterHome(dataDir, home);
  if (isNew && path.dirname(home.folder) !== realpathSync(dataDir))
    onNotice(`the database is kept in ${home.folder}`);

  const { attached, socketFolder } = await ensureServer(home, binaries, passwords);
  const adminUrl = connectionUrl(adminRole, passwords.admin, 'postgres', socketFolder);
  const url = connectionUrl(applicationRole, passwords.application, applicationDatabase, socketFolder);
  await createApplicationDatabase(adminUrl, passwords);
  const presence = new pg.Client({
    connectionString: url,
    application_name: `inkproof presence ${process.pid}`,
    keepAlive: true,
  });
  // a lost connection reports several errors; `watch` acts on its end
  presence.on('error', () => {});
  await presence.connect();
  await presence.query('SELECT pg_advisory_lock_shared($1)', [presenceKey]);
  return { home, url, adminUrl, attached, presence };
}

async function setAsideOrRefuse(
  home: ClusterHome,
  dataDir: string,
  onNotice: (notice: string) => void,
): Promise<void> {
  const running = findPostmaster(home);
  const movedTo = running === null ? await setAsideOrphan(home) : null;
  if (movedTo)
    return onNotice(`${dataDir} is new, so the previous installation’s database was moved to ${movedTo}`);
  throw new Error(
    running === null
      ? `The database in ${home.folder} exists, but its passwords (${dataDir}/secrets/database.json) are missing. Put that file back, or move ${home.folder} aside and restore a backup.`
      : `${dataDir} is new, but the previous installation’s database server is still running (process ${running}). Stop the Inkproof that uses it first.`,
  );
}

async function ensureServer(
  home: ClusterHome,
  binaries: PostgresBinaries,
  passwords: DatabasePasswords,
): Promise<{ attached: boolean; socketFolder: string }> {
  const deadline = Date.now() + timeoutMs;
  const answers = (socketFolder: string) =>
    probe(connectionUrl(adminRole, passwords.admin, 'postgres', socketFolder));
  // Try the socket before trusting process ids, which mean nothing in another container's pid namespace.
  const known = readPidFile(home)?.socketFolder || provideSocketFolder(home);
  for (;;) {
    const state = await answers(known);
    if (state === 'ready') return { attached: true, socketFolder: known };
    if (state === 'silent' && findPostmaster(home) === null) break;
    if (Date.now() > deadline)
      throw new Error('The database server is running but did not become ready within two minutes.');
    await sleep(50);
  }
  ownFolder(path.join(home.folder, 'log'), home.user);
  const socketFolder = provideSocketFolder(home);
  let launched = launchPostmaster(home, binaries, socketFolder);
  for (;;) {
    if ((await answers(socketFolder)) === 'ready') return { attached: false, socketFolder };
    const failure = launched.failure();
    if (Date.now() > deadline || (failure !== null && !isPassing(failure))) {
      throw new Error(
        `The embedded PostgreSQL in ${home.folder} did not start: ${failure ?? 'it was not ready within two minutes'}`,
      );
    }
    if (failure !== null) {
      await sleep(200);
      launched = launchPostmaster(home, binaries, socketFolder);
    }
    await sleep(30);
  }
}

/** Children of a killed postmaster hold its shared memory until they notice, which takes a moment. */
const isPassing = (failure: string) =>
  /shared memory block .* is still in use|lock file .* already exists/s.test(failure);

type ServerState = 'ready' | 'starting' | 'silent';

/** @throws Error if a server responds that does not accept our password, and so is not ours. */
async function probe(url: string): Promise<ServerState> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '28P01')
      throw new Error('The database server refuses the password in DATA_DIR/secrets/database.json.', {
        cause: error,
      });
    // 57P03: starting up, shutting down or recovering; 53300: out of connections, so running
    return code === '57P03' ? 'starting' : code === '53300' ? 'ready' : 'silent';
  } finally {
    await client.end().catch(() => {});
  }
}

function connectionUrl(role: string, password: string, database: string, socketFolder: string): string {
  return `postgres://${role}:${password}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`;
}
