/** One text of `prepare-document.ts`, in a thread that ends with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { type PrepareTask, prepareHere } from './prepare-document.ts';

parentPort!.postMessage(prepareHere(workerData as PrepareTask));
