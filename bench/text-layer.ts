/**
 * The text-layer reader on PDFs with their sources: those of fixtures/pdf, those of the folder named in
 * TEXT_LAYER_FOLDER, or, with TEXT_LAYER_CORPUS=folder of NAME/main.tex, a fixed random sample of its documents
 * typeset by plain TeX (see text-layer/sample.ts; TEXT_LAYER_PART test or development, TEXT_LAYER_COUNT
 * documents, default 42).
 *
 * Measured, from PDF to the LaTeX that the product proves:
 * - text: 1 − edit distance ÷ length over the words of the running text in their order (testing/prose.ts says
 *   what is
 *   stripped, on both sides alike), the mean over documents;
 * - formulas: displayed formulas of the source that one of ours equals when typeset (testing/same-formula.ts
 *   says how
 *   closely): \left\right or \dfrac or an extra space make no difference unless they do on the page. A formula
 *   that TeX
 *   cannot typeset alone with the source's preamble is not counted;
 * - inline: formulas in the running text, compared in the same way, each as often as the source has it; not those
 *   that look the same as text (a number, a bullet), and all without brackets around the whole of them;
 * - headings: those with the words, the depth below the document's first level, and the printed number of the
 *   source's (testing/score-structure.ts);
 * - numbers: heads of theorems that our pages, typeset, print with the source's number;
 * - compiles: documents of which no page was given up or kept verbatim;
 * - time from the PDF's page to LaTeX, including its picture, and the memory it takes, compared with Tesseract
 *   on the same pages. Intervals are 95 %, by bootstrap over documents. Baseline: the words of poppler's
 *   pdftotext, measured the same way.
 */
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { median } from '#reading/box.ts';
import { createTextLayerReader } from '#reading/text-layer/reader.ts';
import { similarity } from '#reading/text-layer/testing/displays.ts';
import { sourcedPdfs, workDir } from '#reading/text-layer/testing/fixtures.ts';
import { proseOf, wordsOf } from '#reading/text-layer/testing/prose.ts';
import { type DocumentScore, scoreDocument } from '#reading/text-layer/testing/score-document.ts';
import { createTypesetter } from '#typesetting/index.ts';
import { interval } from './support/bootstrap.ts';
import type { Measurement } from './support/measurement.ts';
import { measureCost } from './text-layer/cost.ts';
import { type SamplePart, typesetSample } from './text-layer/sample.ts';

interface Row extends DocumentScore {
  plain: number;
  documentClass: string;
}

const kinds = ['inline', 'headings', 'numbers'] as const;
const families = [
  { name: 'AMS', pattern: /^ams/ },
  { name: 'KOMA', pattern: /^scr/ },
  { name: 'other classes', pattern: /^(?!ams|scr)/ },
];

function sumOf(rows: readonly Row[], kind: (typeof kinds)[number]): string {
  const found = (drawn: readonly Row[]) => drawn.reduce((n, row) => n + row[kind].found, 0);
  const all = (drawn: readonly Row[]) => drawn.reduce((n, row) => n + row[kind].all, 0);
  const share = (drawn: readonly Row[]) => found(drawn) / Math.max(1, all(drawn));
  const between = interval(rows, share).map((value) => value.toFixed(3));
  return `${share(rows).toFixed(4)} (${between.join(' to ')}), ${found(rows)} of ${all(rows)}`;
}

