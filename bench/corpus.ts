/**
 * Real documents: of those that plain TeX Live compiles here, the share that compiles in the product.
 * `CORPUS=folder npm run bench -- corpus`: each folder in it holds a `main.tex` and the pictures it includes.
 * Plain means: the engine that the document asks for by its comment or packages, run alone, three times,
 * without an error. That run has no sandbox (only TeX's own guards), so give it a folder you trust.
 */
import { spawn } from 'node:child_process';
import { chmod, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type CompileJob, type CompileResult, createTypesetter } from '#typesetting/index.ts';
import type { Measurement } from './support/measurement.ts';

/** A document of the corpus: its folder's name, its source, and its other files. */
export interface CorpusDocument extends Pick<CompileJob, 'latex' | 'assets'> {
  name: string;
  folder: string;
}

const plainTimeoutMs = 120_000;
const cpuMs = 120_000;

export async function measure(): Promise<Measurement> {
  const documents = await readCorpus(process.env.CORPUS);
  const home = await mkdtemp(path.join(os.tmpdir(), 'inkproof-corpus-'));
  await chmod(home, 0o755);
  const concurrency = Math.max(1, os.availableParallelism() - 1);
  const typesetter = await createTypesetter({ workDir: path.join(home, 'work'), concurrency });
  if (typesetter.refusal) throw new Error(typesetter.refusal);
  try {
    const rows = await mapAll(documents, concurrency, async (document) => {
      const isPlain = await compilesPlainly(document, path.join(home, document.name));
      const job = { latex: document.latex, assets: document.assets, owner: document.name, cpuMs };
      return { document, isPlain, reason: reasonOf(await typesetter.compile(job)) };
    });
    const plain = rows.filter((row) => row.isPlain);
    const ours = plain.filter((row) => row.reason === null);
    const others = rows.filter((row) => !row.isPlain);
    const lost = plain.flatMap(({ document, reason }) => (reason === null ? [] : [[document.name, reason]]));
    return {
      ratio: ours.length / plain.length,
      baseline: `${plain.length} documents that plain TeX compiles`,
      details: {
        documents: String(documents.length),
        'compile with plain TeX': String(plain.length),
        'of these compile here': String(ours.length),
        'compile only here': String(others.filter((row) => row.reason === null).length),
        ...Object.fromEntries(lost.map(([name, reason]) => [`lost ${name}`, reason!])),
      },
    };
  } finally {
    await typesetter.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** @throws Error if no folder is given */
export async function readCorpus(folder: string | undefined): Promise<CorpusDocument[]> {
  if (!folder) throw new Error('Set CORPUS to a folder of documents: NAME/main.tex and its pictures.');
  const documents: CorpusDocument[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const own = path.join(folder, name);
    const files = await readdir(own).catch((): string[] => []);
    if (!files.includes('main.tex')) continue;
    const assets = await Promise.all(
      files
        .filter((file) => file !== 'main.tex')
        .map(async (file) => ({ name: file, bytes: await readFile(path.join(own, file)) })),
    );
    documents.push({ name, folder: own, latex: await readFile(path.join(own, 'main.tex'), 'utf8'), assets });
  }
  return documents;
}

/** Runs `work` on all items, `atOnce` at a time; results in the order of the items. */
export async function mapAll<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const runners = Array.from({ length: atOnce }, async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index]!);
      if ((index + 1) % 25 === 0) process.stderr.write(`${index + 1} of ${items.length}\n`);
    }
  });
  await Promise.all(runners);
  return results;
}

/** null for a document that compiled; otherwise why it did not, in one line. */
export function reasonOf(result: CompileResult): string | null {
  if (result.kind === 'compiled') return null;
  if (!('messages' in result)) return result.kind;
  const error = result.messages.find((message) => message.level === 'error');
  return error ? `line ${error.line ?? '?'}: ${error.message.slice(0, 160)}` : result.kind;
}

function plainEngine(latex: string): string {
  const comment = /^\s*%+\s*!\s*TEX\s+(?:TS-)?program\s*=\s*(xelatex|pdflatex|lualatex)/im.exec(
    latex.slice(0, 3000),
  );
  if (comment) return comment[1]!.toLowerCase();
  const code = latex.replace(/(?<!\\)%.*/g, '');
  if (/\\directlua|luacode|luatexja|luamplib/.test(code)) return 'lualatex';
  return /fontspec|unicode-math|polyglossia|xltxtra|mathspec|\\setmainfont|xeCJK/.test(code)
    ? 'xelatex'
    : 'pdflatex';
}

async function compilesPlainly(document: CorpusDocument, folder: string): Promise<boolean> {
  const engine = plainEngine(document.latex);
  if (engine === 'lualatex') return false;
  await cp(document.folder, folder, { recursive: true });
  try {
    for (let pass = 0; pass < 3; pass++) {
      const status = await run(engine, folder);
      const log = await readFile(path.join(folder, 'main.log'), 'utf8').catch(() => '! no log');
      if (status !== 0 || /^! /m.test(log)) return false;
    }
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(engine: string, cwd: string): Promise<number | null> {
  const guards = { openin_any: 'p', openout_any: 'p', shell_escape: 'f', max_print_line: '10000' };
  const child = spawn(engine, ['-no-shell-escape', '-interaction=nonstopmode', 'main.tex'], {
    cwd,
    env: { ...process.env, ...guards },
    stdio: 'ignore',
    timeout: plainTimeoutMs,
    killSignal: 'SIGKILL',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
