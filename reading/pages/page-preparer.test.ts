import { existsSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { chooseFrom } from '../../test-support/matrix.ts';
import { collectGlyphs, flushness, shareBeside } from '../ink/layout/glyphs.ts';
import { type Bitmap, wholePage } from '../page.ts';
import { shrink, toGrey } from '../raster.ts';
import { createPagePreparer } from './page-preparer.ts';
import { measureSkew } from './paper/text-direction.ts';
import { makeBmp, makeTiff, pdfWithMediaBox, scriptedPdf } from './testing/hostile-files.ts';
import { fixtures, openPreparer } from './testing/open-preparer.ts';

const photos = path.resolve('../shared/samples/photos');
const longestSide = 2600;

const { preparer, source, saved } = openPreparer();

const meanOf = ({ data }: Bitmap): number => data.reduce((sum, value) => sum + value, 0) / data.length;
const darkestOf = ({ data }: Bitmap): number => data.reduce((least, value) => Math.min(least, value), 255);
const pixel = ({ data, width, channels }: Bitmap, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels),
];
/** What the arrangement of ink says: lines across (above 0.5), beginning at the left (above 0). */
function layOf(bitmap: Bitmap): { beside: number; flush: number } {
  const small = shrink(toGrey(bitmap), 1000);
  const glyphs = collectGlyphs(small);
  return { beside: shareBeside(glyphs), flush: flushness(glyphs, small.width, small.height) };
}
/** Segments of a JPEG by their marker, up to the compressed data. */
function jpegSegments(bytes: Uint8Array): number[] {
  const file = Buffer.from(bytes);
  const markers: number[] = [];
  for (let offset = 2; file[offset + 1] !== 0xda; offset += 2 + file.readUInt16BE(offset + 2))
    markers.push(file[offset + 1]!);
  return markers;
}

