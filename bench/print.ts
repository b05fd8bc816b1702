/**
 * The embedded readers on pictures of printed pages whose sources are known: the scans of fixtures/scans, the PDFs
 * of fixtures/pdf rendered at 150, 200 and 300 dots an inch and degraded (turned, shaded, blurred, noise, JPEG;
 * newly at each run), at 200 clean as well, and, with PRINT_FOLDER=folder of NAME.pdf and NAME.tex, those
 * documents at 200. None of these pages trained the sign model, which knows only single signs.
 *
 * - prose: edit distance over the letters of the running text's words in their order, without formulas on both
 *   sides
 *   (text-layer/testing/prose.ts), uncapped, compared with Tesseract's own text of the same prepared picture;
 * - paragraphs: each paragraph of ours of eight words or more, compared with the nearest part of the source's
 *   running
 *   text: what is misread, regardless of order, and without what was left out or belongs to tables;
 * - formulas: displayed formulas of the source that one of ours equals when typeset
 *   (text-layer/testing/same-formula.ts:
 *   the same signs in the same places to a third of an em, whatever the spelling), or once spaces, sizes and
 *   spellings are
 *   normalised (print/normal-formula.ts). What TeX cannot typeset alone is not counted. Tesseract alone recovers
 *   none.
 *
 * PRINT_SETS=scans,150,200,300,clean and PRINT_DOCUMENTS=names restrict it; PRINT_LOST=1 shows what was not
 * recovered. Intervals are 95 %, by bootstrap over documents. Baseline: Tesseract's prose.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';
import { createEmbeddedTranscriber } from '#reading/embedded.ts';
import { type InkReader, openInkReader } from '#reading/ink/reader.ts';
import { preparePixels } from '#reading/pages/prepare-page.ts';
import { type FormulaReader, openFormulaReader } from '#reading/print/formulas/reader.ts';
import { parseHocr } from '#reading/print/parse-hocr.ts';
import type { Line } from '#reading/print/printed-page.ts';
import { runTesseract } from '#reading/print/tesseract.ts';
import { toGrey } from '#reading/raster.ts';
import { findDisplays } from '#reading/text-layer/testing/displays.ts';
import { sourcedPdfs } from '#reading/text-layer/testing/fixtures.ts';
import { proseOf } from '#reading/text-layer/testing/prose.ts';
import { difference, typesetEach } from '#reading/text-layer/testing/same-formula.ts';
import { createTypesetter, type Typesetter } from '#typesetting/index.ts';
import { distance } from './ink/score-page.ts';
import { calibrate, type StatedConfidence } from './print/calibrate.ts';
import { normalFormula } from './print/normal-formula.ts';
import { interval } from './support/bootstrap.ts';
import type { Measurement } from './support/measurement.ts';

const signal = AbortSignal.timeout(3_000_000);
const maxPages = 8;
const resolutions = [150, 200, 300];

interface Row {
  name: string;
  letters: number;
  errors: number;
  theirErrors: number;
  paragraphLetters: number;
  paragraphErrors: number;
  displays: number;
  exact: number;
  lost: string[];
  /** The stated confidence of each display that was read. */
  stated: StatedConfidence[];
  ms: number;
  pages: number;
}

