/** Headers of the formats that need only a few fields: PNG, GIF, WebP, BMP. */
import type { PictureHeader } from './header.ts';

const whole = (width: number, height: number): PictureHeader => ({
  kind: 'whole',
  width,
  height,
  pageCount: 1,
});

export function readPngHeader(file: Buffer): PictureHeader {
  if (file.length < 33) return { kind: 'cut' };
  if (file.toString('latin1', 12, 16) !== 'IHDR') return { kind: 'damaged' };
  const header = whole(file.readUInt32BE(16), file.readUInt32BE(20));
  for (let offset = 8; offset + 12 <= file.length; offset += 12 + file.readUInt32BE(offset))
    if (file.toString('latin1', offset + 4, offset + 8) === 'IEND') return header;
  return { kind: 'cut' };
}

/** Complete if the first frame is: only that one is read. */
export function readGifHeader(file: Buffer): PictureHeader {
  if (file.length < 13) return { kind: 'cut' };
  const header = whole(file.readUInt16LE(6), file.readUInt16LE(8));
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  /** Data comes in blocks of at most 255 bytes, each preceded by its length; an empty one ends it. */
  const skipBlocks = (from: number): number => {
    let offset = from;
    while (offset < file.length && file[offset] !== 0) offset += 1 + file[offset]!;
    return offset + 1;
  };
  let offset = 13 + tableBytes(file[10]!);
  while (offset < file.length) {
    const kind = file[offset];
    if (kind === 0x21) offset = skipBlocks(offset + 2);
    else if (kind === 0x2c) {
      if (offset + 10 >= file.length) return { kind: 'cut' };
      return skipBlocks(offset + 11 + tableBytes(file[offset + 9]!)) <= file.length
        ? header
        : { kind: 'cut' };
    } else return { kind: 'damaged' };
  }
  return { kind: 'cut' };
}

export function readWebpHeader(file: Buffer): PictureHeader {
  if (file.length < 30 || file.readUInt32LE(4) + 8 > file.length) return { kind: 'cut' };
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8X':
      return whole(1 + file.readUIntLE(24, 3), 1 + file.readUIntLE(27, 3));
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return whole(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
    }
    case 'VP8 ':
      return whole(file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff);
    default:
      return { kind: 'damaged' };
  }
}

/** The decoder, which knows the packing, finds out whether all pixels are present. */
export function readBmpHeader(file: Buffer): PictureHeader {
  if (file.readUInt32LE(14) === 12) return whole(file.readUInt16LE(18), file.readUInt16LE(20));
  return whole(file.readInt32LE(18), Math.abs(file.readInt32LE(22)));
}
