/** Processes that read PDF pages from their own text. A page that exceeds the limits ends its process, which is replaced. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { createProcesses, type Processes, type ProcessPool } from '#platform/work/process-pool.ts';
import { type WorkLimits, WorkLost } from '#platform/work/work-limit.ts';
import { isTooCostly, noteCostly } from '../costly-files.ts';
import { localOwner, pageQueue } from '../page-queue.ts';
import type { PageAnswer, TextRequest } from './text-process.ts';

export interface ReaderPoolOptions {
  /** Number of processes; each has one document open. Default: half the processors, 2 or 3. */
  processes?: number;
  /** For one page; for the first, including opening the document. Default 30 s of CPU time. */
  limits?: WorkLimits;
}

export interface ReadOptions {
  signal?: AbortSignal;
  /** In whose turn it is read, as written by `queueOwner`. */
  owner?: string;
  /** All pages of the file before this one are read too. Default true. */
  isWhole?: boolean;
  /** Drawings in these boxes are left out. */
  except?: readonly ShareBox[];
}

const program = fileURLToPath(new URL('./text-process.ts', import.meta.url));
/** pdf.js keeps a whole decompressed stream in memory */
const memoryLimitBytes = 1_000_000_000;
/** a document of thirty pages uses half of this; a new process would have to load all its fonts again */
const recycleGrowthBytes = 500_000_000;

/** all requests share these processes */
let processes: Processes | undefined;

export class ReaderPool {
  readonly #pool: ProcessPool;
  /** When the latest request for a document ends. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(options: ReaderPoolOptions = {}) {
    processes ??= createProcesses(program, {
      queue: pageQueue(),
      memoryLimitBytes,
      recycleGrowthBytes,
      hasSpare: true,
    });
    this.#pool = processes.openPool({
      size: options.processes ?? Math.max(2, Math.min(3, Math.floor(availableParallelism() / 2))),
      limits: options.limits ?? { cpuMs: 30_000 },
    });
  }

  /**
   * Reads one page; `failed` if the file is the cause.
   * @throws WorkStarved; the signal's reason
   */
  read(path: string, index: number, options: ReadOptions = {}): Promise<PageAnswer> {
    const { isWhole = true, except = [] } = options;
    return this.#ask({ kind: 'page', path, index, isWhole, except }, options);
  }

  /** What the document states about itself. @throws as `read` */
  facts(path: string, options: Pick<ReadOptions, 'signal' | 'owner'> = {}): Promise<PageAnswer> {
    return this.#ask({ kind: 'facts', path }, options);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /**
   * A document has one process at a time, the one that has it open: what it costs to know its pages (the fonts, and its
   * profile, which is of that process alone: pdf.js numbers the fonts as it meets them) is as much as reading them.
   */
  async #ask(task: TextRequest, { signal, owner = localOwner }: ReadOptions): Promise<PageAnswer> {
    const { path } = task;
    const before = this.#last.get(path) ?? Promise.resolve();
    const turn = Promise.withResolvers<void>();
    const mine = before.then(() => turn.promise);
    this.#last.set(path, mine);
    void mine.then(() => this.#last.get(path) === mine && this.#last.delete(path));
    try {
      await orAborted(before, signal);
      if (isTooCostly(path)) return tooMuch('memory or time');
      return (await this.#pool.run(task, {
        owner,
        key: path,
        ...(signal ? { signal } : {}),
      })) as PageAnswer;
    } catch (error) {
      if (!(error instanceof WorkLost)) throw error;
      noteCostly(path);
      return tooMuch(error.reason === 'spent' ? 'time' : 'memory');
    } finally {
      turn.resolve();
    }
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function tooMuch(what: string): PageAnswer {
  return { kind: 'failed', message: `The page needs more ${what} than one page may have.` };
}
