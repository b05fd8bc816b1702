/**
 * The cost per page of reading a PDF with a text layer, including its preparation, compared with Tesseract on
 * the same pages.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createPagePreparer } from '#reading/pages/page-preparer.ts';
import { createTextLayerReader } from '#reading/text-layer/reader.ts';

/** Number of documents, and of first pages of each. */
const maxDocuments = 8;
const pagesEach = 2;
/** The resolution recommended for Tesseract. */
const dotsPerInch = 300;
const timer = '/usr/bin/time';

/**
 * Mean time per page in ms (opening the document, the page's picture, reading) and the most memory in MB. Ours
 * is this process's growth plus the page process's peak; Tesseract's is its own peak.
 */
export async function measureCost(pdfs: readonly string[]): Promise<Record<string, string>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'inkproof-cost-'));
  const preparer = createPagePreparer({ concurrency: 1 });
  const before = process.memoryUsage.rss();
  const reader = createTextLayerReader({ processes: 1 });
  const totals = { ours: 0, read: 0, theirs: 0, pages: 0, memory: 0, theirMemory: 0 };
  try {
    for (const pdf of pdfs.slice(0, maxDocuments)) {
      const info = execFileSync('pdfinfo', [pdf], { encoding: 'utf8' });
      const pageCount = Number(/Pages:\s+(\d+)/.exec(info)?.[1] ?? 1);
      for (let index = 0; index < Math.min(pageCount, pagesEach); index++) {
        const source = { kind: 'pdf', path: pdf, index } as const;
        const start = performance.now();
        const page = await preparer.prepare(source);
        const prepared = performance.now();
        await reader.read({
          source,
          picture: async () => page,
          hints: { pageNumber: index + 1, pageCount, drawings: 'figure' },
          signal: AbortSignal.timeout(60_000),
        });
        totals.read += performance.now() - prepared;
        totals.ours += performance.now() - start;
        totals.memory = Math.max(totals.memory, process.memoryUsage.rss() - before);
        const theirs = readWithTesseract(pdf, index, folder);
        totals.theirs += theirs.ms;
        totals.theirMemory = Math.max(totals.theirMemory, theirs.bytes);
        totals.pages += 1;
      }
    }
  } finally {
    await reader.close();
    await preparer.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const mb = (bytes: number) => (bytes > 0 ? `${Math.round(bytes / 1e6)} MB` : 'not measured');
  return {
    'time a page': `${Math.round(totals.ours / totals.pages)} ms, ${Math.round(totals.read / totals.pages)} ms of it reading; Tesseract ${Math.round(totals.theirs / totals.pages)} ms; ours over Tesseract ${(totals.ours / totals.theirs).toFixed(3)} (${totals.pages} pages)`,
    memory: `${mb(totals.memory)} more in this process at most; Tesseract's peak ${mb(totals.theirMemory)}`,
  };
}

function readWithTesseract(pdf: string, index: number, folder: string): { ms: number; bytes: number } {
  const start = performance.now();
  const page = String(index + 1);
  const picture = path.join(folder, 'page');
  execFileSync('pdftoppm', [
    '-r',
    String(dotsPerInch),
    '-gray',
    '-f',
    page,
    '-l',
    page,
    '-singlefile',
    pdf,
    picture,
  ]);
  const report = path.join(folder, 'time');
  const command = ['tesseract', `${picture}.pgm`, 'stdout', '-l', 'eng'];
  const [program = '', ...args] = existsSync(timer) ? [timer, '-f', '%M', '-o', report, ...command] : command;
  spawnSync(program, args, { env: { ...process.env, OMP_THREAD_LIMIT: '1' }, stdio: 'ignore' });
  const ms = performance.now() - start;
  const kilobytes = existsSync(report) ? Number(readFileSync(report, 'utf8').trim()) : 0;
  return { ms, bytes: kilobytes * 1024 };
}
