/**
 * Every stream of a PDF with its filters undone, for the search for leaks: page contents, object streams,
 * fonts, the pixels of pictures, metadata, attachments. Tolerant on purpose: it looks for the word `stream` and
 * needs no cross-reference table, so that nothing can hide in an object that no table names.
 */
import { inflateRawSync, inflateSync } from 'node:zlib';

/** A larger stream, once unpacked, is searched up to here. */
const maxStreamBytes = 64_000_000;
/** Streams inside embedded PDFs are searched too, this deep. */
const maxDepth = 3;

/** All streams, decoded, including those in embedded PDFs. What cannot be decoded is returned as it is. */
export function decodedStreams(pdf: Buffer, depth = 0): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  for (;;) {
    const start = pdf.indexOf('stream', at);
    if (start < 0) return found;
    at = start + 6;
    if (pdf.subarray(start - 3, start).toString('latin1') === 'end') continue;
    const begin =
      pdf[at] === 13 && pdf[at + 1] === 10 ? at + 2 : pdf[at] === 10 || pdf[at] === 13 ? at + 1 : -1;
    if (begin < 0) continue;
    const end = pdf.indexOf('endstream', begin);
    const bytes = pdf.subarray(begin, end < 0 ? pdf.length : end);
    const decoded = decode(bytes, dictionaryBefore(pdf, start));
    found.push(...decoded);
    for (const stream of decoded)
      if (depth < maxDepth && stream.includes('%PDF-')) found.push(...decodedStreams(stream, depth + 1));
    if (end < 0) return found;
    at = end + 9;
  }
}

/** Strings of a PDF's objects as their characters: escapes and hexadecimal undone, UTF-16 narrowed. One text. */
export function stringsOf(pdf: Buffer): string {
  const text = pdf.toString('latin1');
  const parts: string[] = [];
  for (const [, literal] of text.matchAll(/\(((?:[^()\\]|\\[\s\S]){1,100000})\)/g))
    parts.push(unescapeString(literal!));
  for (const [, hex] of text.matchAll(/<([0-9A-Fa-f\s]{8,200000})>/g))
    parts.push(Buffer.from(hex!.replace(/\s+/g, ''), 'hex').toString('latin1'));
  // also joined without a break: a word may be shown letter by letter, or be kerned
  return [...parts, parts.join('')].flatMap((part) => [part, part.replaceAll('\0', '')]).join('\n');
}

function unescapeString(literal: string): string {
  return literal.replace(/\\([0-7]{1,3}|\r\n|[\s\S])/g, (_, code: string) => {
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255);
    const known: Record<string, string> = {
      n: '\n',
      r: '\r',
      t: '\t',
      b: '\b',
      f: '\f',
      '\n': '',
      '\r\n': '',
    };
    return known[code] ?? code;
  });
}

/** The stream's dictionary as text: back to the `obj` that opens it, or as far as one can be long. */
function dictionaryBefore(pdf: Buffer, streamAt: number): string {
  const from = Math.max(0, streamAt - 20_000);
  const text = pdf.subarray(from, streamAt).toString('latin1');
  return text.slice(Math.max(0, text.lastIndexOf(' obj')));
}

/** The stream with all its filters undone, and each intermediate stage: a leak in any of them counts. */
function decode(raw: Buffer, dictionary: string): Buffer[] {
  const names = filterNames(dictionary);
  const stages: Buffer[] = [raw];
  let bytes = raw;
  for (const name of names) {
    const next = undo(name, bytes);
    if (!next) break;
    bytes = next;
    stages.push(bytes);
    if (/Flate|Fl$|LZW/.test(name)) {
      const plain = undoPredictor(bytes, dictionary);
      if (plain) {
        bytes = plain;
        stages.push(bytes);
      }
    }
  }
  // nothing can hide behind a dictionary that is wrong, or elsewhere
  if (names.length === 0) {
    const blind = undo('FlateDecode', raw);
    if (blind?.length) stages.push(blind);
  }
  return stages;
}

function filterNames(dictionary: string): string[] {
  const match = /\/Filter\s*(?:\[([^\]]*)\]|(\/\w+))/.exec(dictionary);
  const names = (match?.[1] ?? match?.[2] ?? '').match(/\/\w+/g) ?? [];
  return names.map((name) => name.slice(1));
}

function undo(name: string, bytes: Buffer): Buffer | null {
  switch (name) {
    case 'FlateDecode':
    case 'Fl':
      return inflate(bytes);
    case 'LZWDecode':
    case 'LZW':
      return undoLzw(bytes);
    case 'ASCII85Decode':
    case 'A85':
      return undoAscii85(bytes);
    case 'ASCIIHexDecode':
    case 'AHx':
      return Buffer.from(
        bytes
          .toString('latin1')
          .replace(/>[\s\S]*$/, '')
          .replace(/\s+/g, ''),
        'hex',
      );
    case 'RunLengthDecode':
    case 'RL':
      return undoRunLength(bytes);
    default:
      return null;
  }
}

