/** A backup file: a plain tar, written in one pass (sizes are filled in afterwards) and read by position. */

import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Header } from 'tar';

const blockBytes = 512;
const padding = (sizeBytes: number) => (blockBytes - (sizeBytes % blockBytes)) % blockBytes;

export interface ArchivedEntry {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Writes to a temporary file and renames it at the end: an interrupted backup never looks complete. */
export class ArchiveWriter {
  readonly #target: string;
  readonly #partial: string;
  readonly #handle: FileHandle;
  #position = 0;

  private constructor(target: string, partial: string, handle: FileHandle) {
    this.#target = target;
    this.#partial = partial;
    this.#handle = handle;
  }

  /** Only the current user may read it (0600). @throws Error when the folder cannot be written. */
  static async create(target: string): Promise<ArchiveWriter> {
    const partial = `${target}.partial-${process.pid}`;
    return new ArchiveWriter(target, partial, await open(partial, 'wx', 0o600));
  }

  /** Names are plain, at most 100 bytes. */
  async add(name: string, content: Readable | string): Promise<ArchivedEntry> {
    const start = this.#position;
    const hash: Hash = createHash('sha256');
    let sizeBytes = 0;
    this.#position += blockBytes;
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk);
        sizeBytes += chunk.length;
        this.#write(chunk).then(() => done(), done);
      },
    });
    try {
      await pipeline(typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content, sink);
    } catch (error) {
      this.#position = start;
      throw error;
    }
    await this.#write(Buffer.alloc(padding(sizeBytes)));
    const header = Buffer.alloc(blockBytes);
    new Header({ path: name, size: sizeBytes, mode: 0o600, mtime: new Date(), type: 'File' }).encode(header);
    await this.#handle.write(header, 0, blockBytes, start);
    return { sizeBytes, sha256: hash.digest('hex') };
  }

  async #write(bytes: Buffer): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#handle.write(
        bytes,
        written,
        bytes.length - written,
        this.#position,
      );
      written += bytesWritten;
      this.#position += bytesWritten;
    }
  }

  /** Completes the file under its own name, on the disk. */
  async finish(): Promise<void> {
    // truncate what a discarded entry has written beyond the end
    await this.#handle.truncate(this.#position);
    await this.#write(Buffer.alloc(2 * blockBytes));
    await this.#handle.sync();
    await this.#handle.close();
    await rename(this.#partial, this.#target);
    const folder = await open(path.dirname(path.resolve(this.#target)), 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#partial, { force: true });
  }
}

/** A tar's regular files by name, without reading their content. */
export class ArchiveReader {
  readonly #file: string;
  readonly #entries: Map<string, { start: number; sizeBytes: number }>;

  private constructor(file: string, entries: Map<string, { start: number; sizeBytes: number }>) {
    this.#file = file;
    this.#entries = entries;
  }

  /** @throws Error when it is not a complete tar. */
  static async open(file: string): Promise<ArchiveReader> {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const entries = new Map<string, { start: number; sizeBytes: number }>();
      const block = Buffer.alloc(blockBytes);
      for (let position = 0; ; ) {
        const { bytesRead } = await handle.read(block, 0, blockBytes, position);
        if (bytesRead < blockBytes) throw new Error('it ends before its end marker');
        if (block.every((byte) => byte === 0)) return new ArchiveReader(file, entries);
        const header = new Header(block, 0);
        if (!header.cksumValid || header.size === undefined || header.size < 0)
          throw new Error('it is not a tar file');
        const start = position + blockBytes;
        if (start + header.size > size) throw new Error('it is truncated');
        if (header.type === 'File' && header.path)
          entries.set(header.path, { start, sizeBytes: header.size });
        position = start + header.size + padding(header.size);
      }
    } finally {
      await handle.close();
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  read(name: string): Readable {
    const entry = this.#entries.get(name);
    if (!entry) throw new Error(`it has no ${name}`);
    if (entry.sizeBytes === 0) return Readable.from([]);
    return createReadStream(this.#file, { start: entry.start, end: entry.start + entry.sizeBytes - 1 });
  }

  async readText(name: string): Promise<string> {
    return text(this.read(name));
  }

  /** @throws Error when the entry is missing or does not match its checksum. */
  async verify(name: string, expected: ArchivedEntry): Promise<void> {
    const hash = createHash('sha256');
    for await (const chunk of this.read(name)) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== expected.sha256) throw new Error(`${name} is damaged`);
  }
}
