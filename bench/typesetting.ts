/**
 * From an edit to its PDF, for five kinds of document, compared with `latexmk -xelatex`, cold and after an
 * edit, alternating with ours in one run. Every edit is a new word, so that no cache answers; the pages are
 * compared with those of a cold latexmk. `BENCH_ONLY=a,b` selects documents, `BENCH_ROUNDS` the number of
 * rounds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from '#reading/box.ts';
import { strategyNames } from '#typesetting/engines/strategy.ts';
import { createTypesetter, type Typesetter } from '#typesetting/index.ts';
import type { Measurement } from './support/measurement.ts';
import { drawPages, findPage, openBaseline } from './typesetting/baseline.ts';
import {
  type BenchDocument,
  documents,
  makeWord,
  type Place,
  places,
  type Source,
  type Words,
} from './typesetting/documents.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
/** Somebody typing pauses about this long between words. */
const pauseMs = 250;

interface Edit {
  wholeMs: number;
  /** Until a PDF arrived in which the edited page is right. */
  visibleMs: number;
  pdf: Uint8Array;
  visiblePdf: Uint8Array;
}

interface Figures {
  cold: number[];
  edited: number[];
  once: number[];
  /** The first compile of a document and an owner that the typesetter never saw. */
  first: number[];
  /** The first edit at a place, and the next one there. */
  moved: Record<Place, Edit[]>;
  typed: Record<Place, Edit[]>;
  pagesCompared: number;
  pagesDifferent: number;
}

/** TYPESETTER selects a way of compiling, as it does for the server. */
const strategies = process.env.TYPESETTER
  ? strategyNames.filter((name) => name === process.env.TYPESETTER)
  : undefined;

export async function measure(): Promise<Measurement> {
  const only = process.env.BENCH_ONLY?.split(',');
  const chosen = documents.filter(({ name }) => !only || only.includes(name));
  const workDir = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-'));
  const typesetter = await createTypesetter({
    workDir: path.join(workDir, 'work'),
    concurrency: 2,
    strategies,
  });
  const details: Record<string, string> = {
    machine: `${os.availableParallelism()} processors for all, load before ${os.loadavg()[0]!.toFixed(1)}`,
  };
  try {
    if (typesetter.refusal) throw new Error(typesetter.refusal);
    let page: Figures | undefined;
    for (const document of chosen) {
      const figures = await measureDocument(typesetter, document);
      const lines = tell(document, figures);
      // a run takes minutes, so results are printed as they come
      for (const [what, value] of Object.entries(lines)) process.stderr.write(`${what}: ${value}\n`);
      Object.assign(details, lines);
      page ??= figures;
    }
    Object.assign(details, await measureRate(typesetter, chosen[0]!));
    const { moved, typed, edited } = page!;
    const ours = places.flatMap((place) => [...moved[place], ...typed[place]]).map(({ wholeMs }) => wholeMs);
    const what = chosen[0]!.name === 'a' ? 'the one-page note' : chosen[0]!.what;
    return {
      ratio: median(ours) / median(edited),
      baseline: `latexmk -xelatex after an edit of ${what}`,
      details,
    };
  } finally {
    await typesetter.close();
    await rm(workDir, { recursive: true, force: true });
  }
}

async function measureDocument(typesetter: Typesetter, document: BenchDocument): Promise<Figures> {
  const baseline = await openBaseline();
  const empty = () => ({ start: [], middle: [], end: [] });
  const figures: Figures = {
    ...{ cold: [], edited: [], once: [], first: [], moved: empty(), typed: empty() },
    ...{ pagesCompared: 0, pagesDifferent: 0 },
  };
  let words: Words = { start: nextWord(), middle: nextWord(), end: nextWord() };
  const withWord = (place: Place): Source => {
    words = { ...words, [place]: nextWord() };
    return document.write(words);
  };
  try {
    await baseline.cold(document.write(words));
    const pdf = await baseline.coldPdf();
    const pages = {} as Record<Place, number>;
    for (const place of places) pages[place] = await findPage(pdf, words[place]);
    const owner = `bench/${document.name}`;
    // the document is open in an editor
    await edit(typesetter, owner, document.write(words), 1);
    for (let round = 0; round < rounds; round++) {
      figures.edited.push(await baseline.edited(withWord('middle')));
      figures.once.push(await baseline.once(withWord('middle')));
      for (const place of places) {
        await wait(pauseMs);
        figures.moved[place].push(await edit(typesetter, owner, withWord(place), pages[place]));
        await wait(pauseMs);
        const typed = await edit(typesetter, owner, withWord(place), pages[place]);
        figures.typed[place].push(typed);
        if (place !== places[round % 3]) continue;
        figures.cold.push(await baseline.cold(document.write(words)));
        await compare(figures, typed, await baseline.coldPdf(), pages[place]);
      }
      const startedMs = performance.now();
      await edit(typesetter, `${owner}-${round}`, withWord('middle'), 1);
      figures.first.push(performance.now() - startedMs);
    }
    return figures;
  } finally {
    await baseline.close();
  }
}

