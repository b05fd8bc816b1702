import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareOfWords, wordsOf } from '../../test-support/compare-text.ts';
import { chooseFrom } from '../../test-support/matrix.ts';
import type { PreparedPage } from '../page.ts';
import { createPagePreparer, type PagePreparer } from '../pages/page-preparer.ts';
import { printConfidence, type ReadPage, readPrint } from './read-print.ts';
import { printSamples } from './testing/print-samples.ts';

const fixtures = path.resolve('fixtures');
const photos = path.resolve('../shared/samples/photos');
const { signal } = new AbortController();

let preparer: PagePreparer;
beforeAll(() => {
  preparer = createPagePreparer({ concurrency: 2 });
});
afterAll(() => preparer.close());

const cache = new Map<string, Promise<ReadPage>>();
/** Prepares and reads a fixture once, however many tests look at it. */
function read(file: string, index = 0): Promise<ReadPage> {
  const key = `${file}#${index}`;
  const found = cache.get(key);
  if (found) return found;
  const reading = preparer
    .prepare({ kind: file.endsWith('.pdf') ? 'pdf' : 'image', path: path.resolve(fixtures, file), index })
    .then((page) => readPrint(page, { pageNumber: index + 1, pageCount: 2, drawings: 'figure' }, signal));
  cache.set(key, reading);
  return reading;
}

