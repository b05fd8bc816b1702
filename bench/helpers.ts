/**
 * Documents with lists made by helpers (references, indexes, glossaries, nomenclatures): the share whose every
 * page has the same text as latexmk's, started cold, with the same engine. `HELPERS=folder npm run bench --
 * helpers`: each folder in it holds a `main.tex` and the files it needs; default: fixtures/helpers. latexmk has
 * no sandbox here, and Biber runs code from the document: give it a folder you trust.
 */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { chooseEngine, createTypesetter, type Typesetter } from '#typesetting/index.ts';
import { type CorpusDocument, readCorpus } from './corpus.ts';
import type { Measurement } from './support/measurement.ts';

const run = promisify(execFile);
const fixtures = path.join(import.meta.dirname, '../fixtures/helpers');
/** latexmk gets our TeX tree too: the comparison is about the lists, not about which fonts replace others. */
const ourTree = path.join(import.meta.dirname, '../typesetting/texmf');
const inputs = `.:${ourTree}/first//::${ourTree}/last//`;
const latexmkTimeoutMs = 240_000;
const cpuMs = 120_000;
const strategies = ['fork-server', 'cold'] as const;

export async function measure(): Promise<Measurement> {
  const documents = await readCorpus(process.env.HELPERS ?? fixtures);
  const home = await mkdtemp(path.join(os.tmpdir(), 'inkproof-helpers-'));
  await chmod(home, 0o755);
  const open = (strategy: (typeof strategies)[number]) =>
    createTypesetter({ workDir: path.join(home, strategy), concurrency: 1, strategies: [strategy] });
  const typesetters = { 'fork-server': await open('fork-server'), cold: await open('cold') };
  if (typesetters.cold.refusal) throw new Error(typesetters.cold.refusal);
  try {
    const details: Record<string, string> = {};
    let same = 0;
    for (const document of documents) {
      const baseline = await setByLatexmk(document, path.join(home, 'latexmk', document.name));
      const verdicts: string[] = [];
      for (const strategy of strategies) {
        const ours = await setHere(document, typesetters[strategy], path.join(home, 'ours.pdf'));
        verdicts.push(compare(ours, baseline));
      }
      if (verdicts.every((verdict) => verdict.startsWith('the same'))) same++;
      const [warm, cold] = verdicts;
      details[document.name] = warm === cold ? warm! : `warm: ${warm}; cold: ${cold}`;
    }
    return {
      ratio: same / documents.length,
      baseline: `cold latexmk on ${documents.length} documents`,
      details,
    };
  } finally {
    await Promise.all(Object.values(typesetters).map((one) => one.close()));
    await rm(home, { recursive: true, force: true });
  }
}

/** The text of each page, or why there is none. */
type Pages = string[] | string;

async function setHere(document: CorpusDocument, typesetter: Typesetter, file: string): Promise<Pages> {
  const { latex, assets, name } = document;
  const result = await typesetter.compile({ latex, assets, owner: name, cpuMs });
  if (!('pdf' in result) || !result.pdf) return result.kind;
  await writeFile(file, result.pdf);
  return readPages(file);
}

async function setByLatexmk(document: CorpusDocument, folder: string): Promise<Pages> {
  await mkdir(folder, { recursive: true });
  await cp(document.folder, folder, { recursive: true });
  const { engine } = chooseEngine(document.latex);
  const args = ['-r', path.join(fixtures, 'latexmkrc'), engine === 'xelatex' ? '-xelatex' : '-pdf'];
  await run('latexmk', [...args, '-f', '-interaction=nonstopmode', 'main.tex'], {
    cwd: folder,
    timeout: latexmkTimeoutMs,
    maxBuffer: 100_000_000,
    env: {
      ...process.env,
      ...{ openin_any: 'p', openin_any_makeindex: 'r', openout_any: 'p' },
      ...{ TEXINPUTS: inputs, TEXINPUTS_xelatex: `.:${ourTree}/xelatex//:${inputs.slice(2)}` },
    },
  }).catch(() => {});
  return readPages(path.join(folder, 'main.pdf')).catch(() => 'no pages by latexmk');
}

async function readPages(file: string): Promise<string[]> {
  await readFile(file);
  const { stdout } = await run('pdftotext', ['-enc', 'UTF-8', file, '-'], { maxBuffer: 200_000_000 });
  const pages = stdout.split('\f').map((page) => page.normalize('NFKC').replace(/\s+/g, ' ').trim());
  // the last page ends with its mark too
  return pages.slice(0, -1);
}

function compare(ours: Pages, theirs: Pages): string {
  if (typeof ours === 'string') return `ours: ${ours}`;
  if (typeof theirs === 'string') return theirs;
  const count = Math.max(ours.length, theirs.length);
  const differing = Array.from({ length: count }, (_, page) => page).filter(
    (page) => ours[page] !== theirs[page],
  );
  if (differing.length === 0) return `the same ${count} pages`;
  if (process.env.SHOW) {
    const page = differing[0]!;
    process.stderr.write(`page ${page + 1}\nours:   ${ours[page]}\ntheirs: ${theirs[page]}\n`);
  }
  return `${differing.length} of ${count} pages differ (ours ${ours.length}, theirs ${theirs.length}): ${differing
    .slice(0, 8)
    .map((page) => page + 1)
    .join(', ')}`;
}