interface Source {
  name: string;
  latex: string;
  /** Pictures of its pages. */
  pages: string[];
}

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-bench-print-'));
  const typesetter = await createTypesetter({ workDir: folder, concurrency: 1 });
  const formulas = openFormulaReader();
  const ink = openInkReader();
  const sets = new Map<string, Row[]>();
  const details: Record<string, string> = {};
  try {
    for (const [set, sources] of await listSources(folder)) {
      const rows: Row[] = [];
      for (const source of sources) {
        const row = await readSource(source, typesetter, formulas, ink);
        rows.push(row);
        process.stderr.write(`${set}, ${row.name}: formulas ${row.exact} of ${row.displays}\n`);
      }
      sets.set(set, rows);
      for (const row of rows) {
        details[`${set}, ${row.name}`] =
          `prose CER ${(row.errors / row.letters).toFixed(4)}, Tesseract ${(row.theirErrors / row.letters).toFixed(4)}; formulas ${row.exact}/${row.displays}; ${Math.round(row.ms / row.pages)} ms a page`;
        if (process.env.PRINT_LOST)
          row.lost.forEach((lost, at) => {
            details[`${set}, ${row.name}, lost ${at + 1}`] = lost;
          });
      }
    }
  } finally {
    await Promise.all([formulas?.close(), ink?.close()]);
    await typesetter.close();
    await rm(folder, { recursive: true, force: true });
  }
  for (const [set, rows] of sets) details[set] = inWords(rows);
  const all = [...sets.values()].flat();
  Object.assign(details, calibrate(all.flatMap((row) => row.stated)));
  return {
    ratio: sumOf(all, (row) => row.errors) / sumOf(all, (row) => row.theirErrors),
    baseline: 'character errors of Tesseract in the prose of the same pictures',
    details,
  };
}

const sumOf = (rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);

function inWords(rows: readonly Row[]): string {
  const between = (figure: (drawn: readonly Row[]) => number) =>
    `${figure(rows).toFixed(4)} (${interval(rows, figure)
      .map((value) => value.toFixed(4))
      .join(' to ')})`;
  const letters = (drawn: readonly Row[]) => sumOf(drawn, (row) => row.letters);
  const own = between((drawn) => sumOf(drawn, (row) => row.errors) / letters(drawn));
  const theirs = between((drawn) => sumOf(drawn, (row) => row.theirErrors) / letters(drawn));
  const paragraphs = between(
    (drawn) => sumOf(drawn, (row) => row.paragraphErrors) / sumOf(drawn, (row) => row.paragraphLetters),
  );
  const exact = between(
    (drawn) =>
      sumOf(drawn, (row) => row.exact) /
      Math.max(
        1,
        sumOf(drawn, (row) => row.displays),
      ),
  );
  const counted = `${sumOf(rows, (row) => row.exact)} of ${sumOf(rows, (row) => row.displays)}`;
  return `prose CER ${own}, Tesseract ${theirs}; paragraphs CER ${paragraphs}; formulas exact ${exact}, ${counted}; ${sumOf(rows, (row) => row.pages)} pages`;
}

async function listSources(folder: string): Promise<Map<string, Source[]>> {
  const sets = new Map<string, Source[]>();
  const only = process.env.PRINT_SETS?.split(',');
  const isWanted = (set: string) => !only || only.includes(set);
  const names = process.env.PRINT_DOCUMENTS?.split(',');
  const isNamed = ({ name }: { name: string }) => !names || names.some((part) => name.includes(part));
  if (isWanted('scans')) sets.set('scans', await listScans());
  for (const dpi of resolutions) {
    if (!isWanted(String(dpi))) continue;
    sets.set(
      `pages at ${dpi}`,
      await Promise.all(
        sourcedPdfs()
          .filter(isNamed)
          .map((pdf) => worsen(pdf, dpi, folder)),
      ),
    );
  }
  if (isWanted('clean'))
    sets.set(
      'pages at 200, clean',
      await Promise.all(
        sourcedPdfs()
          .filter(isNamed)
          .map((pdf) => worsen(pdf, 200, folder, true)),
      ),
    );
  const given = process.env.PRINT_FOLDER;
  if (given) {
    const documents = sourcedPdfs(given).filter(({ source }) => findDisplays(source).length > 0);
    const sources: Source[] = [];
    for (const document of documents) sources.push(await worsen(document, 200, folder));
    sets.set(
      'other documents at 200',
      sources.filter(({ pages }) => pages.length <= maxPages),
    );
  }
  return sets;
}

