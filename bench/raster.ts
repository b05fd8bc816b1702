/**
 * Compares warm output with cold output, page by page as pictures: there must be no differences. `CORPUS=folder
 * npm run bench -- raster` compiles each document of the folder (NAME/main.tex and its pictures) cold, and in
 * the fastest way that works here after two edits and their undoing; `RASTER_STRATEGY=cold` selects another
 * way, `RASTER_LIMIT=20` limits the number of documents. Compared are the text with both edits, and the text
 * itself.
 */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type CompileResult, createTypesetter, type Typesetter } from '#typesetting/index.ts';
import { type CorpusDocument, mapAll, readCorpus, reasonOf } from './corpus.ts';
import type { Measurement } from './support/measurement.ts';

const cpuMs = 120_000;
/** Enough to show a glyph that moved by a third of a point. */
const dotsPerInch = 60;

type StrategyName = NonNullable<Parameters<typeof createTypesetter>[0]['strategies']>[number];

interface Outcome {
  /** null if cold fails too: then there is nothing to compare. */
  pages: number | null;
  differences: string[];
}

export async function measure(): Promise<Measurement> {
  const limit = Number(process.env.RASTER_LIMIT ?? Number.POSITIVE_INFINITY);
  const documents = (await readCorpus(process.env.CORPUS)).slice(0, limit);
  const other = process.env.RASTER_STRATEGY as StrategyName | undefined;
  const home = await mkdtemp(path.join(os.tmpdir(), 'inkproof-raster-'));
  await chmod(home, 0o755);
  const open = (name: string, strategies?: StrategyName[]) =>
    createTypesetter({ workDir: path.join(home, name), concurrency: 2, strategies });
  const cold = await open('cold', ['cold']);
  const warm = await open('warm', other ? [other] : undefined);
  try {
    const outcomes = await mapAll(documents, 2, (document) =>
      compare(document, cold, warm, path.join(home, 'pictures', document.name)),
    );
    const compared = outcomes.filter((outcome) => outcome.pages !== null);
    const pages = compared.reduce((sum, outcome) => sum + outcome.pages!, 0);
    const different = compared.filter((outcome) => outcome.differences.length > 0);
    return {
      ratio: different.length / Math.max(1, compared.length),
      baseline: `${compared.length} documents compiled cold`,
      details: {
        documents: String(documents.length),
        'documents compared': String(compared.length),
        'pages compared': String(pages),
        'documents that differ': String(different.length),
        ...Object.fromEntries(
          outcomes.flatMap((outcome, index) =>
            outcome.differences.map((what, nth) => [
              `differs ${documents[index]!.name} (${nth + 1})`,
              what.slice(0, 300),
            ]),
          ),
        ),
      },
    };
  } finally {
    await cold.close();
    await warm.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function compare(
  { latex, assets, name }: CorpusDocument,
  cold: Typesetter,
  warm: Typesetter,
  folder: string,
): Promise<Outcome> {
  const compileWith = (typesetter: Typesetter, text: string) =>
    typesetter.compile({ latex: text, assets, owner: name, cpuMs });
  const edited = editsOf(latex);
  // the edits come first: a text compiled before would come from the cache
  const states = [...edited, latex];
  const differences: string[] = [];
  let pages: number | null = null;
  for (const [index, text] of states.entries()) {
    const ours = await compileWith(warm, text);
    // the first edit only takes the engine to where the second finds it
    if (index === 0 && states.length > 1) continue;
    const reference = await compileWith(cold, text);
    if (reference.kind !== 'compiled') {
      if (ours.kind === 'compiled') differences.push(`only cold fails: ${reasonOf(reference)}`);
      continue;
    }
    const what = await differenceOf(reference, ours, path.join(folder, String(index)));
    pages = (pages ?? 0) + reference.pageCount;
    if (what) differences.push(`${index === states.length - 1 ? 'as it is' : 'edited'}: ${what}`);
  }
  await rm(folder, { recursive: true, force: true });
  return { pages, differences };
}

/**
 * The document with an added word near its middle, and with that and another near its end; nothing if there is
 * no prose.
 */
function editsOf(latex: string): string[] {
  const lines = latex.split('\n');
  const begin = lines.findIndex((line) => line.includes('\\begin{document}'));
  const prose = lines.flatMap((line, index) =>
    index > begin && /^\s*\p{L}[\p{L}\s,.;]{24,}/u.test(line) ? [index] : [],
  );
  if (prose.length === 0) return [];
  const insert = (text: readonly string[], at: number, word: string) =>
    text.with(at, text[at]!.replace(/\s/, ` ${word} `));
  const once = insert(lines, prose[prose.length >> 1]!, 'inserted');
  const twice = insert(once, prose.at(-1)!, 'another');
  return [once.join('\n'), twice.join('\n')];
}

type Compiled = Extract<CompileResult, { kind: 'compiled' }>;

/** null if all pages look the same. */
async function differenceOf(
  reference: Compiled,
  ours: CompileResult,
  folder: string,
): Promise<string | null> {
  if (ours.kind !== 'compiled') return `warm: ${reasonOf(ours)}`;
  if (ours.pageCount !== reference.pageCount) return `${ours.pageCount} pages for ${reference.pageCount}`;
  const [theirs, own] = await Promise.all([
    render(reference.pdf, path.join(folder, 'cold')),
    render(ours.pdf, path.join(folder, 'warm')),
  ]);
  if (theirs.length !== own.length) return `${own.length} pictures for ${theirs.length}`;
  const wrong = theirs.flatMap((picture, page) => (picture.equals(own[page]!) ? [] : [page + 1]));
  return wrong.length === 0 ? null : `pages ${wrong.join(', ')} of ${theirs.length}`;
}

async function render(pdf: Uint8Array, folder: string): Promise<Buffer[]> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'main.pdf'), pdf);
  const args = ['-r', String(dotsPerInch), '-gray', path.join(folder, 'main.pdf'), path.join(folder, 'page')];
  const status = await new Promise<number | null>((resolve, reject) => {
    const child = spawn('pdftoppm', args, { stdio: 'ignore' });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (status !== 0) throw new Error(`pdftoppm ended with ${status}`);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pgm')).sort();
  return Promise.all(names.map((name) => readFile(path.join(folder, name))));
}
