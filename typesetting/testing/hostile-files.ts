/** Files an attacker would send as figures: pictures and PDFs that unpack to gigabytes, loop, or nest without end. */
import { deflateRawSync, deflateSync } from 'node:zlib';
import { pngChunk } from '#platform/pictures/testing/png-chunk.ts';

/** A 12 × 12 grey-scale PNG with these 144 pixels (cut or filled up). */
export function png(pixels: string): Buffer {
  const side = 12;
  const rows = Buffer.alloc(side * (side + 1));
  for (let row = 0; row < side; row++)
    rows.write(pixels.slice(row * side, (row + 1) * side), row * (side + 1) + 1, 'latin1');
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PDF of these objects, the first its catalog. */
function pdfOf(objects: (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  let length = parts[0]!.length;
  const offsets: number[] = [];
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    add(
      Buffer.concat([
        Buffer.from(`${index + 1} 0 obj\n`),
        Buffer.from(object as string, 'latin1'),
        Buffer.from('\nendobj\n'),
      ]),
    );
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const at = length;
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const stream = (dictionary: string, bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);

const page =
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 50] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>';
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** One page that shows `text` in Helvetica. */
export function tinyPdf(text: string): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    page,
    stream('', Buffer.from(`BT /F1 12 Tf 10 10 Td (${text}) Tj ET`)),
    font,
  ]);
}

/** One page whose contents have two filters and unpack to a gigabyte. */
export function bombPdf(): Buffer {
  const once = deflateSync(Buffer.alloc(1_000_000_000 / 4), { level: 9 });
  const twice = deflateSync(once, { level: 9 });
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    page,
    stream('/Filter [/FlateDecode /FlateDecode]', twice),
    font,
  ]);
}

/** A page tree that is its own child. */
export function loopPdf(): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2000000000 /Parent 2 0 R >>',
  ]);
}

/** Arrays inside arrays, and a page tree, `depth` deep. */
export function deepPdf(depth: number): Buffer {
  const tree = Array.from(
    { length: depth },
    (_, index) => `<< /Type /Pages /Kids [${index + 3} 0 R] /Count 1 >>`,
  );
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    ...tree,
    `<< /Type /Page /MediaBox [0 0 9 9] /X ${'['.repeat(depth)}${']'.repeat(depth)} >>`,
  ]);
}

/** A ZIP archive of one file that unpacks to 250 MB. */
export function bombZip(): Buffer {
  const data = deflateRawSync(Buffer.alloc(250_000_000), { level: 9 });
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt32LE(250_000_000, 22);
  header.writeUInt16LE(1, 26);
  return Buffer.concat([header, Buffer.from('x'), data]);
}

/** A header that claims a JPEG of 65,500 × 65,500 pixels, with hardly any data. */
export function hugeJpeg(): Buffer {
  const frame = Buffer.from([
    0xff, 0xc0, 0, 17, 8, 0xff, 0xdc, 0xff, 0xdc, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1,
  ]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
    Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'),
    frame,
    Buffer.alloc(5_000, 0x55),
    Buffer.from([0xff, 0xd9]),
  ]);
}
