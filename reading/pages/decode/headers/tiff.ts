import type { PictureHeader } from './header.ts';

export interface TiffPage {
  /** Place among all the file's directories, thumbnails included. */
  directory: number;
  width: number;
  height: number;
}

/** More directories than any document has; the chain is followed no further. */
const maxDirectories = 10_000;
const tags = {
  subfileType: 254,
  width: 256,
  height: 257,
  stripOffsets: 273,
  stripBytes: 279,
  tileOffsets: 324,
  tileBytes: 325,
};
/** Bytes of the field types that the tags above come in: SHORT, LONG, LONG8. */
const typeBytes: Record<number, number> = { 3: 2, 4: 4, 16: 8 };

class OutOfFile extends Error {}

/** Reads numbers in the file's own byte order. */
class Reader {
  readonly isBig: boolean;
  private readonly file: Buffer;
  private readonly isLittle: boolean;

  constructor(file: Buffer) {
    this.file = file;
    this.isLittle = file[0] === 0x49;
    this.isBig = this.number(2, 2) === 43;
  }

  get length(): number {
    return this.file.length;
  }

  number(offset: number, bytes: number): number {
    if (offset < 0 || offset + bytes > this.file.length) throw new OutOfFile();
    if (bytes === 8) {
      const value = this.isLittle ? this.file.readBigUInt64LE(offset) : this.file.readBigUInt64BE(offset);
      return Number(value);
    }
    return this.isLittle ? this.file.readUIntLE(offset, bytes) : this.file.readUIntBE(offset, bytes);
  }

  /** The values of a directory entry of a whole-number type, at most `limit` of them. */
  values(entry: number, limit: number): number[] {
    const size = typeBytes[this.number(entry + 2, 2)];
    if (!size) return [];
    const count = this.number(entry + 4, this.isBig ? 8 : 4);
    const place = entry + (this.isBig ? 12 : 8);
    const inline = this.isBig ? 8 : 4;
    const start = count * size <= inline ? place : this.number(place, inline);
    return Array.from({ length: Math.min(count, limit) }, (_, index) =>
      this.number(start + index * size, size),
    );
  }
}

/**
 * Follows the chain of directories. Reduced copies of other pages (thumbnails) are not pages. A chain that runs in a
 * circle ends where it meets itself.
 */
export function readTiffPages(
  file: Buffer,
): { kind: 'whole'; pages: TiffPage[] } | { kind: 'cut' | 'damaged' } {
  try {
    const reader = new Reader(file);
    const [countBytes, entryBytes, offsetBytes] = reader.isBig ? [8, 20, 8] : [2, 12, 4];
    const pages: TiffPage[] = [];
    const seen = new Set<number>();
    let offset = reader.number(reader.isBig ? 8 : 4, offsetBytes);
    for (let directory = 0; offset !== 0 && !seen.has(offset) && directory < maxDirectories; directory++) {
      seen.add(offset);
      const count = reader.number(offset, countBytes);
      const entries = new Map<number, number>();
      for (let index = 0; index < count; index++) {
        const entry = offset + countBytes + index * entryBytes;
        entries.set(reader.number(entry, 2), entry);
      }
      const one = (tag: number) => (entries.has(tag) ? reader.values(entries.get(tag)!, 1)[0] : undefined);
      if (((one(tags.subfileType) ?? 0) & 1) === 0) {
        const [width, height] = [one(tags.width), one(tags.height)];
        if (!width || !height) return { kind: 'damaged' };
        if (!isDataThere(reader, entries)) return { kind: 'cut' };
        pages.push({ directory, width, height });
      }
      offset = reader.number(offset + countBytes + count * entryBytes, offsetBytes);
    }
    return pages.length ? { kind: 'whole', pages } : { kind: 'damaged' };
  } catch (error) {
    if (error instanceof OutOfFile) return { kind: 'cut' };
    throw error;
  }
}

function isDataThere(reader: Reader, entries: Map<number, number>): boolean {
  for (const [offsetTag, bytesTag] of [
    [tags.stripOffsets, tags.stripBytes],
    [tags.tileOffsets, tags.tileBytes],
  ] as const) {
    const [offsets, bytes] = [entries.get(offsetTag), entries.get(bytesTag)];
    if (offsets === undefined || bytes === undefined) continue;
    const limit = 100_000;
    const sizes = reader.values(bytes, limit);
    if (reader.values(offsets, limit).some((offset, index) => offset + (sizes[index] ?? 0) > reader.length))
      return false;
  }
  return true;
}

export function readTiffHeader(file: Buffer): PictureHeader {
  const found = readTiffPages(file);
  if (found.kind !== 'whole') return { kind: found.kind };
  // the largest page represents all: the limit applies to each
  const largest = found.pages.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
  return { kind: 'whole', width: largest.width, height: largest.height, pageCount: found.pages.length };
}