export async function measure(): Promise<Measurement> {
  const { TEXT_LAYER_CORPUS: corpus, TEXT_LAYER_FOLDER: given } = process.env;
  const part: SamplePart = process.env.TEXT_LAYER_PART === 'test' ? 'test' : 'development';
  const count = Number(process.env.TEXT_LAYER_COUNT ?? 42);
  const folder = corpus === undefined ? given : path.join(tmpdir(), 'inkproof-text-layer-sample', part);
  const details: Record<string, string> = {};
  if (corpus !== undefined && folder !== undefined)
    Object.assign(details, countReasons(await typesetSample(corpus, part, count, folder)));
  // The test part is for figures only: its failures are not shown.
  const isSecret = corpus !== undefined && part === 'test';
  const documents = sourcedPdfs(folder);
  const rows = await scoreAll(documents, isSecret);
  for (const row of rows) {
    if (isSecret) continue;
    details[row.name] =
      `text ${row.text.toFixed(4)}, formulas ${row.exact}/${row.displays}, ${kinds.map((kind) => `${kind} ${row[kind].found}/${row[kind].all}`).join(', ')}, verbatim ${(row.verbatim * 100).toFixed(2)} %, ` +
      `${row.unproved || 'compiles'}, ${Math.round(row.msPerPage)} ms a page`;
    row.misses.forEach((miss, i) => {
      details[`${row.name}, lost ${i + 1}`] = `${miss.why} — ${miss.truth.replace(/\s+/g, ' ')}`;
    });
    for (const kind of kinds)
      row[kind].lost.forEach((lost, i) => {
        details[`${row.name}, ${kind} lost ${i + 1}`] = lost;
      });
  }
  const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;
  const text = (drawn: readonly Row[]) => mean(drawn.map((row) => row.text));
  const exact = (drawn: readonly Row[]) =>
    drawn.reduce((n, row) => n + row.exact, 0) / drawn.reduce((n, row) => n + row.displays, 0);
  const proved = (drawn: readonly Row[]) => mean(drawn.map((row) => (row.unproved ? 0 : 1)));
  const between = (figure: (drawn: readonly Row[]) => number) =>
    interval(rows, figure)
      .map((value) => value.toFixed(4))
      .join(' to ');
  details.text = `${text(rows).toFixed(4)} (${between(text)}), median ${median(rows.map((row) => row.text)).toFixed(4)}, ${rows.filter((row) => row.text >= 0.995).length} of ${rows.length} documents at 0.995 or above`;
  details.formulas = `${exact(rows).toFixed(4)} (${between(exact)}), ${rows.reduce((n, row) => n + row.exact, 0)} of ${rows.reduce((n, row) => n + row.displays, 0)}; ${rows.reduce((n, row) => n + row.unset, 0)} not counted, TeX does not set them alone`;
  for (const kind of kinds) details[kind] = sumOf(rows, kind);
  for (const family of families) {
    const own = rows.filter((row) => family.pattern.test(row.documentClass));
    if (own.length > 0)
      details[`headings, ${family.name}`] = `${sumOf(own, 'headings')} in ${own.length} documents`;
  }
  details.compiles = `${proved(rows).toFixed(4)} (${between(proved)}), ${rows.filter((row) => !row.unproved).length} of ${rows.length}`;
  if (process.env.TEXT_LAYER_COST !== '0')
    Object.assign(details, await measureCost(documents.map(({ pdf }) => pdf)));
  return {
    ratio: text(rows) / mean(rows.map((row) => row.plain)),
    baseline: "words kept by poppler's pdftotext",
    details,
  };
}

async function scoreAll(documents: ReturnType<typeof sourcedPdfs>, isSecret: boolean): Promise<Row[]> {
  const typesetter = await createTypesetter({ workDir });
  const reader = createTextLayerReader();
  const rows: Row[] = [];
  try {
    for (const { name, pdf, source } of documents) {
      const score = await scoreDocument(name, pdf, source, reader, typesetter);
      const printed = execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8' });
      const documentClass = /\\documentclass(?:\s*\[[^\]]*\])?\s*\{([^{}]*)\}/.exec(source)?.[1] ?? '';
      const plain = similarity(proseOf(source), wordsOf(printed.replace(/-\n/g, '')));
      rows.push({ ...score, documentClass, plain });
      const counts = kinds.map((kind) => `${kind} ${score[kind].found}/${score[kind].all}`).join(', ');
      if (!isSecret)
        process.stderr.write(
          `${name}: ${score.text.toFixed(4)}, ${score.exact}/${score.displays}, ${counts}\n`,
        );
    }
  } finally {
    await reader.close();
    await typesetter.close();
  }
  return rows;
}

function countReasons(refused: Record<string, string>): Record<string, string> {
  const counts: Record<string, number> = {};
  for (const reason of Object.values(refused)) {
    const kind = reason.replace(/[:\d].*$/, '').trim() || 'too many pages';
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return {
    'documents passed over': Object.entries(counts)
      .map(([kind, n]) => `${n} ${kind}`)
      .join(', '),
  };
}
