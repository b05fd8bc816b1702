import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectPages } from '#server/conversion/stations/page-range.ts';
import { inspectFile } from './inspect-file.ts';
import {
  circularPdf,
  makeBmp,
  makePng,
  makeTiff,
  pdfWithMediaBox,
  pdfWithPages,
  scriptedPdf,
} from './pages/testing/hostile-files.ts';

const fixtures = path.resolve('fixtures');
const inspectFixture = (file: string, name = path.basename(file)) =>
  inspectFile(path.join(fixtures, file), name);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'inkproof-inspect-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function inspectBytes(bytes: Uint8Array, name: string) {
  const file = path.join(folder, 'upload');
  await writeFile(file, bytes);
  return inspectFile(file, name);
}

describe('accepted files', () => {
  it.each([
    ['pdf/calculus-limits-integrals.pdf', { kind: 'pdf', pageCount: 4 }],
    ['bad/300-pages.pdf', { kind: 'pdf', pageCount: 300 }],
    ['scans/probability-table+grammaire-subjonctif-image-only.pdf', { kind: 'pdf', pageCount: 3 }],
    [
      'scans/grammaire-subjonctif-scan-2pages.tiff',
      { kind: 'image', format: 'tiff', pageCount: 2, width: 1654, height: 2339 },
    ],
    ['scans/grammaire-subjonctif-scan-p1.jpg', { kind: 'image', format: 'jpeg', pageCount: 1 }],
    [
      'images/problem-sheet-number-theory-p1-photo.heic',
      { kind: 'image', format: 'heic', width: 3024, height: 4032 },
    ],
    ['images/probability-table-p1-crop.avif', { kind: 'image', format: 'avif', width: 1350, height: 1200 }],
    [
      'images/grammaire-subjonctif-p1-crop.webp',
      { kind: 'image', format: 'webp', width: 1350, height: 1000 },
    ],
    ['images/biologie-zusammenfassung-p1-crops-animated.gif', { kind: 'image', format: 'gif', pageCount: 1 }],
    [
      'images/physics-mechanics-tikz-p1-crop-16bit.png',
      { kind: 'image', format: 'png', width: 1350, height: 980 },
    ],
  ])('%s', async (file, expected) => {
    expect(await inspectFixture(file)).toMatchObject(expected);
  });

  it('identifies a file by its content, not its name', async () => {
    expect(await inspectFixture('pdf/probability-table.pdf', 'photo.jpg')).toMatchObject({ kind: 'pdf' });
    expect(await inspectFixture('images/probability-table-p1-crop.avif', 'notes.pdf')).toMatchObject({
      format: 'avif',
    });
  });

  it('a BMP, a PDF with rubbish in front, a JPEG with a film behind it', async () => {
    expect(
      await inspectBytes(
        makeBmp(20, 10, () => [1, 2, 3]),
        'a.bmp',
      ),
    ).toMatchObject({ format: 'bmp', width: 20, height: 10 });
    const pdf = await readFile(path.join(fixtures, 'pdf/probability-table.pdf'));
    expect(
      await inspectBytes(Buffer.concat([Buffer.from('\r\nreceived by mail\r\n'), pdf]), 'a.pdf'),
    ).toMatchObject({ kind: 'pdf', pageCount: 1 });
    const jpeg = await readFile(path.join(fixtures, 'scans/grammaire-subjonctif-scan-p1.jpg'));
    expect(await inspectBytes(Buffer.concat([jpeg, Buffer.alloc(5000, 7)]), 'motion.jpg')).toMatchObject({
      format: 'jpeg',
    });
  });

  it('every size and variant of WebP', async () => {
    const picture = sharp({
      create: { width: 321, height: 123, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } },
    });
    for (const options of [{ lossless: true }, { lossless: false }, { nearLossless: true }])
      expect(await inspectBytes(await picture.webp(options).toBuffer(), 'a.webp')).toMatchObject({
        width: 321,
        height: 123,
      });
    const opaque = await picture.flatten().webp({ quality: 50 }).toBuffer();
    expect(await inspectBytes(opaque, 'a.webp')).toMatchObject({ width: 321, height: 123 });
  });

  it('a TIFF without its thumbnails, and one whose pages run in a circle', async () => {
    const page = { width: 60, height: 80 };
    expect(
      await inspectBytes(makeTiff([page, { width: 6, height: 8, isThumbnail: true }, page]), 'a.tiff'),
    ).toMatchObject({ pageCount: 2 });
    expect(await inspectBytes(makeTiff([page, page], { loop: true }), 'a.tiff')).toMatchObject({
      pageCount: 2,
    });
  });

  it('PDFs with scripts, giant boxes or no box: what matters is that they can be drawn', async () => {
    expect(await inspectBytes(scriptedPdf(), 'scripts.pdf')).toMatchObject({ pageCount: 1 });
    expect(await inspectBytes(pdfWithMediaBox('0 0 10000000 10000000'), 'giant.pdf')).toMatchObject({
      pageCount: 1,
    });
    expect(await inspectBytes(pdfWithMediaBox(''), 'none.pdf')).toMatchObject({ pageCount: 1 });
  });

  it('5,000 pages, of which a range may be asked for', async () => {
    const inspected = await inspectBytes(pdfWithPages(5000), 'long.pdf');
    expect(inspected.pageCount).toBe(5000);
    expect(() => selectPages({ startPage: 1, endPage: null }, inspected.pageCount)).toThrow(
      expect.objectContaining({ code: 'PDF_TOO_LONG' }),
    );
  });
});

