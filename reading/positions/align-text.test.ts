/** Places of what was read by its words: a PDF's glyphs against the PDF's own text, scans against the PDF they show. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PagePlace, ShareBox } from '#latex/assemble/page-body.ts';
import { chooseFrom } from '../../test-support/matrix.ts';
import { createPagePreparer, type PagePreparer } from '../pages/page-preparer.ts';
import { readPrint } from '../print/read-print.ts';
import { createTextLayerReader, type TextLayerReader } from '../text-layer/reader.ts';
import { fixtureFolder, sourcedPdfs } from '../text-layer/testing/fixtures.ts';
import type { TranscribedPage } from '../transcriber.ts';
import { alignText, findTitleBox } from './align-text.ts';

const { signal } = new AbortController();
let reader: TextLayerReader;
let preparer: PagePreparer;
beforeAll(() => {
  reader = createTextLayerReader({ processes: 1 });
  preparer = createPagePreparer({ concurrency: 1 });
});
afterAll(async () => {
  await reader.close();
  await preparer.close();
});

const pages = new Map<string, Promise<TranscribedPage | null>>();
/** Each page is read once, however many tests look at it. */
function readPage(file: string, index: number): Promise<TranscribedPage | null> {
  const key = `${file} ${index}`;
  const page = pages.get(key) ?? readAnew(file, index);
  pages.set(key, page);
  return page;
}

async function readAnew(file: string, index: number): Promise<TranscribedPage | null> {
  const source = { kind: 'pdf', path: path.join(fixtureFolder, file), index } as const;
  const result = await reader.read({
    source,
    hints: { pageNumber: index + 1, pageCount: index + 1, drawings: 'figure' },
    picture: () => preparer.prepare(source, signal),
    signal,
  });
  return result.kind === 'transcribed' ? result.page : null;
}

/** Where the PDF itself says that these words stand, by its text positions. */
async function findInPdf(file: string, index: number, words: string): Promise<ShareBox> {
  const task = getDocument({
    data: new Uint8Array(await readFile(path.join(fixtureFolder, file))),
    verbosity: 0,
  });
  const page = await (await task.promise).getPage(index + 1);
  const [, , width, height] = page.view as [number, number, number, number];
  const content = await page.getTextContent();
  for (const item of content.items) {
    if (!('str' in item) || !item.str.includes(words)) continue;
    const [x, y] = [item.transform[4] as number, item.transform[5] as number];
    await task.destroy();
    return [
      x / width,
      1 - (y + 0.4 * item.height) / height,
      item.width / width,
      (0.4 * item.height) / height,
    ];
  }
  throw new Error(`the PDF has no ${words}`);
}

const placeOf = ({ body, places = [] }: TranscribedPage, latex: string): PagePlace => {
  const at = body.indexOf(latex);
  expect(at, `${latex} is in the body`).toBeGreaterThanOrEqual(0);
  const place = places.find(({ start, end }) => start <= at && at + latex.length <= end);
  expect(place, `${latex} has a place`).toBeDefined();
  return place!;
};

function expectInside(outer: ShareBox, inner: ShareBox): void {
  // a list's mark is drawn beside its item, and stands in the same piece of the PDF's text
  const slack = 0.006;
  expect(inner[0]).toBeGreaterThanOrEqual(outer[0] - slack);
  expect(inner[1]).toBeGreaterThanOrEqual(outer[1] - slack);
  expect(inner[0] + inner[2]).toBeLessThanOrEqual(outer[0] + outer[2] + slack);
  expect(inner[1] + inner[3]).toBeLessThanOrEqual(outer[1] + outer[3] + slack);
}

