/** Files that strangers might send, made on the spot: each is small on disk and large or endless when followed. */
import { deflateSync } from 'node:zlib';
import { pngChunk } from '#platform/pictures/testing/png-chunk.ts';

type PdfObject = string | { dictionary: string; stream: Buffer };

/** A PDF of numbered objects, the first of which is the catalogue. */
function makePdf(objects: PdfObject[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const push = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    push(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof object === 'string') push(Buffer.from(object));
    else {
      push(Buffer.from(`<< ${object.dictionary} /Length ${object.stream.length} >>\nstream\n`));
      push(object.stream);
      push(Buffer.from('\nendstream'));
    }
    push(Buffer.from('\nendobj\n'));
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const text = (content: string) => ({ dictionary: '', stream: Buffer.from(content) });
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** One page with a line of text and the given media box. */
export function pdfWithMediaBox(box: string): Buffer {
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R] /Count 1 >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    text('BT /F 24 Tf 72 700 Td (A page with a box) Tj ET'),
    font,
  ]);
}

/** A page tree that contains itself. */
export function circularPdf(): Buffer {
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 4 /Parent 3 0 R >>',
    '<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 4 /Parent 2 0 R >>',
  ]);
}

/** As many blank pages as asked for. */
export function pdfWithPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, index) => `${index + 3} 0 R`).join(' ');
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    ...Array.from({ length: count }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>'),
  ]);
}

/** Scripts wherever a PDF may have them, one of which never ends. */
export function scriptedPdf(): Buffer {
  const script =
    '<< /S /JavaScript /JS (while (true) { app.alert\\("x"\\); this.submitForm\\("http://127.0.0.1:1/"\\); }) >>';
  return makePdf([
    `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} /AA << /WC ${script} >> /Names << /JavaScript << /Names [(a) ${script}] >> >> >>`,
    `<< /Type /Pages /Kids [3 0 R] /Count 1 >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /AA << /O ${script} >> /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    text('BT /F 24 Tf 72 700 Td (Scripts are not run) Tj ET'),
    font,
  ]);
}

/** A page with one picture of so many grey pixels, all zero, packed to next to nothing. */
export function pictureBombPdf(side: number): Buffer {
  const row = Buffer.alloc(side);
  // packed twice: deflate alone gains a factor of a thousand
  const packed = deflateSync(
    deflateSync(Buffer.concat(Array.from({ length: Math.min(side, 4000) }, () => row))),
  );
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
    text('612 0 0 792 0 0 cm /I Do'),
    {
      dictionary: `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter [/FlateDecode /FlateDecode]`,
      stream: packed,
    },
  ]);
}

/**
 * A page that draws the same again and again, for so many bytes: packed three times, to less than a kilobyte.
 * @param linesBefore texts of sound pages before it
 */
export function streamBombPdf(drawing: string, bytes: number, linesBefore: readonly string[] = []): Buffer {
  const packed = [1, 2, 3].reduce((data) => deflateSync(data, { level: 9 }), Buffer.alloc(bytes, drawing));
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${[...linesBefore.map((_, at) => `${2 * at + 6} 0 R`), '3 0 R'].join(' ')}] /Count ${linesBefore.length + 1} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
    { dictionary: '/Filter [/FlateDecode /FlateDecode /FlateDecode]', stream: packed },
    ...(linesBefore.length > 0 ? [font] : []),
    ...linesBefore.flatMap((line, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${2 * at + 7} 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
      text(`BT /F 12 Tf 72 700 Td (${line}) Tj ET`),
    ]),
  ]);
}

/** Forms that draw forms that draw forms: ten to the given power strokes. */
export function endlessFormsPdf(depth: number): Buffer {
  const form = (index: number) => ({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /F ${index + 6} 0 R >> >>`,
    stream: Buffer.from('/F Do '.repeat(10)),
  });
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>',
    text('/F Do'),
    ...Array.from({ length: depth }, (_, index) => form(index)),
    {
      dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 612 792]',
      stream: Buffer.from('0 0 m 612 792 l S '.repeat(100)),
    },
  ]);
}

/** A PNG of the size that its header claims; `rows` of it are really there. */
export function makePng(
  width: number,
  height: number,
  { rows = height, channels = 1, bits = 8 } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  header[9] = { 1: 0, 3: 2, 4: 6 }[channels] ?? 0;
  const row = Buffer.alloc(1 + (width * channels * bits) / 8, 255);
  row[0] = 0;
  const data = Buffer.concat(Array.from({ length: rows }, () => row));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(data, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

interface TiffPageOptions {
  width: number;
  height: number;
  /** NewSubfileType 1: a smaller copy of another page. */
  isThumbnail?: boolean;
}

/** A grey TIFF of several pages; `loop` points the last page back at the first. */
export function makeTiff(pages: TiffPageOptions[], { loop = false } = {}): Buffer {
  const parts: Buffer[] = [];
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  parts.push(header);
  let offset = 8;
  const directories: { start: number; buffer: Buffer }[] = [];
  for (const { width, height, isThumbnail } of pages) {
    const pixels = Buffer.alloc(width * height, 200);
    const entries: [number, number, number][] = [
      [254, 4, isThumbnail ? 1 : 0],
      [256, 4, width],
      [257, 4, height],
      [258, 3, 8],
      [259, 3, 1],
      [262, 3, 1],
      [273, 4, offset],
      [277, 3, 1],
      [278, 4, height],
      [279, 4, pixels.length],
    ];
    parts.push(pixels);
    offset += pixels.length;
    const buffer = Buffer.alloc(2 + entries.length * 12 + 4);
    buffer.writeUInt16LE(entries.length, 0);
    entries.forEach(([tag, type, value], index) => {
      const at = 2 + index * 12;
      buffer.writeUInt16LE(tag, at);
      buffer.writeUInt16LE(type, at + 2);
      buffer.writeUInt32LE(1, at + 4);
      buffer.writeUInt32LE(value, at + 8);
    });
    directories.push({ start: offset, buffer });
    parts.push(buffer);
    offset += buffer.length;
  }
  header.writeUInt32LE(directories[0]!.start, 4);
  directories.forEach(({ buffer }, index) => {
    const next = directories[index + 1]?.start ?? (loop ? directories[0]!.start : 0);
    buffer.writeUInt32LE(next, buffer.length - 4);
  });
  return Buffer.concat(parts);
}

/** A BMP; rows bottom to top as is usual. `pixel` gives red, green, blue. */
export function makeBmp(
  width: number,
  height: number,
  pixel: (x: number, y: number) => [number, number, number],
): Buffer {
  const stride = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + stride * height);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = 54 + (height - 1 - y) * stride + x * 3;
      const [red, green, blue] = pixel(x, y);
      file[at] = blue;
      file[at + 1] = green;
      file[at + 2] = red;
    }
  return file;
}
