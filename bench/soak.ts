/**
 * Hours of editing in minutes: several people change their documents at random, cancel, make mistakes and
 * correct them. Occasionally the result is compared with a cold compile of the same text. `npm run bench --
 * soak MINUTES` (default 3); `SOAK_SEED` repeats a run's edits. A text whose result differs is left in the
 * folder that is printed, with the texts before it.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from '#reading/box.ts';
import { strategyNames } from '#typesetting/engines/strategy.ts';
import { type Asset, type CompileResult, createTypesetter, type Typesetter } from '#typesetting/index.ts';
import { boxedProcesses } from '#typesetting/testing/left-behind.ts';
import { createRandom } from '../test-support/random.ts';
import { RandomDocument } from './soak/random-document.ts';
import { listFolders, type Sample, slopeAnHour, takeSample } from './soak/watch-memory.ts';
import type { Measurement } from './support/measurement.ts';
import { drawPages } from './typesetting/baseline.ts';

const minutes = Number(process.argv[3] ?? process.env.SOAK_MINUTES ?? 3);
const seed = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
/** Blocks of each person's document at the start: from less than a page to about fifteen. */
const documentBlocks = [4, 12, 40, 120];
const editsBetweenComparisons = 20;
const sampleMs = 10_000;
/** Samples before this share of the time show engines filling their memory, not whether it leaks. */
const warmUpShare = 0.25;

interface Soak {
  typesetter: Typesetter;
  cold: Typesetter;
  folder: string;
  begun: number;
  warmMs: number[];
  coldMs: number[];
  outcomes: Map<string, number>;
  compared: number;
  mismatches: string[];
  edits: number;
}

/** TYPESETTER selects a way of compiling, as it does for the server. */
const strategies = process.env.TYPESETTER
  ? strategyNames.filter((name) => name === process.env.TYPESETTER)
  : undefined;

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-soak-'));
  const workDir = path.join(folder, 'work');
  const coldDir = path.join(folder, 'cold');
  const soak: Soak = {
    typesetter: await createTypesetter({ workDir, concurrency: 2, strategies }),
    cold: await createTypesetter({ workDir: coldDir, concurrency: 2, strategies: ['cold'] }),
    ...{ folder, begun: performance.now(), warmMs: [], coldMs: [], outcomes: new Map() },
    ...{ compared: 0, mismatches: [], edits: 0 },
  };
  const stop = AbortSignal.timeout(minutes * 60_000);
  process.stdout.write(`seed ${seed}, ${minutes} minutes, differing texts in ${folder}\n`);
  const samples: Sample[] = [];
  const people = documentBlocks.map((blocks, number) => editUntil(stop, soak, number, blocks));
  const watching = (async () => {
    while (!stop.aborted) {
      await wait(sampleMs, undefined, { signal: stop }).catch(() => {});
      const sample = takeSample(workDir, soak.begun);
      samples.push(sample);
      process.stdout.write(
        `${describeSample(sample)}, ${soak.edits} edits, ${soak.mismatches.length} differ\n`,
      );
    }
  })();
  await Promise.all([...people, watching]);
  await Promise.all([soak.typesetter.close(), soak.cold.close()]);
  const orphans = boxedProcesses(folder).length + listFolders(workDir).length;
  if (soak.mismatches.length === 0) await rm(folder, { recursive: true, force: true });
  return tell(soak, samples, orphans);
}

/** One person at one document until `stop`. */
async function editUntil(stop: AbortSignal, soak: Soak, number: number, blocks: number): Promise<void> {
  const { next: random } = createRandom(seed * 31 + number);
  let document = new RandomDocument(random, blocks);
  const owner = `soak/${number}`;
  const history: string[] = [];
  for (let count = 1; !stop.aborted; count++) {
    // occasionally a different document
    if (count % 400 === 0) document = new RandomDocument(random, blocks);
    const done = document.edit();
    soak.edits++;
    const { latex, assets } = document;
    history.push(`${done}\n${latex}`);
    if (history.length > 30) history.shift();
    const begun = performance.now();
    const leaving = new AbortController();
    const job = { latex, assets, owner, signal: leaving.signal };
    const pending = soak.typesetter.compile(job);
    if (count % editsBetweenComparisons === 0) {
      await compare(soak, job, history, await pending);
    } else if (random() < 0.15) {
      // the next keystroke cancels this compile
      await wait(random() * 300);
      leaving.abort();
      if (random() < 0.5) await pending;
    } else {
      const result = await pending;
      soak.warmMs.push(performance.now() - begun);
      soak.outcomes.set(result.kind, (soak.outcomes.get(result.kind) ?? 0) + 1);
    }
    await wait(random() * 300);
  }
}

