/**
 * The ink reader on writers that training never saw: the pictures of `training/testset.py` in
 * $INKPROOF_TRAINING_DIR (INK_LIMIT of each set, default 400), and whole sheets composed of their strokes, as
 * photographs and as exported by a tablet; with Tesseract on the same pictures in the same run. Real
 * photographs are measured by `bench -- page`. Baseline: Tesseract's character error rate on lines.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';
import { lineConfidence } from '#reading/ink/choice/confidence.ts';
import { readInk } from '#reading/ink/read-ink.ts';
import { type LineReaderDeps, readCrop } from '#reading/ink/read-lines.ts';
import type { Bitmap } from '#reading/page.ts';
import { preparePixels } from '#reading/pages/prepare-page.ts';
import { composePage, linesOnPage, papers } from './ink/compose-page.ts';
import { readPad } from './ink/read-pad.ts';
import { linesOf, readSheets } from './ink/read-sheets.ts';
import { listTestset, openReader, readPicture } from './ink/read-testset.ts';
import { distance, type PageScore, scorePage } from './ink/score-page.ts';
import { interval } from './support/bootstrap.ts';
import type { Measurement } from './support/measurement.ts';

const limit = Number(process.env.INK_LIMIT ?? 400);
const root = path.resolve(import.meta.dirname, '..');
/** What ships for it: weights, the library that computes them, word lists. */
const shipped = [
  'reading/models',
  `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`,
  ...['en', 'en-gb', 'fr', 'es', 'pt'].map((language) => `node_modules/dictionary-${language}`),
];

/** One picture: edits needed and signs in the truth, for ours and Tesseract. */
interface Result {
  set: string;
  signs: number;
  errors: number;
  theirErrors: number;
  isExact: boolean;
  confidence: number;
}

export async function measure(): Promise<Measurement> {
  const details: Record<string, string> = {};
  const memoryBefore = process.memoryUsage.rss();
  const reader = await openReader();
  const { results, msPerLine } = await readAll(reader);
  const of = (set: string) => results.filter((result) => result.set === set);
  for (const [set, name] of [
    ['lines', 'lines of unseen writers'],
    ['words', 'words of unseen writers'],
  ] as const)
    details[name] =
      `CER ${withInterval(of(set), rate)}, Tesseract ${withInterval(of(set), theirRate)}; exact ${percent(of(set))}, ${of(set).length} pictures`;
  details['formulas of unseen writers'] =
    `exact, token by token, ${withInterval(of('formulas'), exactness)}; token error rate ${withInterval(of('formulas'), rate)}, ${of('formulas').length} pictures`;
  for (const [name, value] of Object.entries(calibrate(results))) details[name] = value;
  details['time a line'] = `${msPerLine.toFixed(0)} ms, one at a time, decoding included`;
  Object.assign(details, await readPad(reader, limit));
  Object.assign(details, await readComposed(reader), await readWholeSheets(reader));
  details.memory = `${Math.round((process.memoryUsage.rss() - memoryBefore) / 1e6)} MB more than before the model was opened`;
  details.shipped = `${((await sizeOf(shipped)) / 1e6).toFixed(1)} MB: weights ${((await sizeOf(['reading/models'])) / 1e6).toFixed(1)} MB, the rest onnxruntime and word lists`;
  await Promise.all([reader.model.close(), reader.shapes?.close()]);
  const lines = of('lines');
  return {
    ratio: rate(lines) / theirRate(lines),
    baseline: 'character errors of Tesseract on the same lines',
    details,
  };
}

async function readAll(reader: Awaited<ReturnType<typeof openReader>>) {
  const isKnown = await reader.words('en');
  const listed = await listTestset('testset');
  const entries = ['lines', 'words', 'formulas'].flatMap((set) =>
    listed.filter((entry) => entry.set === set).slice(0, limit),
  );
  const results: Result[] = [];
  let ms = 0;
  for (const entry of entries) {
    const picture = await readPicture('testset', entry);
    const started = performance.now();
    const read = await readCrop(picture, reader.model, isKnown);
    ms += performance.now() - started;
    const isFormula = entry.set === 'formulas';
    const truth = isFormula ? tokensOf(entry.truth) : [...entry.truth];
    const stated = read.tokens.map(({ token }) => token);
    const ours = isFormula ? tokensOf(stated.join('')) : [...stated.join('')];
    const theirs = isFormula ? [] : [...(await runTesseract(picture, 7))];
    const errors = distance(ours, truth);
    results.push({
      set: entry.set,
      signs: truth.length,
      errors,
      theirErrors: isFormula ? truth.length : distance(theirs, truth),
      isExact: errors === 0,
      confidence: lineConfidence(read),
    });
  }
  return { results, msPerLine: ms / entries.length };
}

