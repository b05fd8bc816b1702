/**
 * Reads XDV, the pages as xelatex passes them to xdvipdfmx: the DVI format (Knuth, "DVItype", § A) with XeTeX's
 * operations for glyph runs and native fonts (dvipdfmx, dvicodes.h). The bytes come from a stranger's document.
 */
import { createHash } from 'node:crypto';

/** One page: the bytes from its `bop` to the end of its `eop`. */
interface XdvPage {
  start: number;
  end: number;
}

export interface Xdv {
  bytes: Buffer;
  /** Where the preamble ends and the first page may begin. */
  bodyStart: number;
  pages: XdvPage[];
}

const bop = 139;
const eop = 140;
const pre = 247;
const post = 248;
/** `bop` is followed by ten counters and a pointer to the previous page, which are not visible. */
const bopLength = 45;

/** Pages up to where the bytes end or become invalid; null if they do not even begin like XDV. */
export function readXdv(bytes: Buffer): Xdv | null {
  if (bytes.length < 15 || bytes[0] !== pre) return null;
  const bodyStart = 15 + bytes[14]!;
  const pages: XdvPage[] = [];
  let start = -1;
  for (let at = bodyStart; at < bytes.length; ) {
    const op = bytes[at]!;
    const length = measureOperation(bytes, at);
    if (op === post || length <= 0 || at + length > bytes.length) break;
    if (op === bop) start = at;
    at += length;
    if (op === eop && start >= 0) {
      pages.push({ start, end: at });
      start = -1;
    }
  }
  return { bytes, bodyStart, pages };
}

/** Where pages start, the last one first, following each page's pointer to the previous one. */
export function findLastPages(bytes: Buffer): number[] {
  const starts: number[] = [];
  // after the postamble: `post_post`, a pointer to `post`, the format's number, and at least four bytes of 223
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 223) end--;
  const postAt = end >= 5 ? bytes.readUInt32BE(end - 5) : bytes.length;
  if (postAt + 5 > bytes.length || bytes[postAt] !== post) return starts;
  let at = bytes.readInt32BE(postAt + 1);
  while (at > 0 && at + bopLength <= bytes.length && bytes[at] === bop) {
    starts.push(at);
    const before = bytes.readInt32BE(at + bopLength - 4);
    if (before >= at) break;
    at = before;
  }
  return starts;
}

/** Hashes of what determines each page's look. */
export function hashPages({ bytes, pages }: Xdv): string[] {
  return pages.map(({ start, end }) =>
    createHash('sha1')
      .update(bytes.subarray(start + bopLength, end))
      .digest('base64'),
  );
}

/**
 * The same pages, with those before `first` (0-based) emptied of everything that is only visible on them: text,
 * rules, pictures. What later pages may need of them (fonts, PDF objects, colours) stays, and so do their
 * numbers.
 */
export function thinXdv({ bytes, bodyStart, pages }: Xdv, first: number): Buffer {
  const parts = [bytes.subarray(0, bodyStart)];
  let size = bodyStart;
  let before = -1;
  const add = (part: Buffer) => {
    parts.push(part);
    size += part.length;
  };
  for (const [index, { start, end }] of pages.entries()) {
    const place = size;
    const head = Buffer.from(bytes.subarray(start, start + bopLength));
    head.writeInt32BE(before, bopLength - 4);
    before = place;
    add(head);
    if (index >= first) {
      add(bytes.subarray(start + bopLength, end));
      continue;
    }
    // adjacent operations that stay are copied together
    let runStart = -1;
    for (let at = start + bopLength; at < end; ) {
      const stays = isLasting(bytes, at);
      if (stays && runStart < 0) runStart = at;
      else if (!stays && runStart >= 0) {
        add(bytes.subarray(runStart, at));
        runStart = -1;
      }
      at += measureOperation(bytes, at);
    }
    if (runStart >= 0) add(bytes.subarray(runStart, end));
  }
  // its pointers are wrong now, but xdvipdfmx reads from a stream and does not follow them
  add(bytes.subarray(pages.at(-1)?.end ?? bodyStart));
  return Buffer.concat(parts, size);
}

/** Fonts, specials except placed pictures, links and outlines, and the page's end. */
function isLasting(bytes: Buffer, at: number): boolean {
  const op = bytes[at]!;
  if (op < 239) return op === eop;
  if (op >= 239 && op <= 242) {
    const text = bytes.toString('latin1', at + op - 237, at + op - 237 + 12);
    return !/^pdf:(?:(?:image|epdf) (?!@)|dest|[be]?ann|out)/.test(text);
  }
  return (op >= 243 && op <= 246) || op === 252;
}

/** Bytes of the operation at `at`; 0 for an invalid one, more than there are if it is cut off. */
function measureOperation(bytes: Buffer, at: number): number {
  const op = bytes[at]!;
  if (op < 128 || (op >= 171 && op <= 234)) return 1;
  // set1 … set4, then put1 … put4, each followed by a rule
  if (op <= 131) return op - 126;
  if (op === 132 || op === 137) return 9;
  if (op <= 136) return op - 131;
  if (op === 138 || (op >= 140 && op <= 142)) return 1;
  if (op === bop) return bopLength;
  if (op <= 170) return measureMove(op);
  if (op <= 238) return op - 233;
  const left = bytes.length - at;
  if (op <= 242) {
    const count = op - 238;
    return left < 1 + count ? left + 1 : 1 + count + bytes.readUIntBE(at + 1, count);
  }
  if (op <= 246) {
    const count = op - 242;
    return left < 15 + count ? left + 1 : 15 + count + bytes[at + count + 13]! + bytes[at + count + 14]!;
  }
  if (op === 252) return measureNativeFont(bytes, at, left);
  if (op === 253) return left < 7 ? left + 1 : 7 + 10 * bytes.readUInt16BE(at + 5);
  if (op === 254) {
    if (left < 3) return left + 1;
    const text = 3 + 2 * bytes.readUInt16BE(at + 1);
    return left < text + 6 ? left + 1 : text + 6 + 10 * bytes.readUInt16BE(at + text + 4);
  }
  return op === post || op === 250 || op === 251 ? 1 : 0;
}

/** right1…4, w0…4, x0…4, down1…4, y0…4, z0…4 */
function measureMove(op: number): number {
  if (op <= 146) return op - 141;
  if (op <= 156) return 1 + ((op - 147) % 5);
  if (op <= 160) return op - 155;
  return 1 + ((op - 161) % 5);
}

const isColoured = 0x0200;
const hasVariations = 0x0800;
/** extended, slanted, emboldened: four bytes each */
const shapes = [0x1000, 0x2000, 0x4000];

function measureNativeFont(bytes: Buffer, at: number, left: number): number {
  if (left < 12) return left + 1;
  const flags = bytes.readUInt16BE(at + 9);
  let length = 12 + bytes[at + 11]! + 4;
  if (flags & isColoured) length += 4;
  if (flags & hasVariations) {
    if (left < length + 2) return left + 1;
    length += 2 + 4 * bytes.readUInt16BE(at + length);
  }
  for (const shape of shapes) if (flags & shape) length += 4;
  return length;
}
