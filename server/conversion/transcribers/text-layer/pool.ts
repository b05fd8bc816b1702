/** Worker threads that read PDF pages. A page that runs over its time or its memory costs the worker, which is replaced. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ShareBox } from '#shared/latex/page-body.ts';
import type { PageAnswer, PageRequest } from './worker.ts';

export interface ReaderPoolOptions {
  /** Threads; each holds one document open. Default: half the processors, at most 3. */
  threads?: number;
  /** Time for one page, in ms, the document's first page included. Default 30 000. */
  pageTimeoutMs?: number;
  /** Heap of a thread, in MB. Default 512. */
  heapMb?: number;
}

interface Job {
  path: string;
  index: number | 'facts';
  isWhole: boolean;
  except: readonly ShareBox[];
  signal: AbortSignal | undefined;
  done: (answer: PageAnswer) => void;
}

interface Thread {
  worker: Worker;
  /** The document it has open, so that a document's pages go to one thread where they can. */
  path: string | null;
  job: Job | null;
  timer: NodeJS.Timeout | null;
}

export class ReaderPool {
  readonly #options: Required<ReaderPoolOptions>;
  readonly #threads: Thread[] = [];
  readonly #queue: Job[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(options: ReaderPoolOptions = {}) {
    this.#options = {
      threads: options.threads ?? Math.max(1, Math.min(3, Math.floor(availableParallelism() / 2))),
      pageTimeoutMs: options.pageTimeoutMs ?? 30_000,
      heapMb: options.heapMb ?? 512,
    };
  }

  /**
   * Reads one page; never rejects.
   * @param isWhole the file is read from its first page on up to this one
   * @param except what is drawn in these boxes is left out
   */
  read(
    path: string,
    index: number,
    signal?: AbortSignal,
    isWhole = true,
    except: readonly ShareBox[] = [],
  ): Promise<PageAnswer> {
    return this.#enqueue(path, index, signal, isWhole, except);
  }

  /** What the document says of itself; never rejects. */
  facts(path: string, signal?: AbortSignal): Promise<PageAnswer> {
    return this.#enqueue(path, 'facts', signal, true, []);
  }

  #enqueue(
    path: string,
    index: number | 'facts',
    signal: AbortSignal | undefined,
    isWhole: boolean,
    except: readonly ShareBox[],
  ): Promise<PageAnswer> {
    return new Promise((resolve) => {
      if (this.#isClosed || signal?.aborted) {
        resolve({ id: 0, kind: 'failed', message: 'The reading was stopped.' });
        return;
      }
      const job: Job = { path, index, isWhole, except, signal, done: resolve };
      signal?.addEventListener(
        'abort',
        () => {
          const at = this.#queue.indexOf(job);
          if (at >= 0) this.#queue.splice(at, 1);
          const thread = this.#threads.find((t) => t.job === job);
          if (thread) this.#drop(thread);
          resolve({ id: 0, kind: 'failed', message: 'The reading was stopped.' });
          this.#dispatch();
        },
        { once: true },
      );
      this.#queue.push(job);
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#queue.splice(0))
      job.done({ id: 0, kind: 'failed', message: 'The reader was closed.' });
    await Promise.all(this.#threads.splice(0).map((t) => this.#stop(t, 'The reader was closed.')));
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && !this.#isClosed) {
      const job = this.#queue[0] as Job;
      const idle = this.#threads.filter((t) => t.job === null);
      let thread = idle.find((t) => t.path === job.path);
      if (!thread && this.#threads.length < this.#options.threads) thread = this.#start();
      thread ??= idle[0];
      if (!thread) return;
      this.#queue.shift();
      this.#assign(thread, job);
    }
  }

  #start(): Thread {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb },
      env: {},
    });
    worker.unref();
    const thread: Thread = { worker, path: null, job: null, timer: null };
    worker.on('message', (answer: PageAnswer) => {
      const { job } = thread;
      this.#release(thread);
      job?.done(answer);
      this.#dispatch();
    });
    const lost = (message: string) => {
      const { job } = thread;
      this.#drop(thread);
      job?.done({ id: 0, kind: 'failed', message });
      this.#dispatch();
    };
    worker.on('error', () => lost('The page needs more memory than one page may have.'));
    worker.on('exit', () => {
      if (this.#threads.includes(thread)) lost('The page could not be read.');
    });
    this.#threads.push(thread);
    return thread;
  }

  #assign(thread: Thread, job: Job): void {
    thread.job = job;
    thread.path = job.path;
    const request: PageRequest = {
      id: this.#nextId++,
      path: job.path,
      index: job.index,
      isWhole: job.isWhole,
      except: job.except,
    };
    thread.timer = setTimeout(() => {
      this.#drop(thread);
      job.done({
        id: request.id,
        kind: 'failed',
        message: 'The page took longer to read than one page may take.',
      });
      this.#dispatch();
    }, this.#options.pageTimeoutMs);
    thread.worker.ref();
    thread.worker.postMessage(request);
  }

  #release(thread: Thread): void {
    if (thread.timer) clearTimeout(thread.timer);
    thread.timer = null;
    thread.job = null;
    // An idle thread does not keep the process alive.
    thread.worker.unref();
  }

  #drop(thread: Thread): void {
    const at = this.#threads.indexOf(thread);
    if (at >= 0) this.#threads.splice(at, 1);
    void this.#stop(thread, null);
  }

  async #stop(thread: Thread, message: string | null): Promise<void> {
    const { job } = thread;
    this.#release(thread);
    if (message !== null) job?.done({ id: 0, kind: 'failed', message });
    await thread.worker.terminate();
  }
}
