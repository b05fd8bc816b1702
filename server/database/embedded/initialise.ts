/** Creates a new cluster, with the role and database that the application uses. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { readOrCreateSecret } from '#platform/data-dir.ts';
import { createRequestRoles } from '../request-roles.ts';
import type { PostgresBinaries } from './binaries.ts';
import { type ClusterHome, removeUnfinished } from './home.ts';
import { serverEnvironment } from './postmaster.ts';
import { isCurrentUserNamed } from './server-user.ts';

/** PostgreSQL's superuser, for the launcher and for tests only. */
export const adminRole = 'inkproof_admin';
/** The role that the application connects as: owner of its database, without further rights. */
export const applicationRole = 'inkproof';
export const applicationDatabase = 'inkproof';

export interface DatabasePasswords {
  admin: string;
  application: string;
}

const passwordFile = (dataDir: string) => path.join(dataDir, 'secrets', 'database.json');

export const hasPasswords = (dataDir: string): boolean => existsSync(passwordFile(dataDir));

/** The passwords of this installation's cluster, generated on first use (DATA_DIR/secrets/database.json, 0600). */
export async function loadPasswords(dataDir: string): Promise<DatabasePasswords> {
  const text = await readOrCreateSecret(passwordFile(dataDir), () => {
    const generate = () => randomBytes(24).toString('hex');
    return `${JSON.stringify({ admin: generate(), application: generate() })}\n`;
  });
  return JSON.parse(text) as DatabasePasswords;
}

/** True if the home contains a cluster. */
export const hasCluster = (home: ClusterHome): boolean => existsSync(path.join(home.data, 'PG_VERSION'));

/**
 * The data folder was written by a major version of PostgreSQL other than the one that Inkproof includes.
 * Nothing has been changed.
 */
class DatabaseVersionError extends Error {
  constructor(home: ClusterHome, dataDir: string, found: string, brought: number) {
    super(
      `The database in ${home.data} was written by PostgreSQL ${found}; this Inkproof includes PostgreSQL ${brought}, which cannot read it. ` +
        `Nothing was changed. To upgrade: with the Inkproof release that wrote it, run "./inkproof backup notes.tar"; ` +
        `move ${dataDir} aside; then, with this release, run "./inkproof restore notes.tar".`,
    );
    this.name = 'DatabaseVersionError';
  }
}

/** @throws DatabaseVersionError */
export function checkClusterVersion(home: ClusterHome, dataDir: string, binaries: PostgresBinaries): void {
  const found = readFileSync(path.join(home.data, 'PG_VERSION'), 'utf8').trim();
  if (Number(found) !== binaries.majorVersion)
    throw new DatabaseVersionError(home, dataDir, found, binaries.majorVersion);
}

/** Runs initdb next to the final path and renames, so that a killed one leaves nothing that looks like a cluster. */
export function createCluster(
  home: ClusterHome,
  binaries: PostgresBinaries,
  passwords: DatabasePasswords,
): void {
  const unfinished = `${home.data}.unfinished`;
  const pwfile = path.join(home.folder, 'initial-password');
  removeUnfinished(home);
  try {
    writeFileSync(pwfile, `${passwords.admin}\n`, { mode: 0o600 });
    if (home.user) chownSync(pwfile, home.user.uid, home.user.gid);
    const options = [
      ['--pgdata', unfinished],
      ['--username', adminRole],
      ['--pwfile', pwfile],
      ['--auth', 'scram-sha-256'],
      ['--encoding', 'UTF8'],
      ['--locale-provider', 'builtin'],
      ['--builtin-locale', 'C.UTF-8'],
      ['--locale', 'C'],
      ['--data-checksums'],
    ].flat();
    const [command, args] =
      home.user || isCurrentUserNamed()
        ? [binaries.initdb, options]
        : withInventedName(home, binaries.initdb, options);
    const made = spawnSync(command as string, args as string[], {
      cwd: home.folder,
      env: serverEnvironment,
      encoding: 'utf8',
      ...home.user,
    });
    if (made.status !== 0) {
      throw new Error(
        `The database could not be initialised in ${home.folder}: ${(made.error?.message ?? made.stderr).trim()}`,
      );
    }
    renameSync(unfinished, home.data);
  } finally {
    rmSync(pwfile, { force: true });
    rmSync(path.join(home.folder, 'passwd'), { force: true });
    removeUnfinished(home);
  }
}

/** initdb requires a name for its user id; if /etc/passwd has none, bubblewrap shows it one of ours. */
function withInventedName(home: ClusterHome, command: string, options: string[]): [string, string[]] {
  const file = path.join(home.folder, 'passwd');
  const uid = process.getuid?.() ?? 0;
  writeFileSync(file, `inkproof:x:${uid}:${process.getgid?.() ?? uid}::/:/bin/sh\n`);
  return ['bwrap', ['--dev-bind', '/', '/', '--ro-bind', file, '/etc/passwd', '--', command, ...options]];
}

/** Creates the application's role and database, and the roles it reads as, if missing. Safe to repeat. */
export async function createApplicationDatabase(
  adminUrl: string,
  passwords: DatabasePasswords,
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      'SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role, EXISTS (SELECT FROM pg_database WHERE datname = $2) AS database',
      [applicationRole, applicationDatabase],
    );
    if (!rows[0]?.role) {
      await client.query(
        `CREATE ROLE ${applicationRole} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${client.escapeLiteral(passwords.application)}`,
      );
    }
    if (!rows[0]?.database)
      await client.query(`CREATE DATABASE ${applicationDatabase} OWNER ${applicationRole}`);
    await createRequestRoles(client, applicationRole);
  } finally {
    await client.end();
  }
}
