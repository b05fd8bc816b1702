/** Turns a storage's failures into outages: reported to the operator once, and answered with 503. */
import type { Readable } from 'node:stream';
import { findAbsence, markAbsence } from '#platform/absence.ts';
import type { Outages } from '#platform/outages.ts';
import type { Storage } from './storage.ts';

interface GuardOptions {
  outages: Outages;
  /** Why a failure means that the storage is unavailable, for the operator; null if it does not. */
  explain(error: unknown): string | null;
}

export function guardStorage(storage: Storage, { outages, explain }: GuardOptions): Storage {
  /** @param isWrite a successful write shows that there is space */
  async function guard<T>(call: () => Promise<T>, isWrite = false): Promise<T> {
    try {
      const value = await call();
      outages.works('storage');
      if (isWrite) outages.works('disk');
      return value;
    } catch (error) {
      if (findAbsence(error) === 'disk')
        outages.failed('disk', 'a file could not be stored for lack of space');
      else {
        const reason = explain(error);
        if (reason !== null) {
          markAbsence(error, 'storage');
          outages.failed('storage', reason);
        }
      }
      throw error;
    }
  }
  return {
    put: (key, body: Readable | Uint8Array, options) => guard(() => storage.put(key, body, options), true),
    getStream: (key) => guard(() => storage.getStream(key)),
    getBytes: (key) => guard(() => storage.getBytes(key)),
    // errors thrown by `use` pass unchanged: only the adapter's own failures are outages
    withLocalFile: (key, use) => guard(() => storage.withLocalFile(key, use)),
    list: (prefix) => storage.list(prefix),
    delete: (key) => guard(() => storage.delete(key)),
    deletePrefix: (prefix) => guard(() => storage.deletePrefix(prefix)),
    check: () => guard(() => storage.check(), true),
  };
}
