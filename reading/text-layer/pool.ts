/** Processes that read PDF pages from their own text. A page that exceeds the limits ends its process, which is replaced. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { Lane } from '#platform/work/fair-queue.ts';
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
  /** For another reader, which sees the page itself. Default false. */
  isHint?: boolean;
  /** Drawings in these boxes are left out. */
  except?: readonly ShareBox[];
}

const program = fileURLToPath(new URL('./text-process.ts', import.meta.url));
/** pdf.js keeps a whole decompressed stream in memory */
const memoryLimitBytes = 1_000_000_000;
/** a document of thirty pages uses half of this; a new process would have to load all its fonts again */
const recycleGrowthBytes = 500_000_000;
/** its code is broad, and a page short: optimising more of it costs more than it saves in the next hundred pages */
const callsToOptimise = { quickly: 4_000, thoroughly: 300_000 };

/** all requests share these processes */
let processes: Processes | undefined;

export class ReaderPool {
  readonly #pool: ProcessPool;
  /** Of the documents with requests, by path: one at a time each. */
  readonly #documents = new Map<string, Lane & { requests: number }>();

  constructor(options: ReaderPoolOptions = {}) {
    processes ??= createProcesses(program, {
      queue: pageQueue(),
      memoryLimitBytes,
      recycleGrowthBytes,
      hasSpare: true,
      callsToOptimise,
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
    const { isWhole = true, isHint = false, except = [] } = options;
    return this.#ask({ kind: 'page', path, index, isWhole, isHint, except }, options);
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
    const lane = this.#documents.get(path) ?? { most: 1, running: 0, requests: 0 };
    this.#documents.set(path, lane);
    lane.requests++;
    try {
      // in the queue at once, so that a text that waits for another goes before pictures asked for after it
      return (await this.#pool.run(task, {
        owner,
        key: path,
        lane,
        begin: () => {
          if (isTooCostly(path)) throw new WorkLost('memory', 'earlier pages of the file took too much');
        },
        ...(signal ? { signal } : {}),
      })) as PageAnswer;
    } catch (error) {
      if (!(error instanceof WorkLost)) throw error;
      if (isTooCostly(path)) return tooMuch('memory or time');
      noteCostly(path);
      return tooMuch(error.reason === 'spent' ? 'time' : 'memory');
    } finally {
      if (--lane.requests === 0) this.#documents.delete(path);
    }
  }
}

function tooMuch(what: string): PageAnswer {
  return { kind: 'failed', message: `The page needs more ${what} than one page may have.` };
}
