import { readFileSync } from 'node:fs';
import { constants, deflateRawSync } from 'node:zlib';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedRoutes, serveRoutes } from '#server/compile/testing/serve-routes.ts';
import { WatermarkResponse } from '#shared/api/documents.ts';
import { ErrorObject } from '#shared/api/errors.ts';
import { chooseFrom } from '../../test-support/matrix.ts';
import { pdfText } from '../testing/find-leak.ts';
import { decodedStreams } from '../testing/pdf-streams.ts';

let served: ServedRoutes;
let pdfium: Awaited<ReturnType<typeof PDFiumLibrary.init>>;
beforeAll(async () => {
  served = await serveRoutes();
  pdfium = await PDFiumLibrary.init();
});
afterAll(async () => {
  pdfium.destroy();
  await served.close();
});

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
const plain = () => fixture('pdf/grammaire-subjonctif.pdf');

/** A PDF's text without spaces: poppler inserts them between the letters of slanted text. */
const words = (pdf: Uint8Array) => pdfText(pdf).replace(/\s+/g, '');

async function send(pdf: Uint8Array, text: string, extra: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  form.set('watermark_text', text);
  for (const [name, value] of Object.entries(extra)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'document.pdf');
  return fetch(`${served.address}/api/v1/watermark`, { method: 'POST', body: form });
}

async function stamp(pdf: Uint8Array, text: string, extra?: Record<string, string>): Promise<Buffer> {
  const response = await send(pdf, text, extra);
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return Buffer.from(WatermarkResponse.parse(body).pdf_base64, 'base64');
}

async function refusal(pdf: Uint8Array, text: string, extra?: Record<string, string>): Promise<string> {
  const response = await send(pdf, text, extra);
  expect(response.status).toBe(400);
  const error = ErrorObject.parse(await response.json());
  expect(error.code).toBe('INVALID_INPUT');
  return error.error;
}

/** Pages of these sizes and rotations, empty. */
async function emptyPages(
  pages: { size: [number, number]; rotate?: number; crop?: [number, number, number, number] }[],
) {
  const document = await PDFDocument.create();
  for (const { size, rotate = 0, crop } of pages) {
    const page = document.addPage(size);
    page.setRotation(degrees(rotate));
    if (crop) page.setCropBox(...crop);
    page.drawText(' ');
  }
  return document.save();
}

