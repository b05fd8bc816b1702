/** What people run today, outside any box: latexmk and xelatex in a separate folder. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Source } from './documents.ts';

const run = promisify(execFile);
const maxBuffer = 64_000_000;
const interaction = '-interaction=nonstopmode';

export interface Baseline {
  /** Milliseconds of `latexmk -xelatex` in a clean folder. */
  cold(source: Source): Promise<number>;
  /** Milliseconds of `latexmk -xelatex` if the document was compiled before with other words. */
  edited(source: Source): Promise<number>;
  /** Milliseconds of one `xelatex` if the document was compiled before. `lane` for parallel runs. */
  once(source: Source, lane?: number): Promise<number>;
  /** The PDF of the last cold run. */
  coldPdf(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export async function openBaseline(): Promise<Baseline> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'inkproof-baseline-'));
  const folderOf = async (name: string) => {
    const folder = path.join(home, name);
    // one folder per measure, filled by its first run
    await cp(path.join(home, 'cold'), folder, { recursive: true, force: false, errorOnExist: false });
    return folder;
  };
  const time = async (folder: string, { latex, files }: Source, program: string, args: string[]) => {
    for (const [name, text] of Object.entries({ 'main.tex': latex, ...files })) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    const startedMs = performance.now();
    await run(program, [...args, interaction, 'main.tex'], { cwd: folder, maxBuffer });
    return performance.now() - startedMs;
  };
  return {
    async cold(source) {
      const folder = path.join(home, 'cold');
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      return time(folder, source, 'latexmk', ['-xelatex']);
    },
    edited: async (source) => time(await folderOf('edited'), source, 'latexmk', ['-xelatex']),
    once: async (source, lane = 0) => time(await folderOf(`once-${lane}`), source, 'xelatex', []),
    coldPdf: () => readFile(path.join(home, 'cold', 'main.pdf')),
    close: () => rm(home, { recursive: true, force: true }),
  };
}

/** Grey pictures of a PDF's pages at 60 dots an inch, one per page; `page` (1-based): only this one. */
export async function drawPages(pdf: Uint8Array, page?: number): Promise<Buffer[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-pages-'));
  try {
    await writeFile(path.join(folder, 'in.pdf'), pdf);
    const range = page ? ['-f', String(page), '-l', String(page)] : [];
    await run('pdftoppm', ['-r', '60', '-gray', ...range, 'in.pdf', 'page'], { cwd: folder });
    const names = (await readdir(folder)).filter((name) => name.endsWith('.pgm')).sort();
    return await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The page (1-based) that contains a word. */
export async function findPage(pdf: Uint8Array, word: string): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-pages-'));
  try {
    await writeFile(path.join(folder, 'in.pdf'), pdf);
    const { stdout } = await run('pdftotext', ['in.pdf', '-'], { cwd: folder, maxBuffer });
    const page = stdout.split('\f').findIndex((text) => text.includes(word));
    if (page < 0) throw new Error(`${word} is on no page`);
    return page + 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
