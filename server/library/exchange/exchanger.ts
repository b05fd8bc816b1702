/**
 * Imports and conversions of strangers' documents, each in a thread of its own that ends with it: a bound on its CPU
 * time and its memory, and the server's own thread stays free. The readers and writers behind it run nothing and open no
 * file; what a hostile document can take is time and memory, and both end here.
 */
import { Worker } from 'node:worker_threads';
import { ApiError, invalidInput } from '#platform/errors.ts';
import { readThreadCpuMs } from '#platform/work/cpu-time.ts';
import { type WorkLimits, WorkStarved, watchWork } from '#platform/work/work-limit.ts';
import type { ExchangeDocument, ExportForm } from './document.ts';
import type { ExchangeAnswer, ExchangeTask } from './exchange-task.ts';
import type { ImportedDocument } from './import/import-document.ts';

export interface ExchangerOptions {
  /** Threads side by side. Default 2. */
  size?: number;
  /** Of one task. Default 20 s of CPU time: a document of 300 pages takes some 3 s of a slow core. */
  limits?: WorkLimits;
  /** Tasks that may wait. Default 50. */
  maxWaiting?: number;
}

/** Most JavaScript memory of a thread, MB; beside it lie the bytes of figures, which are bounded where they come in. */
const memoryMb = 384;

export interface Exchanger {
  /** @throws ApiError INVALID_INPUT when the document takes more than its bounds; BUSY when too many wait, or the machine had no time for it */
  convert(document: ExchangeDocument, form: ExportForm): Promise<Uint8Array>;
  /** @throws ApiError INVALID_INPUT with a sentence for the person; BUSY as above */
  import(fileName: string, bytes: Uint8Array, main?: string): Promise<ImportedDocument>;
  /** Ends what is running and refuses what comes. */
  close(): Promise<void>;
}

export function createExchanger(options: ExchangerOptions = {}): Exchanger {
  const { size = 2, limits = { cpuMs: 20_000 }, maxWaiting = 50 } = options;
  const running = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let isClosed = false;
  let busy = 0;
  let count = 0;

  const refusal = () =>
    new ApiError('BUSY', {
      message: 'The server is busy. Please try again in a moment.',
      retryAfterSeconds: 5,
    });

  async function perform(task: ExchangeTask): Promise<ExchangeAnswer> {
    if (isClosed || (busy >= size && waiting.length >= maxWaiting)) throw refusal();
    if (busy >= size) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy++;
    try {
      if (isClosed) throw refusal();
      return await runThread(task);
    } finally {
      // the place goes to the next one directly
      const next = waiting.shift();
      if (next) next();
      else busy--;
    }
  }

  function runThread(task: ExchangeTask): Promise<ExchangeAnswer> {
    return new Promise((resolve, reject) => {
      const name = `exchange-${++count}`;
      const worker = new Worker(new URL('./exchange-thread.ts', import.meta.url), {
        name,
        workerData: task,
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
      });
      running.add(worker);
      const settle = (finish: () => void) => {
        clock.stop();
        running.delete(worker);
        void worker.terminate();
        finish();
      };
      const tooMuch = () =>
        reject(invalidInput('The document takes too long or too much memory to convert.'));
      const clock = watchWork(
        limits,
        () => readThreadCpuMs(name),
        (met) => settle(met === 'spent' ? tooMuch : () => reject(new WorkStarved())),
      );
      worker.once('message', (answer: ExchangeAnswer) => settle(() => resolve(answer)));
      worker.once('error', (error: NodeJS.ErrnoException) =>
        settle(() => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : reject(error))),
      );
      worker.once('exit', () =>
        settle(() => reject(isClosed ? refusal() : new Error('an exchange thread ended without an answer'))),
      );
    });
  }

  async function ask<K extends ExchangeAnswer['kind']>(task: ExchangeTask, kind: K) {
    const answer = await perform(task);
    if (answer.kind === 'refused') throw invalidInput(answer.message);
    if (answer.kind === 'failed') throw new Error(`an exchange failed: ${answer.stack}`);
    if (answer.kind !== kind) throw new Error(`an exchange thread answered ${answer.kind}`);
    return answer as Extract<ExchangeAnswer, { kind: K }>;
  }

  return {
    async convert(document, form) {
      return (await ask({ kind: 'convert', document, form, now: new Date() }, 'converted')).bytes;
    },
    async import(fileName, bytes, main) {
      return (await ask({ kind: 'import', fileName, bytes, main }, 'imported')).document;
    },
    async close() {
      isClosed = true;
      for (const next of waiting.splice(0)) next();
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}
