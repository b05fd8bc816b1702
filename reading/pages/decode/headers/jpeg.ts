import type { PictureHeader } from './header.ts';

/** Start-of-frame markers; C4, C8 and CC among them are tables. */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Markers inside compressed data: a stuffed zero, and the restart markers. */
const belongsToData = (marker: number): boolean => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);

/**
 * Walks the markers up to the picture's end mark. Anything after it (a phone's video, a second picture) is ignored; a
 * picture without its end mark counts as truncated, since decoders would fill the rest with grey.
 */
export function readJpegHeader(file: Buffer): PictureHeader {
  let width = 0;
  let height = 0;
  let offset = 2;
  for (;;) {
    if (offset + 2 > file.length) return { kind: 'cut' };
    if (file[offset] !== 0xff) return { kind: 'damaged' };
    const marker = file[offset + 1]!;
    if (marker === 0xff) {
      offset++; // a fill byte
      continue;
    }
    if (marker === 0xd9) break;
    if (marker === 0x01 || belongsToData(marker)) {
      offset += 2;
      continue;
    }
    if (offset + 4 > file.length) return { kind: 'cut' };
    const length = file.readUInt16BE(offset + 2);
    if (length < 2) return { kind: 'damaged' };
    if (isFrameMarker(marker) && offset + 9 <= file.length) {
      height = file.readUInt16BE(offset + 5);
      width = file.readUInt16BE(offset + 7);
    }
    offset += 2 + length;
    if (marker === 0xda) {
      offset = endOfData(file, offset);
      if (offset < 0) return { kind: 'cut' };
    }
  }
  return width && height ? { kind: 'whole', width, height, pageCount: 1 } : { kind: 'damaged' };
}

function endOfData(file: Buffer, from: number): number {
  for (let offset = from; ; offset++) {
    offset = file.indexOf(0xff, offset);
    if (offset < 0 || offset + 1 >= file.length) return -1;
    const marker = file[offset + 1]!;
    if (marker !== 0xff && !belongsToData(marker)) return offset;
  }
}
