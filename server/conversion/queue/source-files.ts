/**
 * Local copies of uploaded files. Storages without local files provide copies; all pages of a file share one
 * copy.
 */
import type { Storage } from '../../storage/storage.ts';

export interface SourceFiles {
  /**
   * Runs `use` with the file's local path.
   * @throws StorageNotFound
   */
  use<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Releases every unused copy. */
  close(): Promise<void>;
}

interface OpenFile {
  path: Promise<string>;
  users: number;
  /** Ends the storage's `withLocalFile`, which removes the copy. */
  release: () => void;
  released: Promise<void>;
  timer?: NodeJS.Timeout;
}

/** How long a copy outlives its last user, in ms: the file's next page usually follows at once. */
const lingerMs = 10_000;

export function createSourceFiles(storage: Storage): SourceFiles {
  const open = new Map<string, OpenFile>();

  const acquire = (key: string): OpenFile => {
    const known = open.get(key);
    if (known) {
      clearTimeout(known.timer);
      known.users++;
      return known;
    }
    const path = Promise.withResolvers<string>();
    const end = Promise.withResolvers<void>();
    const released = storage
      .withLocalFile(key, async (local) => {
        path.resolve(local);
        await end.promise;
      })
      .catch((error: unknown) => {
        path.reject(error);
      })
      .finally(() => {
        if (open.get(key) === file) open.delete(key);
      });
    const file: OpenFile = { path: path.promise, users: 1, release: end.resolve, released };
    open.set(key, file);
    return file;
  };

  return {
    async use(key, use) {
      const file = acquire(key);
      try {
        return await use(await file.path);
      } finally {
        file.users--;
        if (file.users === 0) {
          file.timer = setTimeout(() => {
            if (open.get(key) === file) open.delete(key);
            file.release();
          }, lingerMs);
          file.timer.unref();
        }
      }
    },
    async close() {
      const idle = [...open.values()].filter((file) => file.users === 0);
      for (const file of idle) {
        clearTimeout(file.timer);
        file.release();
      }
      await Promise.all(idle.map((file) => file.released));
    },
  };
}