describe('a PDF with glyphs', () => {
  // file, page, a stretch of the LaTeX, words of the PDF on the same line
  const known: [string, number, string, string][] = [
    [
      'calculus-limits-integrals',
      0,
      'The two limits everything else is built on:',
      'The two limits everything else',
    ],
    ['calculus-limits-integrals', 0, 'the derivative of $\\sin$ already uses it', 'The first one is'],
    [
      'calculus-limits-integrals',
      2,
      'Know when limit and integral may be exchanged',
      'Know when limit and integral',
    ],
    ['problem-sheet-number-theory', 0, '\\pmod{n}', '(mod'],
    ['biologie-zusammenfassung', 0, 'Zellkern', 'Zellkern'],
    ['grammaire-subjonctif', 0, 'viendras', 'viendras'],
    ['probability-table', 0, 'Only about one in four!', 'Only about one in four'],
    ['probability-table', 0, 'Poisson$(\\lambda)$', 'Poisson'],
    ['calculus-limits-integrals', 2, '\\Gamma(s)\\,\\zeta(s)', 'ζ'],
    ['algorithms-and-kinetics', 0, '\\textbf{Algorithm 1} Binary search', 'Algorithm 1'],
  ];
  test.each(chooseFrom(import.meta.filename, known, 5))(
    '%s, page index %i: %s',
    async (name, index, latex, words) => {
      const page = (await readPage(`pdf/${name}.pdf`, index))!;
      expectInside(placeOf(page, latex).box, await findInPdf(`pdf/${name}.pdf`, index, words));
    },
  );

  test('formulas are placed between the lines around them', async () => {
    const page = (await readPage('pdf/linear-algebra-matrices.pdf', 0))!;
    const above = placeOf(page, 'Write it as').box;
    const matrix = placeOf(page, '\\mathbf{x}=\\begin{pmatrix}').box;
    const below = placeOf(page, 'Row reduction of the augmented matrix').box;
    expect(matrix[1]).toBeGreaterThan(above[1] + above[3]);
    expect(matrix[1] + matrix[3]).toBeLessThan(below[1]);
    // three rows of a matrix
    expect(matrix[3]).toBeGreaterThan(3 * above[3]);
  });

  test('the title and the figure have theirs', async () => {
    const page = (await readPage('pdf/physics-mechanics-tikz.pdf', 0))!;
    expectInside(
      page.title!.box!,
      await findInPdf('pdf/physics-mechanics-tikz.pdf', 0, 'Lab and lecture notes'),
    );
    const picture = page.places!.find(({ start, end }) =>
      page.body.slice(start, end).includes('includegraphics'),
    );
    expect(picture).toBeDefined();
  });

  test.each(chooseFrom(import.meta.filename, sourcedPdfs()).map(({ name }) => name))(
    '%s: nearly all of it has a place, in order',
    async (name) => {
      for (let index = 0; ; index++) {
        const page = await readPage(`pdf/${name}.pdf`, index);
        if (!page) break;
        const { body, places = [] } = page;
        let end = 0;
        let covered = 0;
        for (const place of places) {
          expect(place.start).toBeGreaterThanOrEqual(end);
          expect(place.end).toBeGreaterThan(place.start);
          for (const value of place.box) expect(value >= 0 && value <= 1).toBe(true);
          end = place.end;
          covered += place.end - place.start;
        }
        expect(end).toBeLessThanOrEqual(body.length);
        expect(covered / body.length).toBeGreaterThan(0.86);
      }
    },
    60_000,
  );
});

describe('a scan of print', () => {
  test('its lines lie where they lie in the PDF that it shows', { timeout: 120_000 }, async () => {
    const source = {
      kind: 'pdf',
      path: path.join(fixtureFolder, 'scans/probability-table+grammaire-subjonctif-image-only.pdf'),
      index: 0,
    } as const;
    const picture = await preparer.prepare(source, signal);
    const page = await readPrint(picture, { pageNumber: 1, pageCount: 2, drawings: 'figure' }, signal);
    for (const words of ['Only about one in four', 'independent with the same law', 'gives a false alarm']) {
      const box = placeOf(page, words).box;
      const truth = placeOf((await readPage('pdf/probability-table.pdf', 0))!, words).box;
      // the scan was straightened: a hundredth of the page is less than a line
      expect(box[1] + box[3] / 2).toBeCloseTo(truth[1] + truth[3] / 2, 1.7);
      expect(Math.abs(box[1] + box[3] / 2 - truth[1] - truth[3] / 2)).toBeLessThan(0.01);
    }
  });
});

describe('lines that are known', () => {
  const lines = (...texts: string[]) =>
    texts.map((text, index) => ({ text, box: [0.1, index / 10, 0.8, 0.05] as ShareBox }));
  const found = (body: string, ...texts: string[]) =>
    alignText(body, lines(...texts)).map(({ start, end, box }) => [
      body.slice(start, end),
      Math.round(box[1] * 10),
    ]);

  test('are found through commands, accents and formulas', () => {
    expect(
      found(
        'The \\emph{first} line of $\\alpha\\leq x^{2}$ goes\non über the second.\n\n\\[\n  \\int_{0}^{1} f\n\\]\nEnd.',
        'The ﬁrst line of α ≤ x2 goes',
        'on über the second.',
        '∫ 1 0 f',
        'End.',
      ),
    ).toEqual([
      ['The \\emph{first} line of $\\alpha\\leq x^{2}$ goes', 0],
      ['on über the second.', 1],
      ['\\[\n  \\int_{0}^{1} f\n\\]', 2],
      ['End.', 3],
    ]);
  });

  test('are found where they were moved to', () => {
    expect(
      found(
        'Text with a note\\footnote{Down here it says more of what stands above the line.} in it.\n\n\\begin{table}\n\\caption{Five numbers}\none & two\n\\end{table}',
        'Text with a note1 in it.',
        'one two',
        'Five numbers',
        'Down here it says more of what stands above the line.',
        '17',
      ).map(([text]) => text),
    ).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Down here it says more of what stands above the line.'),
      ]),
    );
  });

  test('nothing is found of a page number or a running head', () => {
    expect(found('Just a sentence.', 'Lecture notes, winter', 'Just a sentence.', '12')).toEqual([
      ['Just a sentence.', 1],
    ]);
  });

  test('a title is all the lines it was read from', () => {
    const box = findTitleBox(
      { title: 'On numbers', author: 'Ada' },
      lines('On numbers', 'Ada', 'Section one'),
    );
    expect(box![3]).toBeCloseTo(0.15);
  });
});