/** The scans of whole documents; the source of the same name is the truth. */
async function listScans(): Promise<Source[]> {
  const root = path.resolve(import.meta.dirname, '../fixtures');
  const latexOf = (stem: string) => readFile(path.join(root, 'pdf', `${stem}.tex`), 'utf8');
  const scan = (name: string) => path.join(root, 'scans', name);
  return [
    {
      name: 'probability-table, photographed',
      latex: await latexOf('probability-table'),
      pages: [scan('probability-table-photographed-p1.jpg')],
    },
    {
      name: 'probability-table, skewed',
      latex: await latexOf('probability-table'),
      pages: [scan('probability-table-skewed-p1.jpg')],
    },
    {
      name: 'grammaire-subjonctif',
      latex: await latexOf('grammaire-subjonctif'),
      pages: [scan('grammaire-subjonctif-scan-p1.jpg'), scan('grammaire-subjonctif-scan-p2.jpg')],
    },
  ];
}

/** Pictures of a PDF's pages as from a mediocre scanner. */
async function worsen(
  { name, pdf, source }: { name: string; pdf: string; source: string },
  dpi: number,
  folder: string,
  isClean = false,
): Promise<Source> {
  const prefix = `${name}-${dpi}${isClean ? '-clean' : ''}-`;
  const stem = path.join(folder, prefix.slice(0, -1));
  execFileSync('pdftocairo', ['-r', String(dpi), '-gray', '-png', pdf, stem], { timeout: 120_000 });
  const pages = (await readdir(folder))
    .filter((file) => file.startsWith(prefix) && /^\d+\.png$/.test(file.slice(prefix.length)))
    .sort();
  const made: string[] = [];
  for (const [at, page] of pages.entries()) {
    const file = path.join(folder, page);
    if (isClean) {
      made.push(file);
      continue;
    }
    const { width = 0, height = 0 } = await sharp(file).metadata();
    const turn = (((at * 37 + name.length * 11) % 31) - 15) / 10;
    const grain = await sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: 9 },
      },
    })
      .toColourspace('b-w')
      .png({ compressionLevel: 1 })
      .toBuffer();
    const shade = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#c8c8c8"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`,
    );
    const shaded = await sharp(file)
      .composite([
        { input: shade, blend: 'multiply' },
        { input: grain, blend: 'soft-light' },
      ])
      .png({ compressionLevel: 1 })
      .toBuffer();
    const scan = `${file}.jpg`;
    await sharp(shaded)
      .rotate(turn, { background: '#e4e4e4' })
      .blur(0.35 + dpi / 500)
      .toColourspace('b-w')
      .jpeg({ quality: 72 })
      .toFile(scan);
    await rm(file);
    made.push(scan);
  }
  return { name, latex: source, pages: made };
}

async function readSource(
  { name, latex, pages }: Source,
  typesetter: Typesetter,
  formulas: FormulaReader | null,
  ink: InkReader | null,
): Promise<Row> {
  let [body, theirs, ms] = ['', '', 0];
  const shown: NonNullable<Line['display']>[] = [];
  const watched: FormulaReader | null = formulas && {
    ...formulas,
    async read(page, until) {
      const read = await formulas.read(page, until);
      shown.push(...(read?.lines ?? []).flatMap(({ display }) => display ?? []));
      return read;
    },
  };
  const reader = createEmbeddedTranscriber({ formulas: watched, ink });
  for (const [at, file] of pages.entries()) {
    const source = { kind: 'image' as const, path: file, index: 0 };
    const picture = await preparePixels(source);
    const started = performance.now();
    const hints = { pageNumber: at + 1, pageCount: pages.length, drawings: 'figure' as const };
    const read = await reader.transcribe({ source, picture: async () => picture, hints, signal });
    if (read.kind !== 'transcribed') throw new Error(`${name}, page ${at + 1}: ${read.kind}`);
    const { page } = read;
    ms += performance.now() - started;
    body += `${page.title?.title ?? ''}\n\n${page.body}\n\n`;
    const plain = parseHocr(
      await runTesseract(toGrey(picture.bitmap), { language: languageOf(latex), dpi: 200, signal }),
    );
    theirs += `${plain.lines.map((line) => line.words.map((word) => word.text).join(' ')).join('\n')}\n`;
  }
  const document = (text: string) => `\\begin{document}\n${text}\n\\end{document}`;
  const truth = proseOf(latex);
  const escaped = theirs.replace(/[\\$%{}]/g, ' ').replace(/-\n/g, '');
  const { right, ...scored } = await scoreFormulas(latex, document(body), typesetter);
  return {
    name,
    letters: truth.length,
    errors: distance([...proseOf(document(body))], [...truth]),
    theirErrors: distance([...proseOf(document(escaped))], [...truth]),
    ...scoreParagraphs(body, truth),
    ...scored,
    stated: shown.map((display) => ({ ...display, isRight: right.has(normalFormula(display.latex)) })),
    ms,
    pages: pages.length,
  };
}