/** A hand-written PDF of one page, for what pdf-lib would not write. */
function onePage(entries: string, content = ''): Buffer {
  const page = `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << >> ${entries} >>`;
  return Buffer.from(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n${page}\nendobj\n4 0 obj\n<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\nstartxref\n0\n%%EOF\n`,
  );
}

/**
 * Where a page has ink, as a reader sees it: the bounding box of everything that is not white, and its slope,
 * as shares of the page.
 */
async function ink(pdf: Uint8Array, pageIndex = 0) {
  const document = await pdfium.loadDocument(new Uint8Array(pdf));
  const { data, width, height } = await document.getPage(pageIndex).render({ scale: 1, render: 'bitmap' });
  let [left, right, top, bottom, count, slope, lightest, brightest] = [width, 0, height, 0, 0, 0, 0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = data[(y * width + x) * 4]!;
      if (value < 250) brightest = Math.max(brightest, value);
      if (value > 250) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      count++;
      lightest = Math.max(lightest, 255 - value);
      slope += (x - width / 2) * (height / 2 - y);
    }
  document.destroy();
  return {
    width,
    height,
    count,
    /** Positive: it rises to the right. */
    rises: slope > 0,
    darkness: lightest,
    /** Of everything that is not white, 0 to 255. */
    brightest,
    centreX: (left + right) / 2 / width,
    centreY: (top + bottom) / 2 / height,
    spanX: (right - left) / width,
    spanY: (bottom - top) / height,
  };
}

describe('POST /api/v1/watermark', () => {
  test('stamps every page and keeps its content', async () => {
    const before = await ink(plain());
    const stamped = await stamp(plain(), 'Draft for Zoë');
    expect(words(stamped).match(/DraftforZoë/g)).toHaveLength(2);
    expect(words(stamped)).toContain(words(plain()).slice(0, 200));
    const after = await ink(stamped);
    expect(after.count).toBeGreaterThan(before.count + 1_000);
  });

  const shapes: [string, [number, number], number][] = [
    ['portrait', [595, 842], 0],
    ['a receipt', [160, 900], 90],
    ['landscape turned by 270', [842, 595], 270],
    ['landscape', [842, 595], 0],
    ['portrait turned by 90', [595, 842], 90],
    ['portrait turned by 180', [595, 842], 180],
    ['a slide', [1920, 1080], 0],
  ];
  test.each(chooseFrom(import.meta.filename, shapes))(
    'runs along the visible diagonal: %s',
    async (_, size, rotate) => {
      const seen = await ink(await stamp(await emptyPages([{ size, rotate }]), 'Confidential copy'));
      expect(seen.width / seen.height).toBeCloseTo(
        rotate % 180 === 0 ? size[0] / size[1] : size[1] / size[0],
        1,
      );
      expect(seen.rises).toBe(true);
      expect(seen.centreX).toBeCloseTo(0.5, 1);
      expect(seen.centreY).toBeCloseTo(0.5, 1);
      expect(Math.max(seen.spanX, seen.spanY)).toBeGreaterThan(0.5);
      // faint: text under it stays readable
      expect(seen.darkness).toBeLessThan(60);
    },
  );

  test('is centred in the visible part of a cropped page', async () => {
    const pdf = await emptyPages([{ size: [1000, 1000], crop: [600, 600, 300, 300] }]);
    const seen = await ink(await stamp(pdf, 'Sample'));
    expect(seen.width).toBe(300);
    expect(seen.centreX).toBeCloseTo(0.5, 1);
    expect(seen.centreY).toBeCloseTo(0.5, 1);
  });

  const oddBoxes: [string, string, number][] = [
    ['a crop box that reaches beyond the page', '/MediaBox [0 0 400 400] /CropBox [200 200 900 900]', 200],
    ['boxes named backwards', '/MediaBox [400 400 0 0] /CropBox [300 300 100 100]', 200],
    ['a crop box of nothing', '/MediaBox [0 0 400 400] /CropBox [0 0 0 0]', 400],
    ['no size at all', '', 612],
    ['an origin elsewhere', '/MediaBox [-500 -700 -100 -300]', 400],
  ];
  test.each(chooseFrom(import.meta.filename, oddBoxes))(
    'is centred on a page with %s',
    async (_, boxes, width) => {
      const seen = await ink(await stamp(onePage(boxes), 'Sample copy'));
      expect(seen.width).toBe(width);
      expect(seen.centreX).toBeCloseTo(0.5, 1);
      expect(seen.centreY).toBeCloseTo(0.5, 1);
    },
  );

  test('fits a wide, low page, and is straight on one with an invalid rotation', async () => {
    const low = await ink(await stamp(onePage('/MediaBox [0 0 1500 60]'), 'Confidential copy'));
    expect(low.spanY).toBeGreaterThan(0.5);
    expect(low.spanY).toBeLessThan(1);
    const crooked = await ink(await stamp(onePage('/MediaBox [0 0 400 400] /Rotate 45'), 'Sample copy'));
    expect(crooked.spanX / crooked.spanY).toBeCloseTo(1, 1);
  });

  test('is visible on a dark page', async () => {
    const black = onePage('/MediaBox [0 0 400 400]', '0 g 0 0 400 400 re f');
    expect((await ink(await stamp(black, 'Sample'))).brightest).toBeGreaterThan(20);
  });

  test('breaks a long text into lines, and keeps given lines', async () => {
    const page = await emptyPages([{ size: [600, 800] }]);
    const short = await ink(await stamp(page, 'Sample'));
    const two = await ink(await stamp(page, 'Sample\nSample'));
    expect(two.count).toBeGreaterThan(short.count * 1.6);
    const words200 = 'Confidential copy '.repeat(11).trim();
    expect((await ink(await stamp(page, words200))).count).toBeGreaterThan(short.count);
  });

  test('a second stamp leaves the first in place', async () => {
    const twice = await stamp(await stamp(plain(), 'First'), 'Second');
    expect(words(twice)).toContain('First');
    expect(words(twice)).toContain('Second');
  });

  test('grows with size_scale', async () => {
    const pdf = await emptyPages([{ size: [600, 800] }]);
    const [half, one] = [
      await ink(await stamp(pdf, 'Copy', { size_scale: '0.5' })),
      await ink(await stamp(pdf, 'Copy')),
    ];
    expect(half.spanX / one.spanX).toBeCloseTo(0.5, 1);
    expect(await refusal(pdf, 'Copy', { size_scale: '99' })).toContain('size_scale');
  });

  const scripts = [
    '\\input{/etc/passwd} 100% $x_1^2$ #~&{}',
    'مسودة',
    '草稿',
    'Draft 🚀',
    'Ünïcôdé ß ñ ő ł',
    'Черновик',
    'Πρόχειρο',
    'טיוטה',
    'Entwurf – «Kopie» 𝑥',
    '下書き',
    '초안',
    'প্রারূপ',
    'ร่าง',
    'Հայերեն ქართული',
    'q\u0303 x\u0302',
  ];
  test.each(chooseFrom(import.meta.filename, scripts, 2))('writes %s', async (text) => {
    const stamped = await stamp(await emptyPages([{ size: [600, 800] }]), text);
    expect((await ink(stamped)).count).toBeGreaterThan(500);
    if (!/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Bengali}\p{M}]/u.test(text))
      expect(words(stamped)).toContain(text.replace(/\s+/g, ''));
  });

  test('names the characters that no installed font has', async () => {
    expect(await refusal(plain(), 'draft \u{16F50}')).toContain('\u{16F50}');
  });

  const unusable = [
    ['bad/encrypted.pdf', 'encrypted'],
    ['bad/truncated.pdf', 'not a PDF that can be read'],
    ['bad/zero-pages.pdf', 'no pages'],
    ['bad/empty.pdf', 'not a PDF that can be read'],
    ['bad/html-named.pdf', 'not a PDF that can be read'],
    ['images/algorithms-and-kinetics-p1-crop-alpha.png', 'not a PDF that can be read'],
  ] as const;
  test.each(chooseFrom(import.meta.filename, unusable))(
    '%s is refused with a message',
    async (name, sentence) => {
      expect(await refusal(fixture(name), 'Draft')).toContain(sentence);
    },
  );

  const bombs = chooseFrom(import.meta.filename, ['gigabytes'], 0);
  test.each(bombs)('a PDF that unpacks to %s is refused, and the next call works', async () => {
    expect(await refusal(bombPdf(), 'Draft')).toMatch(/too large|cannot|not a PDF/);
    expect((await send(plain(), 'Draft')).status).toBe(200);
  });

  test('needs a file and a text', async () => {
    const form = new FormData();
    form.set('watermark_text', 'x');
    const response = await fetch(`${served.address}/api/v1/watermark`, { method: 'POST', body: form });
    expect(response.status).toBe(400);
    expect(await refusal(plain(), '   ')).toContain('watermark_text');
  });

  test('the stamp is one object that all pages share', async () => {
    const pdf = await emptyPages(
      Array.from({ length: 60 }, () => ({ size: [600, 800] as [number, number] })),
    );
    const stamped = await stamp(pdf, 'Draft');
    expect(stamped.length).toBeLessThan(pdf.length + 100_000);
    expect(decodedStreams(stamped).length).toBeGreaterThan(60);
  });

  const shared = chooseFrom(import.meta.filename, ['bad/300-pages.pdf'], 0);
  test.each(shared)('the same where pages share their resources: %s', async (name) => {
    const pdf = fixture(name);
    expect((await stamp(pdf, 'Draft')).length).toBeLessThan(pdf.length + 300_000);
  });
});

/** A PDF of a megabyte whose object stream inflates to one gigabyte. */
function bombPdf(): Buffer {
  const block = deflateRawSync(Buffer.alloc(1_000_000, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const stream = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: 1_000 }, () => block)]);
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.5\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n3 0 obj\n<< /Type /ObjStm /N 1 /First 10 /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`,
    ),
    stream,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 4 >>\nstartxref\n0\n%%EOF\n'),
  ]);
}
