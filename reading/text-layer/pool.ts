/** Processes that read PDF pages from their own text. A page that is too much costs its process, which is replaced. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { createProcessPool, type ProcessPool } from '#platform/work/process-pool.ts';
import { type WorkLimits, WorkLost } from '#platform/work/work-limit.ts';
import { isTooCostly, noteCostly } from '../costly-files.ts';
import { localOwner, pageQueue } from '../page-queue.ts';
import type { PageAnswer, PageRequest } from './text-process.ts';

export interface ReaderPoolOptions {
  /** Processes; each holds one document open. Default: half the processors, 2 or 3. */
  processes?: number;
  /** Of one page, the document's first page included. Default 30 s of CPU time. */
  limits?: WorkLimits;
}

export interface ReadOptions {
  signal?: AbortSignal;
  /** Whose turn it takes, as `queueOwner` writes it. */
  owner?: string;
  /** The file is read from its first page on up to this one. Default true. */
  isWhole?: boolean;
  /** What is drawn in these boxes is left out. */
  except?: readonly ShareBox[];
}

const program = fileURLToPath(new URL('./text-process.ts', import.meta.url));
/** pdf.js holds what a stream unpacks to as a whole. */
const memoryLimitBytes = 1_000_000_000;

export class ReaderPool {
  readonly #processes: ProcessPool;

  constructor(options: ReaderPoolOptions = {}) {
    this.#processes = createProcessPool(program, {
      queue: pageQueue,
      size: options.processes ?? Math.max(2, Math.min(3, Math.floor(availableParallelism() / 2))),
      limits: options.limits ?? { cpuMs: 30_000 },
      memoryLimitBytes,
      hasSpare: true,
    });
  }

  /**
   * Reads one page; what the file is to blame for is `failed`.
   * @throws WorkStarved; the signal's reason
   */
  read(path: string, index: number, options: ReadOptions = {}): Promise<PageAnswer> {
    return this.#ask(path, index, options);
  }

  /** What the document says of itself. @throws as `read` */
  facts(path: string, options: Pick<ReadOptions, 'signal' | 'owner'> = {}): Promise<PageAnswer> {
    return this.#ask(path, 'facts', options);
  }

  close(): Promise<void> {
    return this.#processes.close();
  }

  async #ask(path: string, index: number | 'facts', options: ReadOptions): Promise<PageAnswer> {
    const { signal, owner = localOwner, isWhole = true, except = [] } = options;
    const task: PageRequest = { path, index, isWhole, except };
    if (isTooCostly(path)) return tooMuch('memory or time');
    try {
      return (await this.#processes.run(task, {
        owner,
        key: path,
        ...(signal ? { signal } : {}),
      })) as PageAnswer;
    } catch (error) {
      if (!(error instanceof WorkLost)) throw error;
      noteCostly(path);
      return tooMuch(error.reason === 'spent' ? 'time' : 'memory');
    }
  }
}

function tooMuch(what: string): PageAnswer {
  return { kind: 'failed', message: `The page needs more ${what} than one page may have.` };
}
