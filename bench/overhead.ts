/**
 * The cost of a page apart from its reader: every station of a 16-page document timed separately, one page at a
 * time, with the real database, storage, renderer and typesetter. The reader answers at once, because its time
 * is not ours.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { pino } from 'pino';
import { plainPage } from '#latex/assemble/page-body.ts';
import { parseEnv } from '#platform/env.ts';
import { inspectFile } from '#reading/index.ts';
import { createPagePreparer } from '#reading/pages/page-preparer.ts';
import { completePage } from '#server/conversion/queue/outcomes.ts';
import { claimAssembly, claimPage } from '#server/conversion/queue/queue.ts';
import { runAssembly } from '#server/conversion/queue/run-assembly.ts';
import { createConversion } from '#server/conversion/queue/store.ts';
import { planPages } from '#server/conversion/stations/plan-pages.ts';
import { openDatabase } from '#server/database/database.ts';
import { openStorage } from '#server/storage/open-storage.ts';
import { createTypesetter } from '#typesetting/index.ts';
import { pagePrefix, uploadsPrefix } from '../server/conversion/files.ts';
import { type Measurement, median } from './measurement.ts';

const pageCount = 16;
/** The stand-in vendor's time for a page, with which the overhead is compared. */
const readerMs = 2_000;
const rounds = 3;

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-'));
  // traversable for the database's user, or the cluster would be put elsewhere and stay there
  await chmod(folder, 0o711);
  const env = parseEnv({ DATA_DIR: path.join(folder, 'data') });
  const logger = pino({ level: 'silent' });
  const database = await openDatabase(env);
  const storage = openStorage(env);
  const typesetter = await createTypesetter({
    workDir: path.join(os.tmpdir(), `inkproof-work-${process.getuid?.() ?? 0}`),
  });
  const preparer = createPagePreparer({ concurrency: 1 });
  const signal = new AbortController().signal;
  const { db } = database;
  try {
    const { pdf, bodies } = await makeDocument();
    const rows: Record<string, number>[] = [];
    for (let round = 0; round <= rounds; round++) {
      const spent: Record<string, number> = {};
      const time = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
        const begun = performance.now();
        const result = await work();
        spent[part] = (spent[part] ?? 0) + performance.now() - begun;
        return result;
      };
      const id = randomUUID();
      const key = `${uploadsPrefix(id)}0000`;
      await time('storing the upload', () => storage.put(key, pdf));
      const file = await storage.withLocalFile(key, (local) =>
        time('inspecting the upload', () => inspectFile(local, 'notes.pdf', signal)),
      );
      const pages = planPages([file], { startPage: 1, endPage: null });
      await time('database', () =>
        db.transaction((tx) =>
          createConversion(tx, {
            id,
            callerId: 'bench',
            network: 'bench',
            files: [{ key, ...file }],
            pages,
            drawings: 'figure',
          }),
        ),
      );
      for (let page = 0; page < pageCount; page++) {
        const job = (await time('database', () => claimPage(db)))!;
        const prepared = await storage.withLocalFile(key, (local) =>
          time('rendering and preparing', () =>
            preparer.prepare({ kind: 'pdf', path: local, index: job.pageIndex }, signal),
          ),
        );
        const prefix = pagePrefix(id, job.number, job.token);
        const previewKey = `${prefix}preview.jpg`;
        await time('storing the preview', () => storage.put(previewKey, prepared.preview));
        const transcription = {
          ...plainPage(bodies[page % bodies.length]!),
          packages: [{ name: 'amsmath' }],
          figures: [],
          folder: prefix,
        };
        await time('database', () => completePage(db, job, { kind: 'read', transcription, previewKey }));
      }
      const job = (await time('database', () => claimAssembly(db)))!;
      const stations = { preparer, typesetter, logger, transcriber: neverAsked };
      const outcome = await time('assembling and compiling', () =>
        runAssembly({ db, storage, stations }, job, signal),
      );
      if (outcome.kind !== 'proven') throw new Error(`the document was not delivered: ${outcome.kind}`);
      // the first round starts processes and fills caches
      if (round > 0) rows.push(spent);
    }
    const parts = Object.keys(rows[0]!).map((part) => ({
      part,
      ms: median(rows.map((row) => row[part]! / pageCount)),
    }));
    parts.sort((a, b) => b.ms - a.ms);
    const total = parts.reduce((sum, { ms }) => sum + ms, 0);
    return {
      ratio: total / readerMs,
      baseline: `a page with the reader ${readerMs} ms`,
      details: {
        ...Object.fromEntries(parts.map(({ part, ms }) => [`${part}, ms a page`, ms.toFixed(1)])),
        'overhead, ms a page': total.toFixed(1),
        'largest part': `${parts[0]!.part} (${Math.round((parts[0]!.ms / total) * 100)} %)`,
      },
    };
  } finally {
    await preparer.close();
    await typesetter.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const neverAsked = {
  id: 'vision-model' as const,
  transcribe: () => Promise.reject(new Error('the reader is not part of this measurement')),
  close: async () => {},
};

/** The typeset fixtures' pages, and as many page bodies of prose and formulas. */
async function makeDocument(): Promise<{ pdf: Uint8Array; bodies: string[] }> {
  const folder = path.join(import.meta.dirname, '../fixtures/pdf');
  const whole = await PDFDocument.create();
  for (const name of (await readdir(folder)).filter((entry) => entry.endsWith('.pdf')).sort()) {
    const part = await PDFDocument.load(await readFile(path.join(folder, name)));
    for (const page of await whole.copyPages(part, part.getPageIndices()))
      if (whole.getPageCount() < pageCount) whole.addPage(page);
  }
  const bodies = Array.from({ length: pageCount }, (_, index) =>
    Array.from(
      { length: 6 },
      (_, paragraph) =>
        `What stands in paragraph ${paragraph + 1} of page ${index + 1}: the sequence $a_n$ grows like $n^{${index + 2}}$.\n\\[ \\int_0^1 x^{${index + paragraph}}\\,dx = \\frac{1}{${index + paragraph + 1}} \\]`,
    ).join('\n\n'),
  );
  return { pdf: await whole.save(), bodies };
}
