/**
 * Pages a minute with the embedded readers, through the whole product: a PDF with text, scans and handwriting, each
 * as one document of an account that has the machine for itself. What a page costs besides a vision model:
 * `bench -- conversion`; how well scans are read: `bench -- print`.
 *
 * Elapsed time says what the machine had left; CPU time says what a page takes. Ratio: elapsed time of all three
 * documents to their CPU time spread over the processors.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createServedAccount } from '../test-support/product/serve-account.ts';
import { installed, startServeProcess } from '../test-support/product/serve-process.ts';
import type { Measurement } from './support/measurement.ts';
import { watchProcesses } from './support/processes.ts';
import { convertUploads, makePdf, readScans, type Upload, writePages } from './support/uploads.ts';

const textPages = 30;
/** How often the three scans, and the three pages of handwriting, are repeated. */
const repeats = 4;

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-'));
  // traversable for the database's user, or the cluster would be put elsewhere and stay there
  await chmod(folder, 0o711);
  const settings = { DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'warn' };
  const processors = os.availableParallelism();
  const server = await startServeProcess(settings, installed);
  try {
    const scans = await readScans();
    const written = await writePages();
    const repeated = (files: readonly Upload[]) => Array.from({ length: repeats }, () => files).flat();
    const documents = [
      { kind: 'text', pages: textPages, files: [{ name: 'text.pdf', bytes: await makePdf(textPages) }] },
      { kind: 'scans', pages: scans.length * repeats, files: repeated(scans) },
      { kind: 'handwriting', pages: written.length * repeats, files: repeated(written) },
    ];
    const { authorization } = await createServedAccount(server.address, settings, { pages: 200 });
    // processes and engines start
    await convertUploads(server.address, authorization, [scans[0]!, written[0]!]);
    const details: Record<string, string> = {};
    let [elapsedMs, usedMs] = [0, 0];
    for (const { kind, pages, files } of documents) {
      const watch = await watchProcesses(server.child.pid!);
      const begun = performance.now();
      await convertUploads(server.address, authorization, files);
      const wallMs = performance.now() - begun;
      const { cpuMs } = await watch.stop();
      const ownMs = cpuMs.reduce((sum, [, ms]) => sum + ms, 0);
      elapsedMs += wallMs;
      usedMs += ownMs;
      const aMinute = (ms: number) => Math.round((60_000 * pages) / ms);
      details[`${kind}: ms of CPU a page, by process`] = cpuMs
        .map(([process, ms]) => `${process} ${Math.round(ms / pages)}`)
        .join(', ');
      details[`${kind}, ${pages} pages`] =
        `${aMinute(wallMs)} a minute; ${Math.round(ownMs / pages)} ms of CPU a page, which is ${aMinute(ownMs / processors)} a minute of ${processors} processors`;
    }
    details['load of the machine (1 min) and its processors'] =
      `${os.loadavg()[0]!.toFixed(1)}, ${processors}`;
    return {
      ratio: elapsedMs / (usedMs / processors),
      baseline: 'their CPU time on all processors',
      details,
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