describe('refused files, and the message for each', () => {
  it('published material', async () => {
    await expect(inspectFixture('bad/copyrighted.pdf')).rejects.toMatchObject({ code: 'COPYRIGHTED_PDF' });
  });

  const refusal = (sentence: string) =>
    expect.objectContaining({
      code: 'INVALID_INPUT',
      source: 'user',
      message: expect.stringContaining(sentence),
    });

  it.each([
    ['bad/encrypted.pdf', 'is protected by a password. Remove the password'],
    ['bad/truncated.pdf', 'is damaged or incomplete. Export or download it again'],
    ['bad/truncated.jpg', 'is cut off: part of the picture is missing'],
    ['bad/html-named.pdf', 'is not a PDF but a web page (HTML)'],
    ['bad/empty.pdf', 'is empty'],
    ['bad/zero-pages.pdf', 'has no pages'],
    ['pdf/probability-table.tex', 'is LaTeX already. Import it into your documents'],
  ])('%s', async (file, sentence) => {
    await expect(inspectFixture(file)).rejects.toThrow(refusal(sentence));
  });

  it.each<[string, () => Buffer, string]>([
    ['circular.pdf', circularPdf, 'is damaged or incomplete'],
    [
      'huge.png',
      () => makePng(50_000, 50_000, { rows: 2 }),
      'is 50000 × 50000 pixels; at most 50 megapixels can be read',
    ],
    ['long.png', () => makePng(40_000, 10, { rows: 2 }), 'is 40000 × 10 pixels'],
    ['no-size.png', () => makePng(0, 10, { rows: 0 }), 'has no picture in it'],
    ['huge.tiff', () => makeTiff([{ width: 10, height: 10 }]).fill(0xff, 122, 126), 'is '],
    [
      'archive.zip',
      () => Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
      'is an archive. If it holds a LaTeX project, import it into your documents',
    ],
    [
      'drawing.svg',
      () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      'an SVG drawing',
    ],
    ['pretends.pdf', () => Buffer.from('%PDF-1.7\nnothing else'), 'is damaged or incomplete'],
    ['pretends.jpg', () => Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'is cut off'],
  ])('%s', async (name, make, sentence) => {
    await expect(inspectBytes(make(), name)).rejects.toThrow(refusal(sentence));
  });

  it.each(['png', 'webp', 'gif', 'tiff', 'heic', 'avif', 'jpeg'] as const)(
    'a truncated %s',
    async (format) => {
      const found: Record<string, string> = {
        png: 'images/physics-mechanics-tikz-p1-crop-16bit.png',
        webp: 'images/grammaire-subjonctif-p1-crop.webp',
        gif: 'images/biologie-zusammenfassung-p1-crops-animated.gif',
        tiff: 'scans/grammaire-subjonctif-scan-2pages.tiff',
        heic: 'images/problem-sheet-number-theory-p1-photo.heic',
        avif: 'images/probability-table-p1-crop.avif',
        jpeg: 'images/linear-algebra-matrices-p1-crop-cmyk.jpg',
      };
      const whole = await readFile(path.join(fixtures, found[format]!));
      // only the first frame of a GIF counts: a cut behind it costs nothing
      const share = format === 'gif' ? 0.2 : 0.6;
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      await expect(inspectBytes(cut, `cut.${format}`)).rejects.toThrow(refusal('is cut off'));
    },
  );

  it.each(['png', 'webp', 'tiff', 'avif', 'jpeg'] as const)(
    'a %s with a valid header that no decoder opens',
    async (format) => {
      const made = sharp(path.join(fixtures, 'images/grammaire-subjonctif-p1-crop.webp'));
      const found: Record<string, () => Promise<Buffer>> = {
        png: () => made.png().toBuffer(),
        webp: () => made.webp().toBuffer(),
        tiff: () => made.tiff({ compression: 'deflate' }).toBuffer(),
        avif: () => readFile(path.join(fixtures, 'images/probability-table-p1-crop.avif')),
        jpeg: () => made.jpeg().toBuffer(),
      };
      const bytes = await found[format]!();
      // what lies between two places of the file, which its header does not look at
      const spoil = (from: number, to: number) => bytes.fill(0xa5, from, to);
      if (format === 'jpeg') {
        // the Huffman tables: with broken pixels alone a picture is still shown
        const table = bytes.indexOf('ffc4', 0, 'hex');
        spoil(table + 4, table + 2 + bytes.readUInt16BE(table + 2));
      } else if (format === 'png') {
        const chunk = bytes.indexOf('IDAT');
        spoil(chunk + 4, chunk + 4 + bytes.readUInt32BE(chunk - 4));
      } else if (format === 'tiff') spoil(8, Math.floor(bytes.length / 2));
      else spoil(Math.floor(bytes.length * 0.1), Math.floor(bytes.length * 0.9));
      await expect(inspectBytes(bytes, `broken.${format}`)).rejects.toThrow(
        refusal('is damaged. Save the picture again'),
      );
    },
  );

  it('answers in time when many files come at once', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 12 }, () => inspectFixture('bad/encrypted.pdf')),
    );
    expect(answers.every((answer) => answer.status === 'rejected')).toBe(true);
  });

  it('stops when the caller cancels', async () => {
    const stop = new AbortController();
    const inspecting = inspectFile(path.join(fixtures, 'pdf/probability-table.pdf'), 'a.pdf', stop.signal);
    stop.abort(new Error('gone'));
    await expect(inspecting).rejects.toThrow('gone');
    expect(await inspectFixture('pdf/probability-table.pdf')).toMatchObject({ pageCount: 1 });
  });
});