function inflate(bytes: Buffer): Buffer | null {
  const options = { finishFlush: 2, maxOutputLength: maxStreamBytes };
  for (const read of [inflateSync, inflateRawSync]) {
    try {
      return read(bytes, options);
    } catch {
      // broken, or larger than the limit: try the other, then in parts
    }
  }
  try {
    // a broken tail hides nothing: what comes before it is still read
    return inflateSync(bytes.subarray(0, Math.floor(bytes.length / 2)), options);
  } catch {
    return null;
  }
}

/** PNG and TIFF predictors (PDF 1.7, 7.4.4.4), eight bits per component; null if there is none. */
function undoPredictor(bytes: Buffer, dictionary: string): Buffer | null {
  const number = (key: string, otherwise: number) =>
    Number(new RegExp(`/${key}\\s+(\\d+)`).exec(dictionary)?.[1] ?? otherwise);
  const predictor = number('Predictor', 1);
  if (predictor < 2) return null;
  const bits = number('Colors', 1) * number('BitsPerComponent', 8);
  const unit = Math.max(1, bits >> 3);
  const width = Math.ceil((bits * number('Columns', 1)) / 8);
  if (predictor === 2) {
    const out = Buffer.from(bytes);
    for (let row = 0; row < out.length; row += width)
      for (let at = row + unit; at < Math.min(row + width, out.length); at++)
        out[at] = (out[at]! + out[at - unit]!) & 255;
    return out;
  }
  const rows = Math.ceil(bytes.length / (width + 1));
  const out = Buffer.alloc(rows * width);
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (width + 1)]!;
    const to = row * width;
    for (let column = 0; column < width; column++) {
      const value = bytes[row * (width + 1) + 1 + column] ?? 0;
      const left = column >= unit ? out[to + column - unit]! : 0;
      const up = row > 0 ? out[to - width + column]! : 0;
      const corner = row > 0 && column >= unit ? out[to - width + column - unit]! : 0;
      const guess =
        kind === 1
          ? left
          : kind === 2
            ? up
            : kind === 3
              ? (left + up) >> 1
              : kind === 4
                ? paeth(left, up, corner)
                : 0;
      out[to + column] = (value + guess) & 255;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value));
  return toLeft! <= toUp! && toLeft! <= toCorner! ? left : toUp! <= toCorner! ? up : corner;
}

function undoLzw(bytes: Buffer): Buffer {
  const out: number[] = [];
  let table: number[][] = [];
  let size = 9;
  let previous: number[] | null = null;
  let bitAt = 0;
  while (bitAt + size <= bytes.length * 8 && out.length < maxStreamBytes) {
    let code = 0;
    for (let bit = 0; bit < size; bit++, bitAt++)
      code = (code << 1) | ((bytes[bitAt >> 3]! >> (7 - (bitAt & 7))) & 1);
    if (code === 257) break;
    if (code === 256) {
      table = [];
      size = 9;
      previous = null;
      continue;
    }
    const entry: number[] | undefined =
      code < 256 ? [code] : (table[code - 258] ?? (previous ? [...previous, previous[0]!] : undefined));
    if (!entry) break;
    for (const value of entry) out.push(value);
    if (previous) table.push([...previous, entry[0]!]);
    previous = entry;
    const next = table.length + 259;
    size = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  }
  return Buffer.from(out);
}

function undoAscii85(bytes: Buffer): Buffer {
  const out: number[] = [];
  let group: number[] = [];
  const flush = (length: number) => {
    while (group.length < 5) group.push(84);
    const value = group.reduce((sum, digit) => sum * 85 + digit, 0);
    for (let place = 0; place < length; place++) out.push(Math.floor(value / 256 ** (3 - place)) % 256);
    group = [];
  };
  for (const byte of bytes) {
    if (byte === 126) break;
    if (byte === 122 && group.length === 0) out.push(0, 0, 0, 0);
    else if (byte >= 33 && byte <= 117) group.push(byte - 33);
    if (group.length === 5) flush(4);
  }
  if (group.length > 1) flush(group.length - 1);
  return Buffer.from(out);
}

function undoRunLength(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length && bytes[at] !== 128; ) {
    const length = bytes[at]!;
    parts.push(
      length < 128 ? bytes.subarray(at + 1, at + 2 + length) : Buffer.alloc(257 - length, bytes[at + 1] ?? 0),
    );
    at += length < 128 ? length + 2 : 2;
  }
  return Buffer.concat(parts);
}
