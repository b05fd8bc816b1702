/**
 * Removes from a file what it reveals about the person who made it: where, when and with what a picture was
 * taken, its thumbnail, comments, and anything hidden after its end. Only the container is rewritten; pixels
 * are neither decoded nor changed, so this is safe on strangers' files
 * (docs/decisions/092-metadata-of-pictures.md).
 */
import { type ExifFacts, readExif } from './read-exif.ts';

export interface CleanedFile {
  bytes: Uint8Array;
  /** How the removed metadata rotated the pixels: EXIF's 1 (upright) to 8. */
  orientation: number;
  /** False for a picture that is truncated or invalid: decoders may still find pixels after that place. */
  isSound: boolean;
}

/** Files other than PNG, JPEG, PDF and PostScript are returned unchanged. */
export function removeMetadata(bytes: Uint8Array): CleanedFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length > 4 && file.readUInt16BE(0) === 0xffd8) return cleanJpeg(file);
  if (file.subarray(0, 8).equals(pngSignature)) return cleanPng(file);
  const isPaper = /^%(PDF-|!PS)/.test(file.toString('latin1', 0, 8));
  return { bytes: isPaper ? blank(file) : bytes, orientation: 1, isSound: true };
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/**
 * The chunks that determine how the pixels look, and their density, which TeX sizes figures by (PNG
 * specification, 11.3).
 */
const pngChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs'.split(' '),
);

function cleanPng(file: Buffer): CleanedFile {
  const parts: Buffer[] = [pngSignature];
  let orientation = 1;
  let isSound = false;
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (end > file.length) break;
    if (type === 'eXIf') ({ orientation } = readExif(file.subarray(at + 8, end - 4)));
    if (pngChunks.has(type)) parts.push(file.subarray(at, end));
    at = end;
    isSound = type === 'IEND';
    if (isSound) break;
  }
  return { bytes: join(parts, file), orientation, isSound };
}

const jfif = Buffer.from('JFIF\0');
const exif = Buffer.from('Exif\0\0');
const profile = Buffer.from('ICC_PROFILE\0');
const adobe = Buffer.from('Adobe');

/** Segments by ITU T.81, B.1.1.4; JFIF 1.02 for the first of them. */
function cleanJpeg(file: Buffer): CleanedFile {
  const parts: Buffer[] = [];
  let facts: ExifFacts = { orientation: 1, density: null };
  let hasDensity = false;
  let isSound = false;
  for (const { marker, start, body, end } of listSegments(file)) {
    isSound = marker === 0xd9 || end === file.length;
    const payload = file.subarray(body, end);
    const begins = (mark: Buffer) => payload.subarray(0, mark.length).equals(mark);
    if (marker === 0xe0 && begins(jfif) && payload.length >= 14) {
      // its thumbnail may show the picture before it was cropped
      parts.push(writeJfif(payload.subarray(0, 12)));
      hasDensity = true;
    } else if (marker === 0xe1 && begins(exif)) {
      facts = readExif(payload.subarray(exif.length));
    } else if (marker === 0xe2 ? begins(profile) : marker === 0xee ? begins(adobe) : !isRemark(marker)) {
      // with Adobe's segment present, a JFIF segment would contradict it about the colours
      hasDensity ||= marker === 0xee;
      parts.push(file.subarray(start, end));
    }
  }
  if (!hasDensity && facts.density) parts.unshift(writeJfif(describeDensity(facts.density)));
  return { bytes: join([file.subarray(0, 2), ...parts], file), orientation: facts.orientation, isSound };
}

/** Application data and comments. */
function isRemark(marker: number): boolean {
  return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
}

function writeJfif(head: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xe0, 0, 16]), head, Buffer.from([0, 0])]);
}

function describeDensity({ unit, x, y }: NonNullable<ExifFacts['density']>): Buffer {
  const head = Buffer.from('JFIF\0\x01\x02\0\0\0\0\0', 'latin1');
  head[7] = unit === 'inch' ? 1 : 2;
  head.writeUInt16BE(x, 8);
  head.writeUInt16BE(y, 10);
  return head;
}

interface Segment {
  marker: number;
  /** Where its marker begins, where its payload begins, and where it ends, including a scan's pixels. */
  start: number;
  body: number;
  end: number;
}

/**
 * Up to the end of the first picture; what follows is another picture, or a video. Ends early if the file is
 * broken.
 */
function* listSegments(file: Buffer, from = 0): Generator<Segment> {
  for (let at = from + 2; at + 2 <= file.length; ) {
    if (file[at] !== 0xff) return;
    const marker = file[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    // a second start of image
    if (marker === 0xd8) return;
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
    if (!isBare && at + 4 > file.length) return;
    let end = at + 2 + (isBare ? 0 : file.readUInt16BE(at + 2));
    if (end > file.length || (!isBare && end < at + 4)) return;
    if (marker === 0xda) end = endOfScan(file, end);
    yield { marker, start: at, body: Math.min(at + 4, end), end };
    if (marker === 0xd9) return;
    at = end;
  }
}

/** The next marker that does not belong to the scan: neither a stuffed byte nor a restart. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1]!;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return file.length;
}

/**
 * For PDF and PostScript files, in which byte offsets must not change: XMP packets become spaces, and the
 * metadata of embedded photos becomes zeros. Metadata in compressed streams is not found, nor is the author's
 * name in a PDF's own Info.
 */
function blank(file: Buffer): Buffer {
  const out = Buffer.from(file);
  for (let at = out.indexOf('<?xpacket begin'); at >= 0; at = out.indexOf('<?xpacket begin', at)) {
    const end = out.indexOf('<?xpacket end', at);
    if (end < 0) break;
    // the packet's own delimiters stay, so that it is an empty one
    const text = out.indexOf('?>', at);
    out.fill(' ', text < 0 || text > end ? at : text + 2, end);
    at = end;
  }
  for (let at = out.indexOf(jpegStart), next = 0; at >= 0; at = out.indexOf(jpegStart, next)) {
    const remarks: Segment[] = [];
    let isPicture = false;
    next = at + 1;
    for (const segment of listSegments(out, at)) {
      const { marker, start, body, end } = segment;
      if (marker === 0xda) isPicture = true;
      // never rescans what was scanned: a file full of beginnings would take for ever
      next = isPicture ? end : start + 1;
      const begins = (mark: Buffer) => out.subarray(body, end).indexOf(mark) === 0;
      const tellsColour = (marker === 0xe2 && begins(profile)) || (marker === 0xee && begins(adobe));
      if (isRemark(marker) && marker !== 0xe0 && !tellsColour) remarks.push(segment);
    }
    if (isPicture) for (const { body, end } of remarks) out.fill(0, body, end);
  }
  return out;
}

const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);

/** Returns the file itself if nothing was removed. */
function join(parts: readonly Buffer[], file: Buffer): Buffer {
  const out = Buffer.concat(parts);
  return out.equals(file) ? file : out;
}