async function compare(
  soak: Soak,
  job: { latex: string; assets: Asset[]; owner: string },
  history: readonly string[],
  ours: CompileResult,
): Promise<void> {
  const begun = performance.now();
  // a text that was compared before is compiled again anyway
  const theirs = await soak.cold.compile({ ...job, owner: `cold/${soak.compared}` });
  soak.coldMs.push(performance.now() - begun);
  soak.compared++;
  const difference = await findDifference(ours, theirs);
  if (!difference) return;
  const name = `differs-${soak.mismatches.length + 1}`;
  soak.mismatches.push(`${name}: ${difference}`);
  process.stdout.write(`${name}: ${difference}\n`);
  await mkdir(path.join(soak.folder, name));
  const write = (file: string, content: string | Uint8Array) =>
    writeFile(path.join(soak.folder, name, file), content);
  for (const [index, text] of history.entries())
    await write(`${String(index + 1).padStart(2, '0')}.tex`, `% ${text}`);
  for (const asset of job.assets) await write(asset.name, asset.bytes);
  for (const [who, result] of [['ours', ours] as const, ['cold', theirs] as const]) {
    if ('pdf' in result && result.pdf) await write(`${who}.pdf`, result.pdf);
    const { pdf: _, synctex: __, ...rest } = { pdf: null, synctex: null, ...result };
    await write(`${who}.json`, JSON.stringify(rest, null, 1));
  }
}

/**
 * What differs between two results of the same text, or null. A document with errors gets no second pass, so
 * its references and contents depend on the compile before: then only the errors are compared.
 */
async function findDifference(ours: CompileResult, theirs: CompileResult): Promise<string | null> {
  if (ours.kind !== theirs.kind) return `${ours.kind}, cold ${theirs.kind}`;
  const hasFailed = ours.kind === 'failed';
  const [messages, expected] = [ours, theirs].map((result) =>
    'messages' in result
      ? result.messages
          .filter(({ level }) => !hasFailed || level === 'error')
          .map((message) => JSON.stringify(message))
      : [],
  ) as [string[], string[]];
  const place = expected.findIndex((message, index) => message !== messages[index]);
  if (place >= 0) return `message ${place + 1} is ${messages[place]}, cold ${expected[place]}`;
  if (messages.length > expected.length) return `one message more: ${messages[expected.length]}`;
  const [pdf, coldPdf] = [ours, theirs].map((result) => ('pdf' in result ? result.pdf : null));
  if (!pdf || !coldPdf)
    return !pdf === !coldPdf ? null : `${pdf ? 'a' : 'no'} PDF, cold ${coldPdf ? 'a' : 'no'} PDF`;
  const [pages, coldPages] = await Promise.all([draw(pdf), draw(coldPdf)]);
  if (!pages || !coldPages) return `a PDF that cannot be read: ${pages ? 'the cold one' : 'ours'}`;
  if (hasFailed) return null;
  if (pages.length !== coldPages.length) return `${pages.length} pages, cold ${coldPages.length}`;
  const page = pages.findIndex((picture, index) => !picture.equals(coldPages[index]!));
  if (page >= 0) return `page ${page + 1} of ${pages.length} looks different`;
  if (ours.kind === 'compiled' && theirs.kind === 'compiled' && ours.pageCount !== theirs.pageCount)
    return `says ${ours.pageCount} pages, cold ${theirs.pageCount}`;
  return null;
}

const draw = (pdf: Uint8Array) => drawPages(pdf).catch(() => null);

function describeSample(sample: Sample): string {
  const megabytes = `own ${sample.ownMegabytes.toFixed(0)} MB, boxes ${sample.boxesMegabytes.toFixed(0)} MB`;
  return `${(sample.hours * 60).toFixed(1)} min: ${megabytes}, ${sample.processes} processes, ${sample.folders} folders`;
}

function tell(soak: Soak, samples: readonly Sample[], orphans: number): Measurement {
  const settled = samples.filter(({ hours }) => hours * 60 >= minutes * warmUpShare);
  const slope = (field: Exclude<keyof Sample, 'hours'>, unit: string) =>
    `${slopeAnHour(settled, field).toFixed(1)} ${unit} an hour (over all ${slopeAnHour(samples, field).toFixed(1)})`;
  const outcomes = [...soak.outcomes].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return {
    ratio: median(soak.warmMs) / median(soak.coldMs),
    baseline: 'the same texts compiled cold',
    details: {
      seed,
      edits: soak.edits,
      outcomes,
      'median compile': `${median(soak.warmMs).toFixed(0)} ms, cold ${median(soak.coldMs).toFixed(0)} ms`,
      'own memory grows by': slope('ownMegabytes', 'MB'),
      'boxes’ memory grows by': slope('boxesMegabytes', 'MB'),
      'processes grow by': slope('processes', ''),
      'folders grow by': slope('folders', ''),
      'at the end': samples.length > 0 ? describeSample(samples.at(-1)!) : 'no sample',
      compared: soak.compared,
      'differ from cold': soak.mismatches.length,
      ...Object.fromEntries(
        soak.mismatches.slice(0, 10).map((text, index) => [`difference ${index + 1}`, text]),
      ),
      'left behind (processes and folders)': orphans,
    },
  };
}
