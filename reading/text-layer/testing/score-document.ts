/** A PDF with its source: read, assembled, proved, and measured against the source. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Proof, proveDocument } from '#proving/index.ts';
import type { Typesetter } from '#typesetting/index.ts';
import type { TranscribedPage } from '../../transcriber.ts';
import { openPdf } from '../glyphs/extract.ts';
import type { PageModel } from '../model.ts';
import type { TextLayerReader } from '../reader.ts';
import { bodyOf, findDisplays, preambleOf, similarity, stripComments } from './displays.ts';
import { takeDefinitions } from './macros.ts';
import { proseOf } from './prose.ts';
import { difference, packageFolder, typesetEach } from './same-formula.ts';
import { type Found, type Printed, scoreHeadings, scoreInline, scoreNumbers } from './score-structure.ts';
import { blankPicture } from './typeset-and-read.ts';

export interface DocumentScore {
  name: string;
  /** Why no document with every page was proved; empty if one was. */
  unproved: string;
  /** Character similarity of the prose words, 0 … 1. */
  text: number;
  displays: number;
  /** Displays of the source that TeX cannot typeset on their own with its preamble; they are not counted. */
  unset: number;
  /** Displays whose recovered LaTeX typesets the same. */
  exact: number;
  /** Each display that was not recovered: its truth, the nearest of ours, and what differs. */
  misses: { index: number; truth: string; ours: string; why: string }[];
  /** Formulas in the running text that one of ours typesets the same. */
  inline: Found;
  /** Headings with their words, their depth and their printed number. */
  headings: Found;
  /** Heads of theorems with their printed number, on our own typeset pages. */
  numbers: Found;
  /** Mean share of verbatim characters over pages. */
  verbatim: number;
  latex: string;
  compileCount: number;
  /** Time of reading, in ms a page; the first page carries the opening of the document. */
  msPerPage: number;
  warnings: string[];
}

function whyUnproved(proof: Proof): string {
  if (proof.kind === 'cancelled') return 'cancelled';
  if (proof.kind === 'failed') return `${proof.reason}: ${proof.message}`;
  return proof.failedPages.length > 0 ? `without pages ${proof.failedPages.join(', ')}` : '';
}

export async function scoreDocument(
  name: string,
  pdfPath: string,
  truth: string,
  reader: TextLayerReader,
  typesetter: Typesetter,
): Promise<DocumentScore> {
  const signal = AbortSignal.timeout(300_000);
  const pdf = await openPdf(new Uint8Array(await readFile(pdfPath)), packageFolder);
  const pageCount = pdf.numPages;
  await pdf.loadingTask.destroy();
  const started = performance.now();
  const pages: { number: number; page: TranscribedPage }[] = [];
  for (let index = 0; index < pageCount; index++) {
    const result = await reader.read({
      source: { kind: 'pdf', path: pdfPath, index },
      picture: blankPicture,
      hints: { pageNumber: index + 1, pageCount, drawings: 'figure' },
      signal,
    });
    if (result.kind === 'transcribed') pages.push({ number: index + 1, page: result.page });
  }
  const msPerPage = (performance.now() - started) / pageCount;
  const assets = pages.flatMap((p) => p.page.figures.map((f) => ({ name: f.name, bytes: f.bytes })));
  const proof = await proveDocument({ pages, assets, typesetter, owner: name, signal });
  const latex = proof.kind === 'proved' ? proof.latex : '';
  const truthDisplays = findDisplays(truth).map((d) => d.latex);
  const ourDisplays = findDisplays(latex).map((d) => d.latex);
  const packages = /unicode-math/.test(truth)
    ? ['mathtools']
    : ['amsmath', 'amssymb', 'mathrsfs', 'mathtools', ...(/\\ce\{/.test(latex) ? ['mhchem'] : [])];
  const setting = withBodyDefinitions(truth);
  const truthModels = await typesetEach(truthDisplays, setting, [], typesetter);
  const ourModels = await typesetEach(ourDisplays, setting, packages, typesetter);
  // A source that gives LaTeX's own commands another meaning says nothing of ours: they are set by its class alone, too.
  const plainClass = /\\documentclass(?:\s*\[[^\]]*\])?\s*\{[^{}]*\}/.exec(truth)?.[0] ?? '';
  const hasOwnMeanings = /\\(?:renewcommand|def|let)\b/.test(truth);
  const plainModels = hasOwnMeanings
    ? await typesetEach(ourDisplays, `${plainClass}\n\\begin{document}`, packages, typesetter)
    : [];
  const isSame = (model: PageModel, k: number) =>
    [ourModels[k], plainModels[k]].some((m) => m && difference(model, m) === null);
  const used = new Set<number>();
  const misses: DocumentScore['misses'] = [];
  let exact = 0;
  let unset = 0;
  truthDisplays.forEach((display, i) => {
    const model = truthModels[i];
    if (!model) {
      unset += 1;
      return;
    }
    const found = ourDisplays.findIndex((_, k) => !used.has(k) && isSame(model, k));
    if (found >= 0) {
      used.add(found);
      exact += 1;
      return;
    }
    const nearest = ourDisplays
      .map((d, k) => ({ k, s: similarity(display, d) }))
      .filter(({ k }) => !used.has(k))
      .sort((a, b) => b.s - a.s)[0];
    const other = nearest ? ourModels[nearest.k] : null;
    misses.push({
      index: i,
      truth: display,
      ours: nearest ? (ourDisplays[nearest.k] as string) : '',
      why: other ? (difference(model, other) ?? '') : 'not set',
    });
  });
  const printed = { truth: readPrinted(pdfPath), ours: { blocks: '', rows: '' } };
  if (latex !== '') {
    const result = await typesetter.compile({ latex, assets, owner: name, cpuMs: 60_000 });
    if (result.kind === 'compiled') printed.ours = readPrinted(result.pdf);
  }
  const shares = proof.kind === 'proved' ? Object.values(proof.verbatimShare) : [1];
  return {
    name,
    unproved: whyUnproved(proof),
    text: similarity(proseOf(truth), proseOf(latex)),
    displays: truthDisplays.length - unset,
    unset,
    exact,
    misses,
    inline: await scoreInline(truth, latex, (formulas, isOurs) =>
      typesetEach(formulas, setting, isOurs ? packages : [], typesetter),
    ),
    headings: scoreHeadings(truth, latex, printed),
    numbers: scoreNumbers(printed),
    verbatim: shares.length > 0 ? shares.reduce((a, b) => a + b, 0) / shares.length : 0,
    latex,
    msPerPage,
    compileCount: proof.kind === 'cancelled' ? 0 : proof.compileCount,
    warnings: proof.kind === 'cancelled' ? [] : proof.warnings.map((w) => `${w.code} ${w.message}`),
  };
}

function readPrinted(pdf: string | Uint8Array): Printed {
  const input = typeof pdf === 'string' ? readFileSync(pdf) : pdf;
  const words = (...options: string[]) =>
    execFileSync('pdftotext', [...options, '-', '-'], { input, encoding: 'utf8' });
  return { blocks: words(), rows: words('-layout') };
}

/** The source's preamble with what the source defines further down. */
function withBodyDefinitions(source: string): string {
  const body = stripComments(bodyOf(source));
  const lets = body.match(/\\let\s*\\[A-Za-z]+\s*=?\s*\\[A-Za-z]+/g) ?? [];
  const { taken } = takeDefinitions(body);
  const own = [...lets, ...taken].filter((definition) => !definition.includes('@')).join('\n');
  return `${preambleOf(source)}\n${own}\n\\begin{document}`;
}