describe('PDF pages', () => {
  it('are rendered at 210 dpi as they are', async () => {
    const page = await preparer.prepare(source('pdf/calculus-limits-integrals.pdf', 3));
    expect(page).toMatchObject({
      origin: 'render',
      warnings: [],
      // black on white
      bitmap: { width: 1736, height: 2456, channels: 1 },
    });
    expect(meanOf(page.bitmap)).toBeGreaterThan(235);
    expect(meanOf(page.bitmap)).toBeLessThan(254);
  });

  it('leave their process as pictures, and with their pixels when these are asked for', async () => {
    const forModel = createPagePreparer({ concurrency: 1, forModel: true });
    const page = await forModel.look(source('pdf/calculus-limits-integrals.pdf', 3));
    const sizes = await Promise.all(
      [page.preview, page.forModel!].map(async (jpeg) => (await sharp(jpeg).metadata()).height),
    );
    expect([page.bitmap, page.inkLines, ...sizes]).toEqual([undefined, undefined, 1600, 2200]);
    const { bitmap, inkLines = [] } = await wholePage(page);
    expect([bitmap.width, bitmap.height]).toEqual([1736, 2456]);
    expect(inkLines.length).toBeGreaterThan(5);
    const scan = await forModel.look(
      source('scans/probability-table+grammaire-subjonctif-image-only.pdf', 1),
    );
    expect(scan.bitmap).toBeDefined();
    expect(scan.inkLines).toBeDefined();
    await forModel.close();
  });

  it('are drawn in the size that people see, and whole when their pixels are asked for', async () => {
    const page = await preparer.look(source('pdf/calculus-limits-integrals.pdf', 3));
    const { width, height } = await sharp(page.preview).metadata();
    expect([page.bitmap, width, height]).toEqual([undefined, 1131, 1600]);
    const { bitmap } = await wholePage(page);
    expect([bitmap.width, bitmap.height]).toEqual([1736, 2456]);
  });

  it('that hold only a picture are treated as scans', async () => {
    const page = await preparer.prepare(
      source('scans/probability-table+grammaire-subjonctif-image-only.pdf', 1),
    );
    expect(page.origin).toBe('scan');
    expect(Math.min(...pixel(page.bitmap, 60, 60))).toBeGreaterThan(250);
  });

  it.each([
    ['0 0 10000000 10000000', longestSide, longestSide],
    ['0 0 612 792', 1785, 2310],
    ['0 0 -612 -792', 1785, 2310],
    ['', 1785, 2310],
    ['0 0 100000 1', longestSide, 1],
  ])('with the media box [%s] give a bounded picture', async (box, width, height) => {
    const page = await preparer.prepare(await saved(pdfWithMediaBox(box), 'pdf'));
    expect([page.bitmap.width, page.bitmap.height]).toEqual([width, height]);
  });

  it('do not run their scripts', async () => {
    const page = await preparer.prepare(await saved(scriptedPdf(), 'pdf'));
    expect(page.origin).toBe('render');
    expect(meanOf(page.bitmap)).toBeLessThan(255);
  });

  it('that are not there are refused by themselves', async () => {
    await expect(preparer.prepare(source('pdf/probability-table.pdf', 7))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect((await preparer.prepare(source('pdf/probability-table.pdf', 0))).origin).toBe('render');
  });
});

describe('pictures of all formats', () => {
  it('HEIC: found on the desk, straightened, the shadow gone', async () => {
    const { bitmap, origin, warnings } = await preparer.prepare(
      source('images/problem-sheet-number-theory-p1-photo.heic'),
    );
    expect([origin, warnings]).toEqual(['photo', []]);
    // A4's shape comes back, whatever the camera's was
    expect(bitmap.height / bitmap.width).toBeGreaterThan(1.15);
    // the corner that lay in deep shadow is as white as the other
    for (const [x, y] of [
      [0.06, 0.06],
      [0.94, 0.5],
      [0.94, 0.9],
      [0.06, 0.9],
    ] as const)
      expect(
        Math.min(...pixel(bitmap, Math.round(bitmap.width * x), Math.round(bitmap.height * y))),
      ).toBeGreaterThan(200);
    expect(layOf(bitmap).beside).toBeGreaterThan(0.8);
  });

  it('EXIF: turned upright, and nothing of it left in what is returned', async () => {
    const file = 'images/calculus-limits-integrals-p1-exif-orientation-6.jpg';
    const { orientation, exif } = await sharp(path.join(fixtures, file)).metadata();
    expect([orientation, (exif?.length ?? 0) > 100]).toEqual([6, true]);
    const { bitmap, preview, warnings } = await preparer.prepare(source(file));
    expect(warnings).toEqual([]); // turned by what the file says, not found out from the writing
    expect(bitmap.height).toBeGreaterThan(bitmap.width);
    expect(layOf(bitmap).beside).toBeGreaterThan(0.8);
    const metadata = await sharp(preview).metadata();
    expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.icc, metadata.orientation]).toEqual(
      Array(5).fill(undefined),
    );
    expect(jpegSegments(preview).filter((marker) => marker >= 0xe1 && marker <= 0xef)).toEqual([]);
    const text = Buffer.from(preview).toString('latin1');
    const owned = exif!.toString('latin1').match(/[A-Za-z]{6,}/g) ?? [];
    expect(owned.length).toBeGreaterThan(0);
    for (const word of owned) expect(text).not.toContain(word);
  });

  it('CMYK: black ink on light paper, not a negative', async () => {
    const { bitmap } = await preparer.prepare(source('images/linear-algebra-matrices-p1-crop-cmyk.jpg'));
    expect(Math.min(...pixel(bitmap, 5, 5))).toBeGreaterThan(240);
    expect(darkestOf(bitmap)).toBeLessThan(60);
    expect(meanOf(bitmap)).toBeGreaterThan(200);
  });

  it('16 bits: neither clipped to white nor to black', async () => {
    const { bitmap } = await preparer.prepare(source('images/physics-mechanics-tikz-p1-crop-16bit.png'));
    expect(meanOf(bitmap)).toBeGreaterThan(200);
    expect(meanOf(bitmap)).toBeLessThan(253);
  });

  it('transparent paper becomes white', async () => {
    const { bitmap } = await preparer.prepare(source('images/algorithms-and-kinetics-p1-crop-alpha.png'));
    expect(Math.min(...pixel(bitmap, 2, bitmap.height - 3))).toBe(255);
    expect(darkestOf(bitmap)).toBeLessThan(30);
  });

  it.each([
    ['white', '#fff'],
    ['pale yellow', '#ffe99a'],
    ['blue', '#1133aa'],
  ])('%s ink on transparent paper becomes dark ink on white', async (_, stroke) => {
    const drawing = `<svg width="400" height="300" xmlns="http://www.w3.org/2000/svg"><path d="M40 150 H360" stroke="${stroke}" stroke-width="6"/></svg>`;
    for (const [format, picture] of [
      ['png', sharp(Buffer.from(drawing)).png()],
      ['webp', sharp(Buffer.from(drawing)).webp({ lossless: true })],
    ] as const) {
      const { bitmap } = await preparer.prepare(await saved(await picture.toBuffer(), format));
      expect(darkestOf(bitmap)).toBeLessThan(120);
      expect(meanOf(bitmap)).toBeGreaterThan(220);
    }
  });

  it('a cut-out sheet of white paper stays white paper', async () => {
    const sheet = await sharp(
      Buffer.from(
        '<svg width="400" height="300" xmlns="http://www.w3.org/2000/svg"><rect x="40" y="20" width="320" height="260" rx="20" fill="#fdfdf8"/><path d="M80 150 H320" stroke="#223" stroke-width="6"/></svg>',
      ),
    ).png();
    const { bitmap } = await preparer.prepare(await saved(await sheet.toBuffer(), 'png'));
    expect(darkestOf(bitmap)).toBeLessThan(120);
    expect(meanOf(bitmap)).toBeGreaterThan(220);
  });

  it('BMP: rows and colours in their order', async () => {
    const bmp = makeBmp(64, 48, (_, y) => (y < 24 ? [255, 255, 255] : [250, 250, 255]));
    const { bitmap } = await preparer.prepare(await saved(bmp, 'bmp'));
    expect([bitmap.width, bitmap.height]).toEqual([64, 48]);
  });

  it('the pages of a TIFF one by one, thumbnails skipped', async () => {
    const first = await preparer.prepare(source('scans/grammaire-subjonctif-scan-2pages.tiff', 0));
    const second = await preparer.prepare(source('scans/grammaire-subjonctif-scan-2pages.tiff', 1));
    expect(meanOf(second.bitmap)).toBeGreaterThan(meanOf(first.bitmap) + 2); // page two is nearly empty
    const page = { width: 60, height: 80 };
    const tiff = await saved(
      makeTiff([page, { width: 6, height: 8, isThumbnail: true }, { width: 90, height: 70 }]),
      'tiff',
    );
    const after = await preparer.prepare({ ...tiff, index: 1 });
    expect([after.bitmap.width, after.bitmap.height]).toEqual([90, 70]);
  });

  it('white ink on a dark page becomes dark ink on white', async () => {
    const dark = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#101418' } })
      .composite([
        {
          input: Buffer.from(
            '<svg width="400" height="300"><path d="M40 150 H360" stroke="#fff" stroke-width="6"/></svg>',
          ),
        },
      ])
      .png()
      .toBuffer();
    const { bitmap } = await preparer.prepare(await saved(dark, 'png'));
    const [line, paper] = [pixel(bitmap, 200, 150)[0]!, pixel(bitmap, 200, 40)[0]!];
    expect(paper).toBeGreaterThan(230);
    expect(line).toBeLessThan(60);
  });
});