/** A formula's tokens without its delimiters. */
function tokensOf(latex: string): string[] {
  return (latex.match(/\\[A-Za-z]+|\\.|\S/gu) ?? []).filter((token) => token !== '\\(' && token !== '\\)');
}

const total = (results: readonly Result[], of: (result: Result) => number) =>
  results.reduce((sum, result) => sum + of(result), 0);
const rate = (results: readonly Result[]) => total(results, (r) => r.errors) / total(results, (r) => r.signs);
const theirRate = (results: readonly Result[]) =>
  total(results, (r) => r.theirErrors) / total(results, (r) => r.signs);
const exactness = (results: readonly Result[]) =>
  total(results, (r) => (r.isExact ? 1 : 0)) / Math.max(1, results.length);
const percent = (results: readonly Result[]) => `${(100 * exactness(results)).toFixed(1)} %`;

/** With the bootstrap's 95 % interval over pictures. */
function withInterval(results: readonly Result[], of: (results: readonly Result[]) => number): string {
  const [low, high] = interval(results, of);
  return `${of(results).toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
}

/** For each stated confidence, the share of pictures that are read without an error. */
function calibrate(results: readonly Result[]): Record<string, string> {
  const bounds = [0, 0.3, 0.5, 0.7, 0.85, 0.95, 1.01];
  return Object.fromEntries(
    bounds.slice(1).flatMap((to, at) => {
      const own = results.filter(({ confidence }) => confidence >= bounds[at]! && confidence < to);
      if (own.length === 0) return [];
      const stated = total(own, ({ confidence }) => confidence) / own.length;
      return [
        [
          `said to be ${stated.toFixed(2)} sure`,
          `right ${exactness(own).toFixed(2)}, ${own.length} pictures`,
        ],
      ];
    }),
  );
}

/** Pages composed of the set's first lines: plain, ruled and squared paper in uneven light. */
async function readComposed(reader: LineReaderDeps): Promise<Record<string, string>> {
  const lines = (await listTestset('testset')).filter(({ set }) => set === 'lines');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-ink-'));
  const details: Record<string, string> = {};
  try {
    for (const [kind, paper] of papers.entries()) {
      const scores: PageScore[] = [];
      for (let page = 0; page < 3; page++) {
        const from = (3 * kind + page) * linesOnPage;
        const own = lines.slice(from, from + linesOnPage);
        const file = path.join(folder, `${paper}-${page}.jpg`);
        const pictures = await Promise.all(own.map((entry) => readPicture('testset', entry)));
        await writeFile(file, await composePage(pictures, paper, page));
        const picture = await preparePixels({ kind: 'image', path: file, index: 0 });
        const { body } = await readInk(picture, 1, reader);
        scores.push(
          scorePage(
            own.map(({ truth }) => truth),
            linesOf(body),
          ),
        );
      }
      details[`composed pages, ${paper} paper`] = inWords(scores);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return details;
}

/** Sheets in held-out strokes, each kind separately, and the time per page. */
async function readWholeSheets(reader: LineReaderDeps): Promise<Record<string, string>> {
  const all = await readSheets(reader, (page) => runTesseract(page, 3));
  return Object.fromEntries(
    all.map(({ name, ours, theirs, ms, preparingMs }) => [
      name,
      `${inWords(ours)}; Tesseract ${inWords(theirs)}; ${Math.round(ms)} ms a page, ${Math.round(preparingMs)} of them to prepare it`,
    ]),
  );
}

function inWords(scores: readonly PageScore[]): string {
  const sum = (of: (score: PageScore) => number) => scores.reduce((all, score) => all + of(score), 0);
  const [found, lines] = [sum((s) => s.found), sum((s) => s.lines)];
  return `lines found ${found} of ${lines} (${((100 * found) / lines).toFixed(0)} %), CER ${(sum((s) => s.errors) / sum((s) => s.signs)).toFixed(3)}`;
}

/** @param mode Tesseract's page segmentation: 7 one line, 3 a page */
function runTesseract({ width, height, data }: Bitmap, mode: 3 | 7): Promise<string> {
  const margin = 12;
  return new Promise((resolve, reject) => {
    sharp(data, { raw: { width, height, channels: 1 } })
      .extend({ top: margin, bottom: margin, left: margin, right: margin, background: '#fff' })
      .png({ compressionLevel: 1 })
      .toBuffer()
      .then((png) => {
        const child = spawn('tesseract', ['stdin', 'stdout', '-l', 'eng', '--psm', String(mode)], {
          stdio: ['pipe', 'pipe', 'ignore'],
          env: { ...process.env, OMP_THREAD_LIMIT: '1' },
        });
        let text = '';
        child.stdout.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        child.on('error', reject);
        child.on('close', () => resolve(text.trim()));
        child.stdin.end(png);
      }, reject);
  });
}

async function sizeOf(paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const at of paths) {
    const folder = path.join(root, at);
    if (!existsSync(folder)) continue;
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