let wordCount = 0;
const nextWord = () => makeWord(wordCount++);

async function edit(
  typesetter: Typesetter,
  owner: string,
  { latex, files }: Source,
  page: number,
): Promise<Edit> {
  const startedMs = performance.now();
  let visible: { ms: number; pdf: Uint8Array } | null = null;
  const result = await typesetter.compile({
    latex,
    assets: Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    owner,
    onProgress(progress) {
      if (progress.kind === 'pages' && (page < progress.firstPage || page > progress.lastPage)) return;
      visible ??= { ms: performance.now() - startedMs, pdf: progress.pdf };
    },
  });
  const wholeMs = performance.now() - startedMs;
  if (result.kind !== 'compiled') throw new Error(`not compiled: ${JSON.stringify(result).slice(0, 2_000)}`);
  const { ms, pdf } = visible ?? { ms: wholeMs, pdf: result.pdf };
  return { wholeMs, visibleMs: ms, pdf: result.pdf, visiblePdf: pdf };
}

/** Compares all pages of the whole PDF, and the edited page of the one shown first, with a cold latexmk's. */
async function compare(figures: Figures, ours: Edit, cold: Uint8Array, page: number): Promise<void> {
  const [theirs, whole, [shown]] = await Promise.all([
    drawPages(cold),
    drawPages(ours.pdf),
    drawPages(ours.visiblePdf, page),
  ]);
  const pairs = theirs.map((picture, index) => [picture, whole[index]] as const);
  for (const [one, other] of [...pairs, [theirs[page - 1]!, shown] as const]) {
    figures.pagesCompared++;
    if (!other || !one.equals(other)) figures.pagesDifferent++;
  }
  if (whole.length !== theirs.length) figures.pagesDifferent++;
}

function tell(document: BenchDocument, figures: Figures): Record<string, string> {
  const { name, what } = document;
  const [cold, edited, once] = [figures.cold, figures.edited, figures.once].map(median) as [
    number,
    number,
    number,
  ];
  const share = (ms: number) =>
    `${ms.toFixed(0)} ms = ${(ms / cold).toFixed(3)} of cold, ${(ms / edited).toFixed(3)} of after an edit`;
  const lines: Record<string, string> = {
    [`${name}`]: what,
    [`${name} latexmk cold`]: `${cold.toFixed(0)} ms`,
    [`${name} latexmk after an edit`]: `${edited.toFixed(0)} ms`,
    [`${name} xelatex once`]: `${once.toFixed(0)} ms`,
    [`${name} ours, a new document of a new owner → PDF`]: share(median(figures.first)),
  };
  for (const [how, edits] of [
    ['first edit there', figures.moved],
    ['next edit there', figures.typed],
  ] as const)
    for (const place of places) {
      const of = (field: 'wholeMs' | 'visibleMs') => median(edits[place].map((one) => one[field]));
      lines[`${name} ours, ${place}, ${how} → PDF`] = share(of('wholeMs'));
      lines[`${name} ours, ${place}, ${how} → edited page visible`] = share(of('visibleMs'));
    }
  lines[`${name} pages that differ from cold latexmk's`] =
    `${figures.pagesDifferent} of ${figures.pagesCompared} (60 dots an inch)`;
  return lines;
}

/** Compiles per second, two at a time: edits of two owners, compared with two plain xelatex processes. */
async function measureRate(typesetter: Typesetter, document: BenchDocument): Promise<Record<string, string>> {
  const baseline = await openBaseline();
  const perLane = 10;
  const newText = () => document.write({ start: nextWord(), middle: nextWord(), end: nextWord() });
  const rate = async (compile: (lane: number) => Promise<unknown>) => {
    const startedMs = performance.now();
    const lane = async (number: number) => {
      for (let count = 0; count < perLane; count++) await compile(number);
    };
    await Promise.all([lane(0), lane(1)]);
    return (2 * perLane * 1_000) / (performance.now() - startedMs);
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    await baseline.cold(newText());
    for (let round = 0; round < 3; round++) {
      theirs.push(await rate((lane) => baseline.once(newText(), lane)));
      ours.push(await rate((lane) => edit(typesetter, `rate-${lane}/x`, newText(), 1)));
    }
  } finally {
    await baseline.close();
  }
  const [our, their] = [median(ours), median(theirs)];
  return {
    [`${document.name} compiles a second, two at a time`]: `ours ${our.toFixed(1)}, plain xelatex ${their.toFixed(1)}: ${(our / their).toFixed(1)} times as many`,
  };
}
