/** Formulas of printed pages, by the weights that are shipped. */
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convertFiles } from '#server/conversion/stations/convert.ts';
import { type EmbeddedStations, openEmbeddedStations } from '#server/conversion/testing/embedded-stations.ts';
import { chooseFrom } from '../../../test-support/matrix.ts';
import type { Line, Word } from '../printed-page.ts';
import { readPrint } from '../read-print.ts';
import { formulaConfidence } from './confidence.ts';
import { findDisplays, findSegments } from './find-formulas.ts';
import { readFormulas } from './read-formulas.ts';
import { openFormulaReader } from './reader.ts';
import { cutSheet } from './signs/pieces.ts';
import { readSigns } from './signs/read-signs.ts';
import { openSignModel } from './signs/sign-model.ts';
import { tidyScanned } from './tidy.ts';

const fixtures = path.resolve('fixtures');
const { signal } = new AbortController();
let opened: EmbeddedStations;
beforeAll(async () => {
  opened = await openEmbeddedStations();
});
afterAll(() => opened.close());

describe('a page that is a picture', () => {
  test('becomes a document with its formulas, displayed and in the text', async () => {
    const file = 'images/calculus-limits-integrals-p1-exif-orientation-6.jpg';
    const result = await convertFiles({
      files: [{ path: path.join(fixtures, file), displayName: 'page.jpg' }],
      range: { startPage: 1, endPage: null },
      stations: opened.stations,
      readConcurrency: 1,
      signal,
    });
    if (result.kind !== 'converted') throw new Error(result.error.error);
    const { latex, warnings, doubtful, pdf } = result.document;
    expect(pdf.byteLength).toBeGreaterThan(1000);
    expect(latex).toContain('\\lim_{x\\to0}\\frac{\\sin x}{x}=1');
    expect(latex).toContain('\\forall\\varepsilon>0 \\exists\\delta>0:');
    expect(latex).toContain('For $0<x<\\frac{\\pi}{2}$');
    expect(latex).toContain("$f'(0)=0$");
    expect(latex).toContain('The two limits everything else is built on:');
    expect(latex).toContain('\\section{A function defined by cases}');
    expect(warnings.map(({ code }) => code)).not.toContain('HANDWRITING_UNSURE');
    for (const { start, end } of doubtful) expect(latex.slice(start, end).trim()).not.toBe('');
  });

  // that a plain run reads formulas of a photo is said above, and the words of this scan in ../read-print.test.ts
  const scans = chooseFrom(import.meta.filename, ['probability-table-skewed-p1.jpg'], 0);
  test.each(scans)('of a skewed, shaded scan has its sums and fractions: %s', async (scan) => {
    const formulas = openFormulaReader()!;
    try {
      const picture = await opened.stations.preparer.prepare(
        { kind: 'image', path: path.join(fixtures, 'scans', scan), index: 0 },
        signal,
      );
      const hints = { pageNumber: 1, pageCount: 1, drawings: 'figure' as const };
      const { body } = await readPrint(picture, hints, signal, { formulas });
      expect(body).toContain('=\\frac{0.98\\cdot0.01}{0.98\\cdot0.01+0.03\\cdot0.99}=\\frac{0.0098}{0.0395}');
      expect(body).toContain('\\mathbb{E}[X^{2}]-\\mathbb{E}[X]^{2}');
      expect(body).toContain('Only about one in four!');
      // the rule of the table above it is no overline
      expect(body).toContain('$p^{k}(1-p)^{1-k}$');
    } finally {
      await formulas.close();
    }
  });
});

