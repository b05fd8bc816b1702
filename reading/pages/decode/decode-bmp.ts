import { Refusal } from '#platform/work/task.ts';
import type { Bitmap } from '../../page.ts';

/** Values of a BMP header's compression field. */
const compressions = { none: 0, rle8: 1, rle4: 2, bitFields: 3, alphaBitFields: 6 };

interface BmpHeader {
  width: number;
  height: number;
  isTopDown: boolean;
  bitsPerPixel: number;
  compression: number;
  palette: Buffer;
  paletteEntryBytes: 3 | 4;
  masks: [number, number, number, number];
  dataOffset: number;
}

const damaged = () =>
  new Refusal('The BMP picture is damaged or of a rare kind. Save it as PNG and send that.');

function readHeader(file: Buffer): BmpHeader {
  const headerBytes = file.readUInt32LE(14);
  const isCore = headerBytes === 12;
  const width = isCore ? file.readUInt16LE(18) : file.readInt32LE(18);
  const signedHeight = isCore ? file.readUInt16LE(20) : file.readInt32LE(22);
  const bitsPerPixel = file.readUInt16LE(isCore ? 24 : 28);
  const compression = isCore ? compressions.none : file.readUInt32LE(30);
  const hasMasks = compression === compressions.bitFields || compression === compressions.alphaBitFields;
  const masksOffset = 14 + 40;
  const masks: BmpHeader['masks'] = hasMasks
    ? [
        file.readUInt32LE(masksOffset),
        file.readUInt32LE(masksOffset + 4),
        file.readUInt32LE(masksOffset + 8),
        headerBytes >= 56 || compression === compressions.alphaBitFields
          ? file.readUInt32LE(masksOffset + 12)
          : 0,
      ]
    : bitsPerPixel === 16
      ? [0x7c00, 0x03e0, 0x001f, 0]
      : [0xff0000, 0x00ff00, 0x0000ff, 0];
  const maskBytes =
    hasMasks && headerBytes === 40 ? (compression === compressions.alphaBitFields ? 16 : 12) : 0;
  const dataOffset = file.readUInt32LE(10);
  return {
    width,
    height: Math.abs(signedHeight),
    isTopDown: signedHeight < 0,
    bitsPerPixel,
    compression,
    palette: file.subarray(14 + headerBytes + maskBytes, dataOffset),
    paletteEntryBytes: isCore ? 3 : 4,
    masks,
    dataOffset,
  };
}

/** Unpacks run-length data into one palette index a pixel, rows bottom to top as stored. */
function unpackRuns(data: Buffer, { width, height, compression }: BmpHeader): Uint8Array {
  const isNibbles = compression === compressions.rle4;
  const out = new Uint8Array(width * height);
  let [x, y, at] = [0, 0, 0];
  const set = (value: number) => {
    if (x < width && y < height) out[y * width + x] = value;
    x++;
  };
  while (at + 1 < data.length && y < height) {
    const count = data[at]!;
    const value = data[at + 1]!;
    at += 2;
    if (count > 0) for (let i = 0; i < count; i++) set(isNibbles ? (i % 2 ? value & 15 : value >> 4) : value);
    else if (value === 0) [x, y] = [0, y + 1];
    else if (value === 1) return out;
    else if (value === 2) {
      x += data[at] ?? 0;
      y += data[at + 1] ?? 0;
      at += 2;
    } else {
      for (let i = 0; i < value; i++) {
        const byte = data[at + (isNibbles ? i >> 1 : i)];
        if (byte === undefined) throw damaged();
        set(isNibbles ? (i % 2 ? byte & 15 : byte >> 4) : byte);
      }
      const bytes = isNibbles ? (value + 1) >> 1 : value;
      at += bytes + (bytes % 2); // padded to a whole word
    }
  }
  return out;
}

/** Scales the bits selected by a mask to 0 … 255. */
function channelReader(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 255;
  const shift = 31 - Math.clz32(mask & -mask);
  const max = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / max);
}

/**
 * Decodes a BMP (1 to 32 bits, palette, bit fields, run-length, OS/2's old header) onto white, because sharp has no
 * BMP decoder. The caller has checked width and height.
 * @throws Refusal if it is damaged, truncated, or contains another format.
 */
export function decodeBmp(file: Buffer): Bitmap {
  let header: BmpHeader;
  try {
    header = readHeader(file);
  } catch {
    throw damaged(); // shorter than its own header
  }
  const { width, height, isTopDown, bitsPerPixel, compression, palette, paletteEntryBytes } = header;
  const known: number[] = Object.values(compressions);
  if (!known.includes(compression) || ![1, 4, 8, 16, 24, 32].includes(bitsPerPixel)) throw damaged();
  const data = file.subarray(header.dataOffset);
  const isPacked = compression === compressions.rle8 || compression === compressions.rle4;
  const indexes = isPacked ? unpackRuns(data, header) : null;
  const stride = Math.ceil((width * bitsPerPixel) / 32) * 4;
  if (!indexes && data.length < stride * height)
    throw new Refusal(
      'The picture is cut off: part of it is missing. Copy it again and send the whole file.',
    );
  const [red, green, blue] = header.masks.slice(0, 3).map(channelReader) as [
    (pixel: number) => number,
    (pixel: number) => number,
    (pixel: number) => number,
  ];
  const alpha = channelReader(header.masks[3]);
  const out = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const from = (isTopDown ? row : height - 1 - row) * (indexes ? width : stride);
    for (let x = 0; x < width; x++) {
      const to = (row * width + x) * 3;
      if (indexes || bitsPerPixel <= 8) {
        const index = indexes ? indexes[from + x]! : paletteIndex(data, from, x, bitsPerPixel);
        const entry = index * paletteEntryBytes;
        out[to] = palette[entry + 2] ?? 0;
        out[to + 1] = palette[entry + 1] ?? 0;
        out[to + 2] = palette[entry] ?? 0;
      } else if (bitsPerPixel === 24) {
        out[to] = data[from + x * 3 + 2]!;
        out[to + 1] = data[from + x * 3 + 1]!;
        out[to + 2] = data[from + x * 3]!;
      } else {
        const pixel = bitsPerPixel === 16 ? data.readUInt16LE(from + x * 2) : data.readUInt32LE(from + x * 4);
        const share = alpha(pixel) / 255;
        out[to] = red(pixel) * share + 255 * (1 - share);
        out[to + 1] = green(pixel) * share + 255 * (1 - share);
        out[to + 2] = blue(pixel) * share + 255 * (1 - share);
      }
    }
  }
  return { width, height, channels: 3, data: out };
}

function paletteIndex(data: Buffer, row: number, x: number, bits: number): number {
  const bit = x * bits;
  const byte = data[row + (bit >> 3)]!;
  return (byte >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
}