/** Fewest words of a paragraph that is looked up in the source. */
const fewestWords = 8;

function scoreParagraphs(body: string, truth: string): Pick<Row, 'paragraphLetters' | 'paragraphErrors'> {
  let [paragraphLetters, paragraphErrors] = [0, 0];
  for (const paragraph of body.split(/\n\s*\n|\\item\b/)) {
    if (/\\begin\{(?:tabular|longtable|array|figure|table)/.test(paragraph)) continue;
    const words = proseOf(`\\begin{document}\n${paragraph}\n\\end{document}`);
    if (words.split(' ').length < fewestWords) continue;
    paragraphLetters += words.length;
    paragraphErrors += distanceToPart([...words], [...truth]);
  }
  return { paragraphLetters, paragraphErrors };
}

/** Edit distance to the nearest part of `text`. */
function distanceToPart(part: readonly string[], text: readonly string[]): number {
  let row = new Array<number>(text.length + 1).fill(0);
  for (const [i, sign] of part.entries()) {
    const next = [i + 1];
    for (let j = 0; j < text.length; j++)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (sign === text[j] ? 0 : 1)));
    row = next;
  }
  return row.reduce((least, value) => Math.min(least, value));
}

function languageOf(latex: string): string {
  return /french/.test(latex) ? 'fra' : /n?german/.test(latex) ? 'deu' : 'eng';
}

async function scoreFormulas(
  truth: string,
  ours: string,
  typesetter: Typesetter,
): Promise<Pick<Row, 'displays' | 'exact' | 'lost'> & { right: Set<string> }> {
  const wanted = findDisplays(truth).map(({ latex }) => latex);
  const read = findDisplays(ours).map(({ latex }) => latex);
  const packages = ['amsmath', 'amssymb', 'mathrsfs', 'mathtools'];
  const models = await typesetEach(wanted, truth, [], typesetter);
  const ownModels = await typesetEach(
    read,
    truth,
    /unicode-math/.test(truth) ? ['mathtools'] : packages,
    typesetter,
  );
  const used = new Set<number>();
  const lost: string[] = [];
  let [displays, exact] = [0, 0];
  for (const [at, model] of models.entries()) {
    if (!model) continue;
    displays++;
    const found = ownModels.findIndex(
      (own, index) =>
        !used.has(index) &&
        ((own !== null && difference(model, own) === null) ||
          normalFormula(read[index]!) === normalFormula(wanted[at]!)),
    );
    if (found >= 0) {
      used.add(found);
      exact++;
    } else lost.push(wanted[at]!.replace(/\s+/g, ' '));
  }
  const left = read.filter((_, index) => !used.has(index)).map((latex) => latex.replace(/\s+/g, ' '));
  const right = new Set([...used].map((index) => normalFormula(read[index]!)));
  return { displays, exact, right, lost: [...lost, ...left.map((latex) => `read: ${latex}`)] };
}
