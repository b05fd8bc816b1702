/**
 * Imports and converts untrusted documents, each in a bounded thread. The routes' queue decides the order and how many
 * run at once (exchange-routes.ts).
 */
import { ApiError, invalidInput } from '#platform/errors.ts';
import { runThread } from '#platform/work/run-thread.ts';
import { type WorkLimits, WorkLost } from '#platform/work/work-limit.ts';
import type { ExchangeDocument, ExportForm } from './document.ts';
import type { ExchangeAnswer, ExchangeTask } from './exchange-task.ts';
import type { ImportedDocument } from './import/import-document.ts';

/** Maximum JavaScript memory of a thread, MB; without the bytes of figures, which are limited on upload. */
const memoryMb = 384;
const program = new URL('./exchange-thread.ts', import.meta.url);

export interface Exchanger {
  /** @throws ApiError INVALID_INPUT if the document exceeds its limits; BUSY if the machine was too busy */
  convert(document: ExchangeDocument, form: ExportForm): Promise<Uint8Array>;
  /** @throws ApiError INVALID_INPUT with a message for the user; BUSY as above */
  import(fileName: string, bytes: Uint8Array, main?: string): Promise<ImportedDocument>;
  /** Ends running tasks and refuses new ones. */
  close(): Promise<void>;
}

/** @param limits of one task. Default 20 s of CPU time: a document of 300 pages takes about 3 s on a slow core. */
export function createExchanger(limits: WorkLimits = { cpuMs: 20_000 }): Exchanger {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function ask<K extends ExchangeAnswer['kind']>(task: ExchangeTask, kind: K) {
    const thread = runThread<ExchangeAnswer>(program, task, { limits, memoryMb, signal: closing.signal });
    running.add(thread);
    try {
      const answer = await thread;
      if (answer.kind === 'refused') throw invalidInput(answer.message);
      if (answer.kind === 'failed') throw new Error(`an import or export failed: ${answer.stack}`);
      if (answer.kind !== kind) throw new Error(`an import or export thread answered ${answer.kind}`);
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
