/** Stores files in a folder. An object is written outside the tree, synced, then renamed into place. */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { splitKey, splitPrefix } from './keys.ts';
import { type Storage, StorageNotFound, type StoredObject } from './storage.ts';

/** Longest file name that all common file systems support, in bytes. */
const maxNameBytes = 255;
/** A parent folder may be removed between its creation and the rename; the move is then retried. */
const maxMoveTries = 5;

/**
 * A key's segment as a file name: special characters are written as %XX, also a leading dot, so that `.tmp` is never a
 * key.
 */
function encodeSegment(segment: string): string {
  const name = encodeURIComponent(segment)
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .replace(/^\./, '%2E');
  if (name.length > maxNameBytes)
    throw new Error(`a storage key's segment is too long: ${name.slice(0, 100)}…`);
  return name;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

const inKeyOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A disk or network folder that is missing, broken, read-only or no longer ours. */
const lostFolder = new Set(['EIO', 'EROFS', 'ESTALE', 'ENODEV', 'ENOTCONN', 'EACCES', 'EPERM', 'ETIMEDOUT']);

/** Why an error means that the storage is unavailable, for the operator; null if it does not. */
export function explainFolderFailure(error: unknown): string | null {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined && lostFolder.has(code)
    ? `its folder cannot be used (${code})`
    : null;
}

/** Opens the folder `root`, which is created at the first write. */
export function openFolderStorage(root: string): Storage {
  const base = path.resolve(root);
  const temporary = path.join(base, '.tmp');
  const pathOf = (segments: string[]): string => path.join(base, ...segments.map(encodeSegment));

  async function syncFolder(folder: string): Promise<void> {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async function move(from: string, to: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
      try {
        await rename(from, to);
        return await syncFolder(path.dirname(to));
      } catch (error) {
        if (!isMissing(error) || attempt === maxMoveTries) throw error;
      }
    }
  }

  async function removeEmptyParents(file: string): Promise<void> {
    for (let folder = path.dirname(file); folder.length > base.length; folder = path.dirname(folder)) {
      try {
        await rmdir(folder);
      } catch (error) {
        if (!isMissing(error)) return; // not empty, or in use
      }
    }
  }

  async function put(key: string, body: Readable | Uint8Array): Promise<StoredObject> {
    const target = pathOf(splitKey(key));
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    const draft = path.join(temporary, randomUUID());
    try {
      const source = body instanceof Readable ? body : Readable.from([body]);
      // flush: fsync before closing, so that a crash after the rename never leaves half a file
      await pipeline(source, createWriteStream(draft, { flush: true, mode: 0o600 }));
      const { size } = await stat(draft);
      await move(draft, target);
      return { key, sizeBytes: size };
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      await rm(draft, { force: true });
      throw error;
    }
  }

  async function* walk(folder: string, prefix: string): AsyncGenerator<StoredObject> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    // a folder sorts as its name with "/", as its objects' keys do
    const named = entries
      .filter((entry) => !entry.name.startsWith('.'))
      .map((entry) => ({ entry, name: decodeURIComponent(entry.name) + (entry.isDirectory() ? '/' : '') }))
      .sort((a, b) => inKeyOrder(a.name, b.name));
    for (const { entry, name } of named) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) yield* walk(full, prefix + name);
      else {
        const size = await stat(full).then(
          (found) => found.size,
          () => null, // deleted in the meantime
        );
        if (size !== null) yield { key: prefix + name, sizeBytes: size };
      }
    }
  }

  async function onFile<T>(key: string, use: (file: string) => Promise<T>): Promise<T> {
    const file = pathOf(splitKey(key));
    const isFile = await stat(file).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isFile) throw new StorageNotFound(key);
    return use(file);
  }

  return {
    put,
    getStream: (key) =>
      onFile(key, async (file) => {
        const handle = await open(file, 'r').catch((error: unknown) => {
          throw isMissing(error) ? new StorageNotFound(key) : error;
        });
        return createReadStream('', { fd: handle });
      }),
    getBytes: (key) =>
      onFile(key, (file) =>
        readFile(file).catch((error: unknown) => {
          throw isMissing(error) ? new StorageNotFound(key) : error;
        }),
      ),
    withLocalFile: onFile,
    list: (prefix) => walk(pathOf(splitPrefix(prefix)), prefix),
    async delete(key) {
      const file = pathOf(splitKey(key));
      await rm(file, { force: true }).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
      await removeEmptyParents(file);
    },
    async deletePrefix(prefix) {
      const folder = pathOf(splitPrefix(prefix));
      // retried: another process may still be writing its last object into it
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      await removeEmptyParents(folder);
    },
    async check() {
      await mkdir(temporary, { recursive: true, mode: 0o700 });
      const probe = path.join(temporary, `check-${randomUUID()}`);
      // one byte, written through: an empty file can be created even on a full disk
      await writeFile(probe, 'x', { flag: 'wx', mode: 0o600, flush: true }).finally(() =>
        rm(probe, { force: true }),
      );
    },
  };
}
