/** Runs `prepare-document.ts` for one text, in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { type PrepareTask, prepareHere } from './prepare-document.ts';

parentPort!.postMessage(prepareHere(workerData as PrepareTask));
