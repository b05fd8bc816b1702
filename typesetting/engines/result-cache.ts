/**
 * Answers repeated compiles from memory, and lets equal jobs that run at the same time share one compile. Both
 * only within one owner: response times would reveal to one person what another has compiled.
 */
import { createHash } from 'node:crypto';
import type { CompileJob, CompileProgress, CompileResult, Engine } from '../typesetter.ts';

export interface CompileKey {
  engine: Engine;
  job: CompileJob;
}

/** Starts the compile itself. Its signal aborts when nobody waits for it any more; progress is only made if it is asked for. */
export type StartCompile = (
  signal: AbortSignal,
  listener: Listener & Required<Pick<Listener, 'onBegin'>>,
) => Promise<CompileResult>;

/** Callbacks for a job while it runs. */
type Listener = Pick<CompileJob, 'onProgress' | 'onBegin'>;

export interface ResultCacheOptions {
  /** Bytes of results kept in total; the least recently used are dropped first. */
  maxBytes: number;
  /** Called for every job that needs no compile of its own. */
  onSpared?: (how: 'cached' | 'shared') => void;
  /** The clock, for `\today`. */
  now?: () => Date;
}

interface CacheEntry {
  result: CompileResult;
  sizeBytes: number;
}

/** A running compile, and those who wait for it. */
interface Shared {
  controller: AbortController;
  outcome: Promise<CompileResult>;
  waiting: Set<Listener>;
  /** Set once its turn has come. */
  readCpuMs: (() => number) | null;
}

export class ResultCache {
  readonly #options: ResultCacheOptions;
  /** In the order of their last use. */
  readonly #entry = new Map<string, CacheEntry>();
  readonly #running = new Map<string, Shared>();
  #sizeBytes = 0;

  constructor(options: ResultCacheOptions) {
    this.#options = options;
  }

  /** Bytes of the results that are kept. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * The cached result, that of an equal running compile, or that of `start`. Results are shared and must not be
   * changed.
   */
  async compile({ engine, job }: CompileKey, start: StartCompile): Promise<CompileResult> {
    if (job.signal?.aborted) return { kind: 'cancelled' };
    const key = this.#keyOf(engine, job);
    const entry = this.#entry.get(key);
    if (entry) {
      this.#entry.delete(key);
      this.#entry.set(key, entry);
      this.#options.onSpared?.('cached');
      return entry.result;
    }
    const wantsProgress = job.onProgress !== undefined;
    // jobs with other limits, priorities or wishes do not share
    const runningKey = `${key} ${job.cpuMs} ${job.priority} ${job.wantsPages} ${wantsProgress}`;
    let shared = this.#running.get(runningKey);
    if (shared) this.#options.onSpared?.('shared');
    else shared = this.#start(key, runningKey, wantsProgress, start);
    return this.#wait(runningKey, shared, job);
  }

  #start(key: string, runningKey: string, wantsProgress: boolean, start: StartCompile): Shared {
    const controller = new AbortController();
    const waiting: Shared['waiting'] = new Set();
    const shared: Shared = {
      controller,
      waiting,
      readCpuMs: null,
      // starts only once its waiters are registered: it may report progress at once
      outcome: Promise.resolve()
        .then(() =>
          start(controller.signal, {
            ...(wantsProgress && {
              onProgress: (progress: CompileProgress) => {
                for (const { onProgress } of waiting) onProgress?.(progress);
              },
            }),
            onBegin: (readCpuMs) => {
              shared.readCpuMs = readCpuMs;
              for (const { onBegin } of waiting) onBegin?.(readCpuMs);
            },
          }),
        )
        .finally(() => this.#forget(runningKey, shared)),
    };
    this.#running.set(runningKey, shared);
    shared.outcome.then(
      (result) => this.#keep(key, result),
      () => {},
    );
    return shared;
  }

  /**
   * The compile's result, or `cancelled` as soon as this job is; the last to cancel waits until the compile has
   * ended.
   */
  #wait(runningKey: string, shared: Shared, job: CompileJob): Promise<CompileResult> {
    const { signal, onProgress, onBegin } = job;
    const waiter = { onProgress, onBegin };
    shared.waiting.add(waiter);
    if (shared.readCpuMs) onBegin?.(shared.readCpuMs);
    if (!signal) return shared.outcome;
    return new Promise((resolve, reject) => {
      const handleAbort = () => {
        shared.waiting.delete(waiter);
        if (shared.waiting.size > 0) {
          resolve({ kind: 'cancelled' });
          return;
        }
        this.#forget(runningKey, shared);
        shared.controller.abort();
      };
      signal.addEventListener('abort', handleAbort, { once: true });
      shared.outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', handleAbort));
    });
  }

  #forget(runningKey: string, shared: Shared): void {
    // another one may have begun since this one was cancelled
    if (this.#running.get(runningKey) === shared) this.#running.delete(runningKey);
  }

  #keep(key: string, result: CompileResult): void {
    if (!isRepeatable(result)) return;
    const sizeBytes = sizeOf(result);
    if (sizeBytes > this.#options.maxBytes / 4) return;
    this.#sizeBytes += sizeBytes - (this.#entry.get(key)?.sizeBytes ?? 0);
    this.#entry.delete(key);
    this.#entry.set(key, { result, sizeBytes });
    for (const [oldest, entry] of this.#entry) {
      if (this.#sizeBytes <= this.#options.maxBytes) break;
      this.#entry.delete(oldest);
      this.#sizeBytes -= entry.sizeBytes;
    }
  }

  #keyOf(engine: Engine, { owner, latex, assets = [] }: CompileJob): string {
    // the boxes' clock is UTC's
    const day = (this.#options.now?.() ?? new Date()).toISOString().slice(0, 10);
    const hash = createHash('sha256');
    const add = (part: string | Uint8Array) => {
      hash.update(`${typeof part === 'string' ? Buffer.byteLength(part) : part.length}:`).update(part);
    };
    for (const part of [owner, engine, day, latex]) add(part);
    const sorted = [...assets].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, bytes } of sorted) {
      add(name);
      add(bytes);
    }
    return hash.digest('base64');
  }
}

/**
 * Whether the same document would give this result again. A limit of the box may not be reached next time; such
 * an error has no file.
 */
function isRepeatable(result: CompileResult): boolean {
  if (result.kind === 'compiled') return true;
  return (
    result.kind === 'failed' && result.messages.every(({ level, file }) => level !== 'error' || file !== null)
  );
}

function sizeOf(result: CompileResult): number {
  const pdf = 'pdf' in result ? (result.pdf?.length ?? 0) : 0;
  const synctex = 'synctex' in result ? (result.synctex?.length ?? 0) : 0;
  const messages = 'messages' in result ? JSON.stringify(result.messages).length * 2 : 0;
  return pdf + synctex + messages + 1_000;
}