test('a reader without weights is none, and one that may take no time leaves the lines as they are', async () => {
  expect(openFormulaReader({ model: path.join(opened.folder, 'missing.onnx') })).toBeNull();
  const failures: unknown[] = [];
  const hasty = openFormulaReader({ limits: { cpuMs: 1 }, onFailure: (error) => failures.push(error) })!;
  const grey = { width: 40, height: 40, channels: 1 as const, data: new Uint8Array(1600).fill(255) };
  const page = { width: 40, height: 40, lines: [], rules: [] };
  expect(await hasty.read({ grey, page, lines: [], taken: [], cells: [] }, signal)).toBeNull();
  expect(failures).toHaveLength(1);
  await hasty.close();
});

const word = (text: string, left: number, confidence = 90): Word => ({
  text,
  confidence,
  left,
  right: left + 12 * text.length,
  top: 100,
  bottom: 124,
});
function lineOf(...words: Word[]): Line {
  const right = words.at(-1)!.right;
  return { words, left: words[0]!.left, right, top: 100, bottom: 124, size: 30, paragraph: 1, area: 1 };
}
const segmentsOf = (line: Line) =>
  findSegments(line, [line], 12).map(({ words }) => words.map(({ text }) => text).join(' '));

/** The signs of a drawing in their order, by the weights that ship; it must fall into `pieces` at least. */
async function readPicture(svg: string, xHeight: number, pieces = 1): Promise<string> {
  const { data, info } = await sharp(Buffer.from(svg))
    .greyscale()
    .blur(1.2)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const page = { width: info.width, height: info.height, channels: 1 as const, data: Uint8Array.from(data) };
  const sheet = cutSheet(page, { left: 0, top: 0, right: info.width, bottom: info.height }, xHeight);
  expect(sheet.pieces.length).toBeGreaterThanOrEqual(pieces);
  const model = await openSignModel(path.resolve('reading/models/print-signs.onnx'));
  try {
    const { signs } = await readSigns(sheet, model);
    return signs
      .sort((a, b) => a.left - b.left)
      .map(({ guesses }) => guesses[0]!.sign.text)
      .join('');
  } finally {
    await model.close();
  }
}

test('signs that a white line goes through are put together', async () => {
  const signs = [...'25d3'].map((sign, at) => `<text x="${20 + 70 * at}" y="80">${sign}</text>`).join('');
  const crack = '<rect y="46" width="400" height="3" fill="#fff"/>';
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120"><rect width="400" height="120" fill="#fff"/><g font-family="TeX Gyre Pagella" font-size="64">${signs}</g>${crack}</svg>`;
  expect(await readPicture(picture, 29, 5)).toBe('25d3');
});

test('parts of a letter that print lost thin strokes of are put together, however far apart', async () => {
  const letters = [...'nmx'].map((sign, at) => `<text x="${20 + 70 * at}" y="80">${sign}</text>`).join('');
  const cracks = '<rect x="35" width="7" height="120" fill="#fff"/>';
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="260" height="120"><rect width="260" height="120" fill="#fff"/><g font-family="TeX Gyre Pagella" font-style="italic" font-size="64">${letters}</g>${cracks}</svg>`;
  expect(await readPicture(picture, 29)).toBe('nmx');
  const middle = '<rect y="60" width="100" height="9" fill="#fff"/>';
  const z = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="120"><rect width="100" height="120" fill="#fff"/><g font-family="TeX Gyre Pagella" font-style="italic" font-size="64"><text x="20" y="80">z</text></g>${middle}</svg>`;
  expect(await readPicture(z, 29, 2)).toBe('z');
});

test('a triangle over an equals sign is one sign with it', async () => {
  const shape =
    '<path d="M50 22 L32 52 H68 Z" fill="none" stroke="#000" stroke-width="4"/><path d="M22 64 H78 M22 78 H78" stroke="#000" stroke-width="4"/>';
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#fff"/>${shape}</svg>`;
  expect(await readPicture(picture, 36, 3)).toBe('≜');
});

