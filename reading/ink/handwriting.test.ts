/** A page in a hand of our own, from the picture to the compiled document, by the weights that are shipped. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { convertFiles } from '#server/conversion/stations/convert.ts';
import { type EmbeddedStations, openEmbeddedStations } from '#server/conversion/testing/embedded-stations.ts';
import { runsWhole } from '../../test-support/matrix.ts';
import { openInkReader } from './reader.ts';
import { createHand, drawHandwriting, drawPage } from './testing/handwriting.ts';
import { writeFormula } from './testing/write-formula.ts';

const written = ['the sum of all waters is one', 'he saw land in the north', 'and ran home to tell us'];

let opened: EmbeddedStations;
beforeAll(async () => {
  opened = await openEmbeddedStations();
});
afterAll(() => opened.close());

async function convert(pages: Buffer[]) {
  const files = pages.map((page, at) => {
    const file = path.join(opened.folder, `page-${at}.png`);
    writeFileSync(file, page);
    return { path: file, displayName: `page-${at}.png` };
  });
  const result = await convertFiles({
    files,
    range: { startPage: 1, endPage: null },
    stations: opened.stations,
    readConcurrency: 2,
    signal: new AbortController().signal,
  });
  if (result.kind !== 'converted') throw new Error(result.error.error);
  return result.document;
}

test('handwriting without a key becomes a document that says what was written', async () => {
  const document = await convert([await drawHandwriting(written), await drawHandwriting(written, true)]);
  expect(document.pages).toEqual([1, 2]);
  expect(document.pdf.byteLength).toBeGreaterThan(1000);
  const words = written.join(' ').split(' ');
  const read = document.latex.match(/\p{L}+/gu) ?? [];
  const found = words.filter((word) => read.filter((other) => other === word).length >= 2);
  // both pages say them, and most of them right, in a hand slanted so far that it is no print
  expect(found.length).toBeGreaterThan(0.6 * words.length);
  expect(document.latex).toContain('home to tell us');

  // what is doubted is marked, every line has its place on its page, and the caution is given once
  for (const { start, end, page } of document.doubtful) {
    expect(document.latex.slice(start, end).trim()).not.toBe('');
    expect([1, 2]).toContain(page);
  }
  expect(new Set(document.lines.map(({ page }) => page))).toEqual(new Set([1, 2]));
  expect(document.warnings.filter(({ code }) => code === 'HANDWRITING_UNSURE')).toHaveLength(1);
});

if (runsWhole(import.meta.filename))
  test('drawings, notes in the margin and what is crossed out come to a document that compiles', async () => {
    const write = createHand();
    const lines = [
      'the land in the north',
      'he saw it and ran',
      'and then he read it',
      'the sun is out',
      'and ran home to us',
    ];
    const page = await drawPage(1500, 1900, [
      ...lines.map((line, row) => write(line, 460, 200 + 120 * row)),
      write('north', 90, 320),
      `<path d="M556 430Q610 426 668 433" stroke="#1d2340" stroke-width="4" fill="none"/>`,
      '<path d="M500 1500V900M500 1500H1200M505 1480C650 1200 800 1000 1180 960" fill="none" stroke="#1d2340" stroke-width="5"/>',
      write('it is so', 460, 1720),
    ]);
    const document = await convert([page]);
    expect(document.pdf.byteLength).toBeGreaterThan(1000);
    expect(document.latex).toMatch(/\\marginpar\{[^}]*north/);
    expect(document.figures.map(({ name }) => name)).toEqual(['figure-p1-1.png']);
    expect(document.latex).toMatch(/home to us[\s\S]*\\includegraphics[\s\S]*it is so/);
    const figure = document.lines.find(({ box }) => box && box[3] > 0.2)!;
    expect(figure.box![1]).toBeCloseTo(900 / 1900, 1);
    expect(document.warnings.map(({ code }) => code)).toContain('CROSSED_OUT_LEFT_OUT');
  });

test('a formula drawn on a screen keeps its small indices', async () => {
  const said = ['x_1+y_2=3', 'a_1x+a_2y=a_3'];
  const formulas = said.map((one, at) => {
    const place = `translate(160 ${150 + 260 * at})`;
    return `<path transform="${place}" d="${writeFormula(one).strokes}" fill="none" stroke="black" stroke-width="3.5"/>`;
  });
  const document = await convert([await drawPage(1200, 800, formulas)]);
  const read = document.latex.replaceAll(/\s/g, '');
  expect(read).toContain('x_{1}+y_{2}=3');
  expect(read).toContain('a_{1}x+a_{2}y=a_{3}');
});

test('a formula drawn on a screen is read with its fractions, and letters among formulas are one', async () => {
  const path = (x: number, y: number, strokes: string) =>
    `<path transform="translate(${x} ${y})" d="${strokes}" fill="none" stroke="black" stroke-width="3.5"/>`;
  const at = (x: number, y: number, formula: string) => path(x, y, writeFormula(formula).strokes);
  const fraction = (x: number, y: number, high: string, low: string) =>
    at(x, y - 52, high) + path(x + 22, y, `M0 98L${writeFormula(low).width - 20} 97`) + at(x, y + 52, low);
  const document = await convert([
    await drawPage(1200, 1100, [
      at(120, 80, 'a_1-') + fraction(300, 80, '1', '2') + at(400, 80, '=c_1'),
      at(120, 360, 'x_1+y_2=3'),
      at(120, 580, 'a_1x+a_2y=a_3'),
      at(120, 800, 'ycay'),
    ]),
  ]);
  const read = document.latex.replaceAll(/\s/g, '');
  expect(read).toContain('a_{1}-\\frac{1}{2}=c_{1}');
  expect(read).toContain('\\[ycay\\]');
});

test('close lines of text drawn on a screen have no roots, fractions or limits', async () => {
  const write = createHand();
  const lines = [
    'so he ran in the sun and read',
    'the sun is out',
    'on the land',
    'he saw it and ran',
    'then he sat in the hut',
    'to us',
    'and ran home to us',
    'and out',
    'and then he read it',
    'it is so',
    'the land in the north',
    'at noon',
  ];
  const drawn = lines.map((line, row) => write(line, 200, 200 + 70 * row));
  const page = await drawPage(1500, 1140, drawn);
  const { latex } = await convert([page]);
  expect(latex).toContain('and ran home to us');
  expect(latex).not.toMatch(/\\(?:sqrt|frac|sum|lim|int)/);
});

test.each([
  ['a strip with a line', 1, [560, 110], ['and ran home to'], 'and ran home to'],
  ['words seen from near', 4, [330, 230], ['and land', 'at noon'], 'land'],
] as const)('%s: read as on a page', async (_, scale, [width, height], said, sure) => {
  const write = createHand();
  const lines = said.map((words, row) => write(words, 14, 75 + 90 * row));
  const { latex, lines: read } = await convert([
    await drawPage(scale * width, scale * height, [`<g transform="scale(${scale})">${lines.join('')}</g>`]),
  ]);
  expect(latex).toContain(sure);
  // each line's place is its own on the picture, not on the paper around it
  expect(read).toHaveLength(said.length);
  for (const [row, { box }] of read.entries()) {
    const [, top, wide, tall] = box!;
    expect((top + tall / 2) * height).toBeGreaterThan(30 + 90 * row);
    expect((top + tall / 2) * height).toBeLessThan(95 + 90 * row);
    expect(wide).toBeGreaterThan(0.4);
  }
});

test('a reader without weights is none, and one that may take no time reads nothing', async () => {
  expect(openInkReader({ model: path.join(opened.folder, 'missing.onnx') })).toBeNull();
  const failures: unknown[] = [];
  const hasty = openInkReader({ limits: { cpuMs: 1 }, onFailure: (error) => failures.push(error) })!;
  const picture = await opened.stations.preparer.prepare(
    { kind: 'image', path: path.join(opened.folder, 'page-0.png'), index: 0 },
    new AbortController().signal,
  );
  expect(await hasty.read(picture, 1, new AbortController().signal)).toBeNull();
  expect(failures).toHaveLength(1);
  const stop = new AbortController();
  const stopped = hasty.read(picture, 1, stop.signal);
  stop.abort();
  await expect(stopped).rejects.toThrow(/abort/);
  await hasty.close();
});

test('a page of handwriting is writing, a picture of stars is none', async () => {
  const stars = Array.from({ length: 60 }, (_, at) => {
    const [x, y] = [150 + ((at * 173) % 1200), 150 + ((at * 97) % 1600)];
    return `<path d="M${x} ${y}l12 30l30 4l-24 20l8 30l-26 -18l-28 16l8 -30l-22 -22l30 -2z" fill="none" stroke="#222" stroke-width="4"/>`;
  });
  const reader = openInkReader()!;
  const read = async (picture: Buffer) => {
    const file = path.join(opened.folder, 'picture.png');
    writeFileSync(file, picture);
    const { signal } = new AbortController();
    const page = await opened.stations.preparer.prepare({ kind: 'image', path: file, index: 0 }, signal);
    return await reader.read(page, 1, signal);
  };
  expect(await read(await drawHandwriting(written))).toMatchObject({ isWriting: true });
  expect(await read(await drawPage(1500, 1900, stars))).toMatchObject({
    isWriting: false,
    lines: expect.anything(),
  });
  await reader.close();
});
