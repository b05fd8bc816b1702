/** Runs one task of `exchanger.ts`; the thread ends with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { ApiError } from '#platform/errors.ts';
import { convertDocument } from './convert-document.ts';
import type { ExchangeAnswer, ExchangeTask } from './exchange-task.ts';
import { importDocument } from './import/import-document.ts';

function perform(task: ExchangeTask): ExchangeAnswer {
  try {
    if (task.kind === 'import')
      return { kind: 'imported', document: importDocument(task.fileName, task.bytes, task.main) };
    return { kind: 'converted', bytes: convertDocument(task.document, task.form, task.now) };
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'refused', message: error.message };
    return { kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort!.postMessage(perform(workerData as ExchangeTask));
