import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecretKeys, prepareDataDir, privateFolders, readOrCreateSecret } from './data-dir.ts';
import { parseEnv } from './env.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-data-dir-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;

test('nobody else can list a new data folder, or enter its contents', async () => {
  const dataDir = path.join(folder, 'a/b/data');
  await prepareDataDir(dataDir);
  expect(modeOf(dataDir)).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
  for (const name of privateFolders) expect(modeOf(path.join(dataDir, name))).toBe(0o700);
});

test('an existing folder keeps the mode its owner has given it', async () => {
  const dataDir = path.join(folder, 'data');
  mkdirSync(dataDir);
  writeFileSync(path.join(dataDir, 'note'), '');
  chmodSync(dataDir, 0o750);
  await prepareDataDir(dataDir);
  expect(modeOf(dataDir)).toBe(0o750);
});

// root may write everywhere
test.skipIf(process.getuid?.() === 0)('another user’s data folder is reported, with what to do', async () => {
  const theirs = path.join(folder, 'theirs');
  mkdirSync(theirs, { mode: 0o500 });
  await expect(prepareDataDir(path.join(theirs, 'data'))).rejects.toThrow(
    `chown -R ${process.getuid?.()}:${process.getgid?.()} `,
  );
});

test('processes that start together share one secret, which only their user can read', async () => {
  const file = path.join(folder, 'secrets/key');
  let made = 0;
  const secrets = await Promise.all(
    Array.from({ length: 20 }, () => readOrCreateSecret(file, () => `secret ${made++}`)),
  );
  expect(new Set(secrets).size).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe(secrets[0]);
  expect(modeOf(file)).toBe(0o600);
});

test('cookies are signed with the configured key, or else with one generated once', async () => {
  const key = 'k'.repeat(40);
  const load = (settings: Record<string, string>) =>
    loadSecretKeys(parseEnv({ DATA_DIR: folder, ...settings }));
  expect(await load({ SECRET_KEY: key })).toEqual({ present: key, former: [] });
  const former = ['f'.repeat(40), 'g'.repeat(40)];
  expect(await load({ SECRET_KEY: key, FORMER_SECRET_KEYS: former.join(', ') })).toEqual({
    present: key,
    former,
  });
  const made = await load({});
  expect(made).toEqual({ present: expect.stringMatching(/^[0-9a-f]{64}$/), former: [] });
  expect(await load({})).toEqual(made);
});
