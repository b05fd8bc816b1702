/**
 * Imports and conversions of strangers' documents, each in a bounded thread. The routes' queue says whose turn it is, and
 * how many run side by side (exchange-routes.ts).
 */
import { ApiError, invalidInput } from '#platform/errors.ts';
import { runThread } from '#platform/work/run-thread.ts';
import { type WorkLimits, WorkLost } from '#platform/work/work-limit.ts';
import type { ExchangeDocument, ExportForm } from './document.ts';
import type { ExchangeAnswer, ExchangeTask } from './exchange-task.ts';
import type { ImportedDocument } from './import/import-document.ts';

/** Most JavaScript memory of a thread, MB; beside it lie the bytes of figures, which are bounded where they come in. */
const memoryMb = 384;
const program = new URL('./exchange-thread.ts', import.meta.url);

export interface Exchanger {
  /** @throws ApiError INVALID_INPUT when the document takes more than its bounds; BUSY when the machine had no time for it */
  convert(document: ExchangeDocument, form: ExportForm): Promise<Uint8Array>;
  /** @throws ApiError INVALID_INPUT with a sentence for the person; BUSY as above */
  import(fileName: string, bytes: Uint8Array, main?: string): Promise<ImportedDocument>;
  /** Ends what is running and refuses what comes. */
  close(): Promise<void>;
}

/** @param limits of one task. Default 20 s of CPU time: a document of 300 pages takes some 3 s of a slow core. */
export function createExchanger(limits: WorkLimits = { cpuMs: 20_000 }): Exchanger {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function ask<K extends ExchangeAnswer['kind']>(task: ExchangeTask, kind: K) {
    const thread = runThread<ExchangeAnswer>(program, task, { limits, memoryMb, signal: closing.signal });
    running.add(thread);
    try {
      const answer = await thread;
      if (answer.kind === 'refused') throw invalidInput(answer.message);
      if (answer.kind === 'failed') throw new Error(`an exchange failed: ${answer.stack}`);
      if (answer.kind !== kind) throw new Error(`an exchange thread answered ${answer.kind}`);
      return answer as Extract<ExchangeAnswer, { kind: K }>;
    } catch (error) {
      if (!(error instanceof WorkLost)) throw error;
      throw invalidInput('The document takes too long or too much memory to convert.');
    } finally {
      running.delete(thread);
    }
  }

  return {
    async convert(document, form) {
      return (await ask({ kind: 'convert', document, form, now: new Date() }, 'converted')).bytes;
    },
    async import(fileName, bytes, main) {
      return (await ask({ kind: 'import', fileName, bytes, main }, 'imported')).document;
    },
    async close() {
      closing.abort(
        new ApiError('BUSY', {
          message: 'The server is busy. Please try again in a moment.',
          retryAfterSeconds: 5,
        }),
      );
      await Promise.allSettled(running);
    },
  };
}
