import { readFile } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { removeMetadata } from './remove-metadata.ts';
import { pngChunk } from './testing/png-chunk.ts';

const photo = await readFile('fixtures/images/calculus-limits-integrals-p1-exif-orientation-6.jpg');
const drawn = sharp({ create: { width: 30, height: 20, channels: 3, background: '#246' } });
const pixelsOf = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();
const secret = 'Ada at home';
const jpegStart = Buffer.from([0xff, 0xd8]);

function segment(marker: number, payload: string): Buffer {
  const body = Buffer.from(payload, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

describe('a JPEG', () => {
  test('keeps its pixels, profile and density, and loses all other data', async () => {
    const plain = await drawn.clone().withMetadata({ density: 300 }).jpeg({ progressive: true }).toBuffer();
    const talking = Buffer.concat([
      plain.subarray(0, 2),
      segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${secret}`),
      segment(0xe2, `MPF\0${secret}`),
      segment(0xed, `Photoshop 3.0\0${secret}`),
      segment(0xfe, secret),
      plain.subarray(2),
      // a live photo's video, or a second picture
      Buffer.from(secret),
      plain,
    ]);
    const { bytes, orientation } = removeMetadata(talking);
    expect([Buffer.from(bytes).includes(secret), orientation]).toEqual([false, 1]);
    const { exif, icc, density } = await sharp(bytes).metadata();
    expect([exif, icc !== undefined, density]).toEqual([undefined, true, 300]);
    expect(await pixelsOf(bytes)).toEqual(await pixelsOf(talking));
    expect(removeMetadata(bytes).bytes).toEqual(bytes);
  });

  test('keeps its orientation, and its density where only EXIF has it', async () => {
    const turned = await drawn.clone().withMetadata({ density: 200, orientation: 8 }).jpeg().toBuffer();
    const jfifAt = turned.indexOf('JFIF') - 4;
    const withoutJfif = Buffer.concat([turned.subarray(0, jfifAt), turned.subarray(jfifAt + 18)]);
    const { bytes, orientation } = removeMetadata(withoutJfif);
    expect([orientation, (await sharp(bytes).metadata()).density]).toEqual([8, 200]);
    expect(removeMetadata(photo).orientation).toBe(6);
  });

  test.each([2, 3, 20, 100, 5_000])('truncated after %i bytes is not read beyond its end', (length) => {
    expect(Buffer.from(removeMetadata(photo.subarray(0, length)).bytes).includes('Sample')).toBe(false);
  });
});

test('a PNG keeps its appearance, and no text, no EXIF data, nothing after its end', async () => {
  const plain = await drawn.clone().withMetadata({ density: 300 }).png().toBuffer();
  const exif = Buffer.from('4d4d002a00000008000101120003000000010003000000000000', 'hex');
  const talking = Buffer.concat([
    plain.subarray(0, -12),
    ...['tEXt', 'iTXt', 'zTXt', 'tIME', 'prVt'].map((type) =>
      pngChunk(type, Buffer.from(`Author\0${secret}`)),
    ),
    pngChunk('eXIf', exif),
    plain.subarray(-12),
    Buffer.from(secret),
  ]);
  const { bytes, orientation } = removeMetadata(talking);
  expect([Buffer.from(bytes).includes(secret), orientation]).toEqual([false, 3]);
  const cleaned = await sharp(bytes).metadata();
  expect([cleaned.exif, cleaned.density]).toEqual([undefined, 300]);
  expect(await pixelsOf(bytes)).toEqual(await pixelsOf(plain));
});

test('a PDF keeps its length and opens; its photos and XMP packets lose their metadata', async () => {
  const document = await PDFDocument.create();
  const picture = await document.embedJpg(photo);
  document.addPage().drawImage(picture);
  const xmp = `<?xpacket begin="" id="W5M0"?><x:xmpmeta>${secret}</x:xmpmeta><?xpacket end="w"?>`;
  document.context.register(document.context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' }));
  const talking = Buffer.from(await document.save());
  expect([talking.includes('Sample Owner'), talking.includes(secret)]).toEqual([true, true]);
  const bytes = Buffer.from(removeMetadata(talking).bytes);
  expect([bytes.includes('Sample Owner'), bytes.includes(secret), bytes.length]).toEqual([
    false,
    false,
    talking.length,
  ]);
  expect((await PDFDocument.load(bytes)).getPageCount()).toBe(1);
});

test('a PDF full of image headers takes no longer than any other', () => {
  const chain = Buffer.from('ffe00007ffd8ffe00002', 'hex');
  const hostile = Buffer.concat([
    Buffer.from('%PDF-1.5\n<?xpacket begin<?xpacket end'),
    jpegStart,
    ...Array(500_000).fill(chain),
  ]);
  expect(removeMetadata(hostile).bytes.length).toBe(hostile.length);
});

test('a picture with data between its parts is reported, because its pixels may come after it', async () => {
  const plain = await drawn.clone().jpeg().toBuffer();
  const scan = plain.indexOf(Buffer.from([0xff, 0xda]));
  const padded = Buffer.concat([plain.subarray(0, scan), Buffer.from('xx'), plain.subarray(scan)]);
  expect([removeMetadata(plain).isSound, removeMetadata(padded).isSound]).toEqual([true, false]);
});

test('any other file is returned unchanged', () => {
  const text = Buffer.from('@book{k, author={Ada}}');
  expect(removeMetadata(text).bytes).toEqual(text);
});
