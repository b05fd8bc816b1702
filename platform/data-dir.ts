/** The data folder: who may read it, and the secrets generated in it. */
import { randomBytes } from 'node:crypto';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Env } from './env.ts';

/** Folders under DATA_DIR, accessible only to the user that runs Inkproof (mode 0700). */
export const privateFolders = ['files', 'logs', 'secrets'] as const;

/**
 * Creates the data folder and its private folders. Run by root, the data folder itself may be traversed (0711),
 * because the database server then runs as another user; others cannot list it. An existing empty folder gets
 * this mode too; one with content keeps its mode.
 * @throws with a sentence for the operator if this user may not write there
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    await mkdir(dataDir, { recursive: true });
    if ((await readdir(dataDir)).length === 0) await chmod(dataDir, mode);
    for (const folder of privateFolders)
      await mkdir(path.join(dataDir, folder), { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'EACCES') throw error;
    const { uid, gid } = os.userInfo();
    throw new Error(
      `The data folder ${dataDir} is not writable. Give it to the user that runs Inkproof (chown -R ${uid}:${gid} ${dataDir}), or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
}

/** Writes one byte under the data folder, through to the disk. @throws if there is no space, or no permission */
export async function checkRoom(dataDir: string): Promise<void> {
  const probe = path.join(dataDir, `.check-${randomBytes(8).toString('hex')}`);
  await writeFile(probe, 'x', { flag: 'wx', mode: 0o600, flush: true }).finally(() =>
    rm(probe, { force: true }),
  );
}

/**
 * A folder for temporary work (TeX jobs), the same for every process of this user on this machine, so that one
 * finds what a killed one has left. Under the system's temporary folder, because jobs of other users must be
 * able to reach theirs; nobody else may write to it.
 */
export async function provideWorkDir(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const folder = path.join(os.tmpdir(), `inkproof-work-${uid}`);
  await mkdir(folder, { mode: 0o711 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return folder;
  // somebody else has put something there first
  const own = await mkdtemp(`${folder}-`);
  await chmod(own, 0o711);
  return own;
}

/**
 * Returns the file's content, first creating it (mode 0600) from `generate` if missing. Two processes that
 * start at once end up with the same secret: the first complete file wins.
 */
export async function readOrCreateSecret(file: string, generate: () => string): Promise<string> {
  const existing = await readFile(file, 'utf8').catch(() => null);
  if (existing !== null) return existing;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(generate());
    await handle.sync();
  } finally {
    await handle.close();
  }
  // link, unlike rename, refuses to replace what another process has put there in the meantime
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(temporary, { force: true });
  return readFile(file, 'utf8');
}

/** The installation's key, and its predecessors, newest first. */
export interface SecretKeys {
  present: string;
  former: readonly string[];
}

type KeySettings = Pick<Env, 'SECRET_KEY' | 'FORMER_SECRET_KEYS' | 'DATA_DIR'>;

const secretKeyFile = ({ DATA_DIR }: KeySettings) => path.join(DATA_DIR, 'secrets', 'secret-key');
const makeSecretKey = () => randomBytes(32).toString('hex');

/**
 * SECRET_KEY and FORMER_SECRET_KEYS, else one generated into DATA_DIR/secrets: one key per line, the present
 * one first.
 */
export async function loadSecretKeys(env: KeySettings): Promise<SecretKeys> {
  if (env.SECRET_KEY) return { present: env.SECRET_KEY, former: env.FORMER_SECRET_KEYS };
  const text = await readOrCreateSecret(secretKeyFile(env), () => `${makeSecretKey()}\n`);
  const [present = '', ...former] = text.split('\n').filter(Boolean);
  return { present, former: [...former, ...env.FORMER_SECRET_KEYS] };
}

/** Replaces the present key in DATA_DIR/secrets with a new one. Written completely or not at all. */
export async function replaceSecretKey(env: KeySettings): Promise<SecretKeys> {
  const { present, former } = await loadSecretKeys({ ...env, FORMER_SECRET_KEYS: [] });
  const keys = { present: makeSecretKey(), former: [present, ...former] };
  await writeSecretKeys(env, keys);
  return keys;
}

/** Makes the present key in DATA_DIR/secrets the only one. */
export async function forgetFormerKeys(env: KeySettings): Promise<void> {
  const { present } = await loadSecretKeys(env);
  await writeSecretKeys(env, { present, former: [] });
}

async function writeSecretKeys(env: KeySettings, { present, former }: SecretKeys): Promise<void> {
  const file = secretKeyFile(env);
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile([present, ...former].map((key) => `${key}\n`).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