describe('turning', () => {
  const turns = chooseFrom(import.meta.filename, [180, 90, 270]);
  it.each(turns)('a print turned by %i degrees is turned back', async (degrees) => {
    const turned = await sharp(path.join(fixtures, 'scans/grammaire-subjonctif-scan-p1.jpg'))
      .rotate(degrees)
      .resize(1300)
      .jpeg()
      .toBuffer();
    const { bitmap, warnings } = await preparer.prepare(await saved(turned, 'jpg'));
    expect(warnings.map(({ code }) => code)).toEqual(['PAGE_TURNED']);
    expect(bitmap.height).toBeGreaterThan(bitmap.width);
    expect(layOf(bitmap)).toEqual({
      beside: expect.toSatisfy((share: number) => share > 0.8),
      flush: expect.toSatisfy((value: number) => value > 0),
    });
  });

  it('columns of a few figures stay as they stand', async () => {
    const figures = Array.from({ length: 30 }, (_, at) => {
      const [column, row] = [at % 3, Math.floor(at / 3)];
      return `<text x="${40 + 220 * column}" y="${60 + 50 * row}">${(at * 7 + 3) % 10}</text>`;
    }).join('');
    const sums = await sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="560"><rect width="560" height="560" fill="#fff"/><g font-size="60" font-family="Liberation Serif">${figures}</g></svg>`,
      ),
    )
      .png()
      .toBuffer();
    const { turned, warnings } = await preparer.prepare(await saved(sums, 'png'));
    expect([turned, warnings]).toEqual([undefined, []]);
  });

  const tilts = chooseFrom(import.meta.filename, [-6, 2.5, -1.4, 8]);
  it.each(tilts)('a tilt of %f degrees is taken out', async (degrees) => {
    const straight = await preparer.prepare(source('pdf/grammaire-subjonctif.pdf'));
    const tilted = await sharp(straight.preview)
      .rotate(degrees, { background: 'white' })
      .resize(1200)
      .jpeg()
      .toBuffer();
    const { bitmap } = await preparer.prepare(await saved(tilted, 'jpg'));
    const left = measureSkew(shrink(toGrey(bitmap), 1000), { along: 'rows', maxDegrees: 12 });
    expect(Math.abs(left)).toBeLessThan(0.3);
  });
});

describe('photos of handwriting', () => {
  it.skipIf(!existsSync(photos))('a page photographed sideways stands upright, with a warning', async () => {
    const { bitmap, warnings } = await preparer.prepare(source(path.join(photos, 'c-hel-q6-10.jpeg')));
    expect(bitmap.height).toBeGreaterThan(bitmap.width);
    expect(warnings.map(({ code }) => code)).toEqual(['PAGE_TURNED']);
    expect(layOf(bitmap).flush).toBeGreaterThan(0.1);
  });

  const upright = ['c-bro-q5-7.jpeg', 'c-jess-q5-10.jpeg', 'w-ka-q5-7.jpg'];
  it.skipIf(!existsSync(photos)).each(chooseFrom(import.meta.filename, upright, 0))(
    '%s stays upright and its paper becomes white',
    async (file) => {
      const { bitmap, origin, warnings } = await preparer.prepare(source(path.join(photos, file)));
      expect([origin, warnings]).toEqual(['photo', []]);
      expect(bitmap.height).toBeGreaterThan(bitmap.width);
      const values = toGrey(bitmap).data.toSorted();
      expect(values[Math.floor(values.length / 2)]).toBeGreaterThan(235);
    },
  );
});
