/** For tests: the one-shot strategy and the cold one in one sandbox, and what a reader sees of their results. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { WorkBudget } from '#platform/work/work-limit.ts';
import { createColdStrategy } from '../../engines/cold.ts';
import type { StrategyJob, StrategyResult } from '../../engines/strategy.ts';
import { openWorkFolder } from '../../sandbox/job-folder.ts';
import { openSandbox } from '../../sandbox/open-sandbox.ts';
import {
  createOneShotStrategy,
  type OneShotOptions,
  type OneShotStrategy,
} from '../create-one-shot-strategy.ts';

export interface Pair {
  home: string;
  oneShot: OneShotStrategy;
  /** How each pass's engine began since this was last emptied, and which ended unused. */
  told: string[];
  compileOneShot(latex: string, more?: Partial<StrategyJob>, signal?: AbortSignal): Promise<StrategyResult>;
  compileCold(latex: string, more?: Partial<StrategyJob>): Promise<StrategyResult>;
  close(): Promise<void>;
}

export async function openPair(options: OneShotOptions = {}, cpuMs = 50_000): Promise<Pair> {
  const home = mkdtempSync(path.join(tmpdir(), 'inkproof-one-shot-'));
  chmodSync(home, 0o755);
  const workFolder = await openWorkFolder(path.join(home, 'work'));
  const opened = await openSandbox({ workFolder, concurrency: 2, staying: 6 });
  if (opened.kind !== 'open') throw new Error(opened.refusal);
  const told: string[] = [];
  const metrics = {
    began: (start: string) => told.push(start),
    evicted: (reason: string) => told.push(`evicted: ${reason}`),
    watch() {},
  };
  const oneShot = createOneShotStrategy(opened.sandbox, workFolder, { metrics, ...options });
  const cold = createColdStrategy(opened.sandbox, workFolder);
  const toJob = (latex: string, more: Partial<StrategyJob> = {}): StrategyJob => ({
    latex,
    assets: [],
    engine: 'xelatex',
    owner: 'ada',
    ...more,
  });
  const watch = (signal = new AbortController().signal) => ({
    budget: new WorkBudget({ cpuMs: cpuMs }),
    signal,
  });
  return {
    home,
    oneShot,
    told,
    compileOneShot: (latex, more, signal) => oneShot.compile(toJob(latex, more), watch(signal)),
    compileCold: (latex, more) => cold.compile(toJob(latex, more), watch()),
    async close() {
      await oneShot.close();
      await opened.sandbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Everything of a result that a person could notice: its pages as pictures, its messages, its places. */
export function look(result: StrategyResult) {
  const { kind } = result;
  const messages = 'messages' in result ? result.messages : [];
  const pages = 'pdf' in result && result.pdf ? drawPages(result.pdf) : [];
  if (kind !== 'compiled') return { kind, messages, pages };
  const places = result.synctex ? gunzipSync(result.synctex).toString('latin1') : '';
  return { kind, messages, pages, pageCount: result.pageCount, places };
}

/** One hash a page. */
function drawPages(pdf: Uint8Array): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'inkproof-drawn-'));
  try {
    writeFileSync(path.join(folder, 'in.pdf'), pdf);
    execFileSync('pdftoppm', ['-r', '60', '-gray', 'in.pdf', 'page'], { cwd: folder });
    return readdirSync(folder)
      .filter((name) => name.endsWith('.pgm'))
      .sort()
      .map((name) =>
        createHash('sha256')
          .update(readFileSync(path.join(folder, name)))
          .digest('hex'),
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
