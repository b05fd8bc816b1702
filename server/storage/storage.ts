/**
 * The interface through which files are stored. Two adapters: a folder, and S3. Keys are `/`-separated and never
 * absolute.
 */
import type { Readable } from 'node:stream';

export interface StoredObject {
  key: string;
  sizeBytes: number;
}

export interface Storage {
  /** Writes a whole object; it appears under its key only when complete. Replaces an existing one. */
  put(key: string, body: Readable | Uint8Array, options?: { contentType?: string }): Promise<StoredObject>;
  /** @throws StorageNotFound */
  getStream(key: string): Promise<Readable>;
  /** @throws StorageNotFound */
  getBytes(key: string): Promise<Uint8Array>;
  /**
   * Runs `use` with the object as a local file (a copy that is removed afterwards, if the adapter has no local files).
   * @throws StorageNotFound
   */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Every object under a prefix, in key order. A prefix ends with `/`. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Missing objects are no error. */
  delete(key: string): Promise<void>;
  /** Deletes everything under a prefix that ends with `/`. */
  deletePrefix(prefix: string): Promise<void>;
  /** Resolves if the storage can be reached and written to; for /readyz. */
  check(): Promise<void>;
}

export class StorageNotFound extends Error {
  constructor(key: string) {
    super(`nothing is stored under ${key}`);
    this.name = 'StorageNotFound';
  }
}