/** The lines of a page of three lines of prose and, below them, a drawing. */
async function readBelowProse(drawing: string): Promise<Line[]> {
  const sentence = 'The numbers that were chosen before are these, and the others are chosen now';
  const text = (y: number) => `<text x="100" y="${y}" font-family="Liberation Serif">${sentence}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1100" height="460" font-size="28"><rect width="1100" height="460" fill="#fff"/>${[60, 100, 140].map(text).join('')}${drawing}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grey = { width: info.width, height: info.height, channels: 1 as const, data: Uint8Array.from(data) };
  const words = sentence.split(' ');
  const lines = [38, 78, 118].map((top, row): Line => {
    const own = words.map((one, at) => ({
      text: one,
      confidence: 95,
      left: 100 + 64 * at,
      right: 160 + 64 * at,
      top,
      bottom: top + 28,
    }));
    return { words: own, left: 100, right: 996, top, bottom: top + 28, size: 28, paragraph: row, area: 1 };
  });
  const model = await openSignModel(path.resolve('reading/models/print-signs.onnx'));
  try {
    const page = { width: grey.width, height: grey.height, lines, rules: [] };
    const read = await readFormulas({ grey, page, lines, taken: [], cells: [] }, model);
    return read.lines;
  } finally {
    await model.close();
  }
}

const displayed = (lines: readonly Line[]) =>
  lines.flatMap(({ display }) => display?.latex.replace(/\s/g, '') ?? []);

test('the sign of a proof’s end below a display is no row of it', async () => {
  const lines = await readBelowProse(
    '<text x="500" y="240" font-family="TeX Gyre Pagella" font-style="italic">a = b</text><rect x="976" y="290" width="18" height="18" fill="none" stroke="#000" stroke-width="2"/>',
  );
  expect(displayed(lines)).toEqual(['\\[a=b\\]']);
  expect(lines.at(-1)!.words.map(({ latex }) => latex)).toEqual(['$\\square$']);
});

test('in a heading a number and a word of one letter are no formula', () => {
  const text = lineOf(word('the', 0), word('rest', 60), word('of', 130), word('it', 170));
  const words = [word('2', 0), word('A', 30), word('function', 60), word('of', 180), word('x', 220)];
  const heading = { ...lineOf(...words), size: 40 };
  const segments = findSegments(heading, [heading, text, text, text], 12);
  expect(segments.map((segment) => segment.words.map((one) => one.text).join(' '))).toEqual(['x']);
});

test('runs of what is no word may hold formulas; numbers, marks and uncertain words of prose do not', () => {
  expect(
    segmentsOf(lineOf(word('For', 0), word('every', 50), word('x', 130), word('>', 150), word('0', 170))),
  ).toEqual(['x > 0']);
  expect(segmentsOf(lineOf(word('in', 0), word('2024,', 40), word('twelve', 120), word('of', 210)))).toEqual(
    [],
  );
  expect(segmentsOf(lineOf(word('the', 0), word('l’Hdpital’s', 60, 16), word('rule', 210)))).toEqual([]);
  expect(segmentsOf(lineOf(word('(a)', 0), word('Find', 60), word('sin', 130), word('x', 180)))).toEqual([
    'sin x',
  ]);
});

test('spaces a scan cannot tell are left to TeX; rows, wide gaps and conditions stay', () => {
  expect(tidyScanned('a\\,b\\!c\\;d')).toBe('a b c d');
  expect(tidyScanned('x\\quad y \\\\ 0 & z')).toBe('x\\quad y \\\\ 0 & z');
  expect(tidyScanned('P(A\\;|\\;B)')).toBe('P(A\\mid B)');
});

test('words of a formula have the spaces that it would swallow, and a minus behind a bar is its sign', () => {
  expect(tidyScanned('x\\in A \\mathrm{or} x\\in B')).toBe('x\\in A \\text{ or }x\\in B');
  expect(tidyScanned('0 & \\operatorname{if}x\\ge0, \\\\ 1 & \\mathrm{else}')).toBe(
    '0 & \\text{if }x\\ge0, \\\\ 1 & \\text{else}',
  );
  expect(tidyScanned('y\\qquad \\text{for all} n')).toBe('y\\qquad \\text{for all }n');
  expect(tidyScanned('x\\quad \\operatorname{forall}x')).toBe('x\\quad \\text{for all }x');
  expect(tidyScanned('\\operatorname{asin}x')).toBe('\\operatorname{asin}x');
  expect(tidyScanned('\\mathrm{rank}A')).toBe('\\mathrm{rank}A');
  expect(tidyScanned('x\\quad \\mathrm{linéarité}')).toBe('x\\quad \\text{linéarité}');
  expect(tidyScanned('\\operatorname{rank}A=\\mathrm{rank} B')).toBe(
    '\\operatorname{rank}A=\\operatorname{rank}B',
  );
  expect(tidyScanned('|a|+| - 9x|=|b - c|')).toBe('|a|+|{-}9x|=|b - c|');
});

test('a line that begins with its column and has a word is prose, what stands in the middle is a formula', () => {
  const at = (line: Line, left: number, top: number): Line => ({
    ...line,
    left: left + line.left,
    right: left + line.right,
    top,
    bottom: top + 24,
    words: line.words.map((one) => ({
      ...one,
      left: left + one.left,
      right: left + one.right,
      top,
      bottom: top + 24,
    })),
  });
  const prose = lineOf(
    word('the', 0),
    word('function', 60),
    word('has', 170),
    word('this', 220),
    word('limit', 280),
  );
  const page = { width: 800, height: 1000, lines: [], rules: [] };
  const grey = { width: 800, height: 1000, channels: 1 as const, data: new Uint8Array(800_000).fill(255) };
  const shown = (line: Line, left: number) =>
    findDisplays(
      grey,
      page,
      [at(prose, 100, 300), at(prose, 100, 340), at(line, left, 400), at(prose, 100, 460)],
      [],
      12,
    ).length;
  expect(shown(lineOf(word('if', 0, 70)), 100)).toBe(0);
  expect(shown(lineOf(word('if', 0, 70)), 350)).toBe(1);
  expect(shown(lineOf(word('x', 0), word('=', 24), word('1.', 48), word('Then', 84)), 100)).toBe(0);
  expect(shown(lineOf(word('x', 0), word('=', 24), word('1.', 48)), 100)).toBe(1);
  // the word before a display, and what stands over its fractions
  expect(shown(lineOf(word('and', 0), word('1', 300), word('2', 380)), 100)).toBe(1);
});

test('what continues a script is in it', () => {
  expect(tidyScanned('\\lim_{n \\to}_{\\infty}x_{n_{i}_{1}}_{k}^{2}')).toBe(
    '\\lim_{n \\to \\infty}x_{n_{i 1} k}^{2}',
  );
});

test('a label over or under an arrow makes it as long as the label', () => {
  expect(tidyScanned('A\\overset{f}{\\to}B')).toBe('A\\xrightarrow{f}B');
  expect(tidyScanned('A\\underset{n}{\\longleftarrow}B')).toBe('A\\xleftarrow[n]{}B');
  expect(tidyScanned('A\\overset{?}{=}B')).toBe('A\\overset{?}{=}B');
});

test('a formula is as doubtful as its signs', () => {
  expect(formulaConfidence([0.999, 0.999])).toBeGreaterThan(formulaConfidence([0.999, 0.4]));
  expect(formulaConfidence(Array<number>(9).fill(0.9))).toBeGreaterThan(
    formulaConfidence(Array<number>(30).fill(0.9)),
  );
  expect(formulaConfidence([])).toBe(0);
  // from 0.7 on a formula is not marked
  expect(formulaConfidence(Array<number>(8).fill(0.9))).toBeGreaterThan(0.7);
  expect(formulaConfidence([0.999, 0.999, 0.01])).toBeLessThan(0.7);
});
