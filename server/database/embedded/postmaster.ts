/** The server process of a cluster: finds, starts and stops it. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, fchownSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryAllowance } from '#platform/work/memory.ts';
import type { PostgresBinaries } from './binaries.ts';
import type { ClusterHome } from './home.ts';

export interface PidFile {
  pid: number;
  /** Folder of the Unix socket. */
  socketFolder: string;
}

/** Reads `postmaster.pid`; null if it is missing or incomplete. */
export function readPidFile(home: ClusterHome): PidFile | null {
  let lines: string[];
  try {
    lines = readFileSync(path.join(home.data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 1 ? { pid, socketFolder: lines[4] ?? '' } : null;
}

/**
 * True if `pid` is a running postmaster of this cluster. A zombie does not count (nobody has waited for it, as in a
 * container without an init), nor does an id that another program has since received.
 */
function isPostmasterAlive(home: ClusterHome, pid: number): boolean {
  if (process.platform === 'linux') {
    try {
      const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)\s*/s, '');
      if (/^[ZXx]/.test(afterName)) return false;
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(home.data);
    } catch {
      return false;
    }
  }
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'state=,command=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  return Boolean(stdout) && !stdout.trimStart().startsWith('Z') && stdout.includes(home.data);
}

/** The process id of this cluster's running postmaster, or null. */
export function findPostmaster(home: ClusterHome): number | null {
  const file = readPidFile(home);
  return file && isPostmasterAlive(home, file.pid) ? file.pid : null;
}

export interface LaunchedPostmaster {
  /** Its output before it exited; null while it runs. */
  failure(): string | null;
}

/**
 * Starts a postmaster that outlives this process. Call only if none is running.
 *
 * Its log never contains users' content: statements, parameters and error details are left out, and errors themselves
 * reach only the application.
 */
export function launchPostmaster(
  home: ClusterHome,
  binaries: PostgresBinaries,
  socketFolder: string,
): LaunchedPostmaster {
  // PostgreSQL trusts a pid file whose id exists, even if another program or a zombie has it now. Shared memory is
  // keyed by the data folder, so that a start while children of a killed postmaster survive still fails.
  for (const stale of [
    path.join(home.data, 'postmaster.pid'),
    path.join(socketFolder, '.s.PGSQL.5432.lock'),
    path.join(socketFolder, '.s.PGSQL.5432'),
  ])
    rmSync(stale, { force: true });
  const settings = {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: `${memoryAllowance().databaseCacheBytes / 1024}kB`,
    // our queries are short: compiling them costs more than it saves, and loads LLVM into each connection
    jit: 'off',
    // there is no replication, and one reader ahead is enough for short queries
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    io_workers: '1',
    autovacuum_max_workers: '1',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    logging_collector: 'on',
    log_directory: path.join(home.folder, 'log'),
    log_filename: 'postgresql-%Y-%m-%d.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_file_mode: '0600',
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length_on_error: '0',
  };
  const outputFile = path.join(home.folder, 'startup.log');
  const output = openSync(outputFile, 'w', 0o600);
  // started by root this time, perhaps by the owner the next
  if (home.user) fchownSync(output, home.user.uid, home.user.gid);
  const child = spawn(
    binaries.postgres,
    [
      '-D',
      home.data,
      '-k',
      socketFolder,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      cwd: home.folder,
      env: serverEnvironment,
      stdio: ['ignore', output, output],
      detached: true,
      ...home.user,
    },
  );
  closeSync(output);
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', async (code, signal) => {
    // the logging process briefly outlives the postmaster
    await sleep(200);
    const startOutput = `${readEnd(outputFile)}${readLogOf(settings.log_directory, child.pid)}`;
    failure = startOutput.trim() || `it ended with ${signal ?? `exit status ${code}`}`;
  });
  child.unref();
  return { failure: () => failure };
}

/** The lines of process `pid` in the newest log file, which has the reason of a start that failed after logging began. */
function readLogOf(folder: string, pid: number | undefined): string {
  const newest = existsSync(folder) ? readdirSync(folder).sort().at(-1) : undefined;
  if (newest === undefined) return '';
  const lines = readEnd(path.join(folder, newest)).split('\n');
  return lines.filter((line) => line.includes(` [${pid}] `)).join('\n');
}

/** The last 4,000 characters; empty if the file is missing, as after removal of a data folder. */
function readEnd(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(-4000);
  } catch {
    return '';
  }
}

/** The environment of PostgreSQL's processes, without our settings and keys. */
export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Stops the postmaster with a "fast" shutdown: connections are closed, committed data is on disk. After 30 s it is
 * stopped immediately, which the next start repairs from the write-ahead log.
 * @throws Error if it is still running after 40 s.
 */
export async function stopPostmaster(home: ClusterHome): Promise<void> {
  const pid = findPostmaster(home);
  if (pid === null) return;
  for (const [signal, timeoutMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      if (!isPostmasterAlive(home, pid)) return;
      await sleep(20);
    }
  }
  throw new Error(`The database server (process ${pid}) did not end.`);
}
