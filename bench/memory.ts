/**
 * What a whole installation (server, helpers, its own PostgreSQL) holds in memory: idle, while it converts ten
 * pages with the embedded readers (PDF text, scans, handwriting), while it converts ten documents at once, and
 * idle again. Relative to 250 MB, what it may hold when idle.
 *
 * `MEMORY_GROUP=1000` runs it in a control group that is limited to so many MB, and counts the processes that
 * were killed; `MEMORY_LIMIT` is passed on.
 */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { createServedAccount } from '../test-support/product/serve-account.ts';
import { installed, startServeProcess } from '../test-support/product/serve-process.ts';
import { type MemoryGroup, openMemoryGroup } from './memory/memory-group.ts';
import { describeMemory, readTreeMemory, type TreeMemory } from './memory/tree-memory.ts';
import type { Measurement } from './support/measurement.ts';
import { convertUploads, readScans, type Upload, writePages } from './support/uploads.ts';

const root = path.join(import.meta.dirname, '..');
const goalMegabytes = 250;
/** The garbage of a start, and of the accounts that it begins with, is collected within half a minute. */
const settleMs = 40_000;
/** Page processes and readers end after a minute without work. */
const restMs = Number(process.env.MEMORY_REST_MS ?? 100_000);
const sampleMs = 300;
/** One account may have five conversions running. */
const accounts = 2;

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-'));
  // traversable for the database's user, or the cluster would be put elsewhere and stay there
  await chmod(folder, 0o711);
  const settings = { DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'info' };
  const { MEMORY_LIMIT, MEMORY_GROUP } = process.env;
  let group: MemoryGroup | null = null;
  let server: Awaited<ReturnType<typeof startServeProcess>> | null = null;
  try {
    group = MEMORY_GROUP ? openMemoryGroup(Number(MEMORY_GROUP) * 2 ** 20) : null;
    server = await startServeProcess(
      { ...settings, ...(MEMORY_LIMIT ? { MEMORY_LIMIT } : {}) },
      group ? group.wrap(installed) : installed,
    );
    const pid = server.child.pid!;
    const uploads = await makeUploads();
    const people: string[] = [];
    for (let count = 0; count < accounts; count++)
      people.push((await createServedAccount(server.address, settings, { pages: 40 })).authorization);
    const { address } = server;
    const send = (person: number, files: readonly Upload[]) =>
      convertUploads(address, people[person]!, files);
    await sleep(settleMs);
    const atRest = await readTreeMemory(pid);
    tell('at rest', atRest);
    const tenPages = await watchPeak(pid, () => send(0, uploads));
    tell('ten pages', tenPages);
    const tenDocuments = await watchPeak(pid, () =>
      Promise.all(uploads.map((file, index) => send(index % accounts, [file]))),
    );
    tell('ten documents', tenDocuments);
    await sleep(restMs);
    const later = await readTreeMemory(pid);
    tell('later', later);
    const logged = /\{.*"msg":"memory[^\n]*/.exec(server.output())?.[0];
    return {
      ratio: atRest.all / goalMegabytes,
      baseline: `${goalMegabytes} MB at rest`,
      details: {
        ...(logged ? { 'it allows itself': logged } : {}),
        'at rest': describeMemory(atRest),
        'converting ten pages, at most': describeMemory(tenPages),
        'converting ten documents at once, at most': describeMemory(tenDocuments),
        [`${restMs / 1000} s later`]: describeMemory(later),
        ...(group
          ? {
              [`in a group of ${MEMORY_GROUP} MB, at most, with page cache`]: `${group.readPeak()} MB`,
              'processes killed for lack of memory': group.readKills(),
            }
          : {}),
      },
    };
  } finally {
    await server?.stop();
    await group?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

const tell = (when: string, memory: TreeMemory) =>
  process.stdout.write(`${when}: ${describeMemory(memory)}\n`);

/** Ten pages: four of PDF text, three scans, three of handwriting. */
async function makeUploads(): Promise<Upload[]> {
  const typeset = [
    'calculus-limits-integrals',
    'linear-algebra-matrices',
    'physics-mechanics-tikz',
    'probability-table',
  ];
  return [
    ...(await Promise.all(
      typeset.map(async (name) => ({
        name: `${name}.pdf`,
        bytes: await firstPage(await readFile(path.join(root, 'fixtures/pdf', `${name}.pdf`))),
      })),
    )),
    ...(await readScans()),
    ...(await writePages()),
  ];
}

async function firstPage(pdf: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const one = await PDFDocument.create();
  const [page] = await one.copyPages(await PDFDocument.load(pdf), [0]);
  one.addPage(page!);
  return new Uint8Array(await one.save());
}

/** The most that the tree held during `work`. */
async function watchPeak(pid: number, work: () => Promise<unknown>): Promise<TreeMemory> {
  let peak = await readTreeMemory(pid);
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  const watching = (async () => {
    while (!isOver) {
      const now = await readTreeMemory(pid);
      if (now.all > peak.all) peak = now;
      await sleep(sampleMs);
    }
  })();
  await Promise.all([working, watching]);
  return peak;
}