async function pageOf(svg: string, width = 1200, height = 1600): Promise<PreparedPage> {
  const picture = sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${svg}</svg>`,
    ),
  );
  const { data, info } = await picture.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return {
    bitmap: { width: info.width, height: info.height, channels: 1, data },
    origin: 'scan',
    preview: new Uint8Array(),
    warnings: [],
  };
}
const line = (text: string, y: number, x = 120, size = 34) =>
  `<text x="${x}" y="${y}" font-family="Liberation Serif" font-size="${size}">${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</text>`;
const readSvg = async (svg: string) =>
  readPrint(await pageOf(svg), { pageNumber: 2, pageCount: 2, drawings: 'figure' }, signal);

describe('scans of print', () => {
  it.each(
    chooseFrom(
      import.meta.filename,
      printSamples.filter((sample) => !sample.isPart),
      2,
    ).map((sample) => [`${sample.file} page ${sample.index + 1}`, sample] as const),
  )('keeps the words of %s', async (_, { file, index, source, from, to }) => {
    const page = await read(file, index);
    const latex = await readFile(path.join(fixtures, 'pdf', `${source}.tex`), 'utf8');
    const truth = wordsOf(latex.slice(from ? latex.indexOf(from) : 0, to ? latex.indexOf(to) : undefined));
    const kept = shareOfWords(truth, wordsOf(`${page.title?.title ?? ''} ${page.body}`));
    // words that stand in one cell with a formula count too; the pages of plain French are held to more
    expect(kept).toBeGreaterThan(source === 'grammaire-subjonctif' ? 0.95 : 0.85);
    expect(page.confidence).toBeGreaterThan(printConfidence);
  });

  it('tells title, headings, table and language', async () => {
    const { title, body, layout, packages, startsParagraph } = await read(
      'scans/grammaire-subjonctif-scan-p1.jpg',
    );
    expect(title?.title).toBe('Leçon de grammaire : le subjonctif présent');
    expect(layout).toEqual({ language: 'french' });
    expect(startsParagraph).toBe(true);
    expect(packages).toEqual([]);
    expect(body).toContain('\\section{La formation}');
    expect(body).toContain('\\subsection*{Les verbes irréguliers à connaître par cœur}');
    expect(body).toContain(
      '\\begin{tabular}{|l|l|l|l|}\n\\hline\nPersonne & parler & finir & vendre \\\\\n\\hline\nque je & parle & finisse & vende \\\\',
    );
  });

  it('tells the items of lists by their bullets and numbers', async () => {
    const { body } = await read('scans/grammaire-subjonctif-scan-p1.jpg');
    expect(body.match(/\\item /g)).toHaveLength(5);
    expect(body).toContain('\\item le souhait et la volonté');
    expect(body).toContain('\\item[2.] Après après que');
  });

  it('goes on with the numbers of the page before, and keeps blanks to fill in', async () => {
    const { body } = await read('scans/grammaire-subjonctif-scan-p2.jpg');
    expect(body).toContain('\\setcounter{section}{3}\n\\section{Exercices}');
    expect(body).toMatch(/\(répondre\) \\makebox\[\d\.\dcm\]\{\\dotfill\} à cette lettre/);
  });

  it('keeps lists within lists', async () => {
    const { body } = await read('pdf/problem-sheet-number-theory.pdf');
    expect(body).toMatch(
      /\\item\[2\.\][\s\S]*\\begin\{enumerate\}\n\\item\[\(a\)\] Find one solution by trial\.[\s\S]*\\begin\{enumerate\}\n\\item\[\(i\)\] the Chinese remainder theorem,/,
    );
    expect(body.match(/\\begin\{/g)).toHaveLength(body.match(/\\end\{/g)!.length);
  });

  it('marks formulas as doubtful and says that they were not read', async () => {
    const { body, doubtful, warnings } = await read('scans/probability-table-skewed-p1.jpg');
    expect(warnings.map(({ code }) => code)).toEqual(['FORMULAS_NOT_READ']);
    const marked = doubtful.map(({ start, end }) => body.slice(start, end));
    expect(marked.some((text) => text.startsWith('E[X]'))).toBe(true);
    expect(marked.join(' ')).not.toContain('false alarm');
    for (const { start, end, confidence } of doubtful) {
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(body.length);
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });

  it('cuts a drawing out and puts it where it stood', async () => {
    const { body, figures, packages } = await read('images/physics-mechanics-tikz-p1-crop-16bit.png');
    expect(figures.map(({ name }) => name)).toEqual(['figure-p1-1.png']);
    expect(packages).toContainEqual({ name: 'graphicx' });
    const [before, after] = body.split('{figure-p1-1.png}');
    expect(before).toContain('Block on an inclined plane');
    expect(after).toContain('Forces on the block while it slides down');
    const metadata = await sharp(figures[0]!.bytes).metadata();
    expect([metadata.format, (metadata.width ?? 0) > 300]).toEqual(['png', true]);
    for (const side of Object.values(figures[0]!.box))
      expect(side).toSatisfy((share: number) => share > 0 && share < 1);
  });

  const printAlone = [
    'scans/grammaire-subjonctif-scan-p1.jpg',
    'scans/probability-table-photographed-p1.jpg',
    'images/calculus-limits-integrals-p1-exif-orientation-6.jpg',
  ];
  it.each(chooseFrom(import.meta.filename, printAlone))('sees no drawing in %s', async (file) => {
    expect((await read(file)).figures).toEqual([]);
  });

  it('reads only the first frame of a moving GIF, in German', async () => {
    const { body, layout } = await read('images/biologie-zusammenfassung-p1-crops-animated.gif');
    expect(layout).toEqual({ language: 'german' });
    expect(body).toContain('\\section{Aufbau der Zelle}');
    expect(body).toContain('Mitochondrien sind die „Kraftwerke“');
  });
});

describe('pages made for the purpose', () => {
  it('escapes what LaTeX would take as an instruction', async () => {
    const { body } = await readSvg(
      line('Costs 50% & more: #1 of the_list in {braces}', 200) +
        line('for $20 each, as the seller wrote down.', 260),
    );
    expect(body).toContain('50\\% \\& more');
    expect(body).toContain('\\#1');
    expect(body).toContain('\\{braces\\}');
    expect(body).toContain('\\$20');
  });

  it('joins a word divided at the end of a line, and sees where a page breaks off', async () => {
    const text = [
      'went on with the experiment although nobody had under-',
      'stood what it was meant to show. The first measurement of',
      'the second series was taken on a rainy afternoon and then the',
    ];
    const { body, startsParagraph, endsParagraph } = await readSvg(
      text.map((words, index) => line(words, 200 + index * 50)).join(''),
    );
    expect(body).toContain('understood what');
    expect([startsParagraph, endsParagraph]).toEqual([false, false]);
  });

  it.each(chooseFrom(import.meta.filename, [0.5, 0]))(
    'tells a heading by its bold type, a little larger, %s of a pixel on',
    async (part) => {
      const text = [
        'The measurements of the first week were taken by hand and written',
        'down in pencil, those of the second week by a machine that had to be',
        'set anew each morning before anybody else came to the laboratory.',
      ];
      const prose = (from: number) => text.map((words, at) => line(words, from + part + at * 50)).join('');
      const between = (weight: string) =>
        line('What the second week was for', 440 + part, 120 + part, 38).replace(
          '<text',
          `<text font-weight="${weight}"`,
        );
      const pageWith = (weight: string) => readSvg(prose(200) + between(weight) + prose(530));
      expect((await pageWith('bold')).body).toContain('\\subsection*{What the second week was for}');
      expect((await pageWith('normal')).body).not.toContain('section');
    },
  );

  it('leaves out page numbers and says when a page is empty', async () => {
    const numbered = await readSvg(
      line('A single sentence stands on this page.', 300) + line('17', 1560, 590, 26),
    );
    expect(numbered.body).toBe('A single sentence stands on this page.');
    const empty = await readSvg('<circle cx="600" cy="700" r="1"/>');
    expect(empty).toMatchObject({ body: '', confidence: 1, warnings: [] });
  });

  it('is sure of a page of formulas that Tesseract cannot read if their signs look printed', async () => {
    const formula = (y: number) =>
      `<text x="400" y="${y}" font-family="TeX Gyre Pagella" font-style="italic" font-size="34">∂ξ⊗ψ∇ζ∘ηφ ∮χ ℘∂</text>`;
    const page = await pageOf(line('So it is', 200) + [300, 400, 500, 600, 700].map(formula).join(''));
    const readWith = async (sure: number) => {
      const formulas = {
        look: async ({ boxes }: { boxes: unknown[] }) => boxes.map(() => ({ whole: 10, sure })),
        read: async () => null,
        close: async () => {},
      };
      return readPrint(page, { pageNumber: 2, pageCount: 2, drawings: 'figure' }, signal, { formulas });
    };
    expect((await readWith(1)).confidence).toBeLessThan(printConfidence);
    expect((await readWith(9)).confidence).toBeGreaterThan(printConfidence);
  });

  it('stops when it is told to', async () => {
    const page = await pageOf(line('Some words that nobody waits for any more', 200));
    const stop = new AbortController();
    const reading = readPrint(page, { pageNumber: 1, pageCount: 1, drawings: 'figure' }, stop.signal);
    stop.abort(new Error('cancelled'));
    await expect(reading).rejects.toThrow('cancelled');
  });
});

const handwritten = ['c-bro-q5-7.jpeg', 'c-hel-q6-10.jpeg', 'c-jess-q5-10.jpeg', 'w-ka-q5-7.jpg'];
it.skipIf(!existsSync(photos)).each(chooseFrom(import.meta.filename, handwritten, 0))(
  'handwriting, %s, is told from print by its confidence',
  async (file) => {
    const { confidence, figures } = await read(path.join(photos, file));
    expect(confidence).toBeLessThan(printConfidence);
    expect(figures).toEqual([]);
  },
);
