/**
 * Scans and photos without a text layer, from file to LaTeX body by the embedded reader: time per page by step,
 * and errors against the sources. The baseline is Tesseract alone on the same prepared pictures.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createPagePreparer } from '#reading/pages/page-preparer.ts';
import { readPrint } from '#reading/print/read-print.ts';
import { runTesseract } from '#reading/print/tesseract.ts';
import { printSamples } from '#reading/print/testing/print-samples.ts';
import { toGrey } from '#reading/raster.ts';
import { characterErrorRate, wordsKept, wordsOf } from '../test-support/compare-text.ts';
import type { Measurement } from './measurement.ts';

const fixtures = path.resolve(import.meta.dirname, '../fixtures');

export async function measure(): Promise<Measurement> {
  const preparer = createPagePreparer({ concurrency: 1 });
  const { signal } = new AbortController();
  const totals = { prepare: 0, read: 0, tesseract: 0 };
  const details: Record<string, string> = {};
  // the first page includes starting the process
  await preparer.prepare({ kind: 'pdf', path: path.join(fixtures, 'pdf/probability-table.pdf'), index: 0 });
  for (const { file, index, source, from, to, isPart } of printSamples) {
    const full = path.join(fixtures, file);
    const start = performance.now();
    const page = await preparer.prepare({ kind: file.endsWith('.pdf') ? 'pdf' : 'image', path: full, index });
    const prepared = performance.now();
    const read = await readPrint(page, { pageNumber: index + 1, pageCount: 1, drawings: 'figure' }, signal);
    const done = performance.now();
    await runTesseract(toGrey(page.bitmap), { language: 'eng', dpi: 210, signal });
    const alone = performance.now();
    totals.prepare += prepared - start;
    totals.read += done - prepared;
    totals.tesseract += alone - done;
    const latex = await readFile(path.join(fixtures, 'pdf', `${source}.tex`), 'utf8');
    const truth = wordsOf(cut(latex, from, to));
    const text = `${read.title?.title ?? ''}\n${withoutFormulas(read)}`;
    const rate = characterErrorRate(truth, wordsOf(text), { part: isPart });
    const kept = isPart ? '' : `, words kept ${(100 * wordsKept(truth, wordsOf(text))).toFixed(1)} %`;
    details[`${file}${index ? ` page ${index + 1}` : ''}`] =
      `CER ${rate.toFixed(3)}${kept}, confidence ${read.confidence.toFixed(2)}, prepare ${Math.round(prepared - start)} ms, read ${Math.round(done - prepared)} ms`;
  }
  await preparer.close();
  const count = printSamples.length;
  for (const [step, sum] of Object.entries(totals)) details[`mean ${step}`] = `${Math.round(sum / count)} ms`;
  return { ratio: (totals.prepare + totals.read) / totals.tesseract, baseline: 'tesseract alone', details };
}

function cut(latex: string, from: string | undefined, to: string | undefined): string {
  const start = from ? latex.indexOf(from) : 0;
  const end = to ? latex.indexOf(to) : latex.length;
  return latex.slice(start, end);
}

function withoutFormulas({
  body,
  doubtful,
}: {
  body: string;
  doubtful: { start: number; end: number; reason?: string }[];
}): string {
  let text = body;
  for (const { start, end, reason } of [...doubtful].reverse())
    if (reason?.startsWith('A formula')) text = `${text.slice(0, start)} ${text.slice(end)}`;
  return text;
}
