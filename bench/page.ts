/**
 * How well a reader reads whole pages, photographed or scanned: `npm run bench -- page FOLDER`. Other systems can
 * be held against it: any that answers as an OpenAI-compatible model is asked with AI_BASE_URL and AI_MODEL.
 *
 * FOLDER holds pictures and `truth.json`, `{"pages": [{"file", "lines", "writer"?, "turn"?, "unsure"?, "mistakes"?}]}`:
 * the page's lines in LaTeX as written, who wrote it, by how many degrees clockwise its pixels must be turned, indexes
 * of lines that nobody could decipher, which do not count, and the writer's mistakes, `{"line", "corrected"}`: a line's
 * index and what a corrector would make of it. Without a writer, PAGE_WRITER extracts it from the file's name: a regular
 * expression whose first group it is (default: up to the last hyphen). The reader is the configured one (AI_PROVIDER,
 * AI_BASE_URL …), or with PAGE_READER=embedded the one without a key; PAGE_FILES, an expression, selects pages.
 * PAGE_PRICE=2.5,10 are the dollars that a million tokens cost, sent and answered; PAGE_COMPILE=no leaves compiling out.
 * Means over writers, with the bootstrap's 95 % interval over them. Ratio: the share of lines that were missed or not
 * read exactly.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { parseEnv } from '#platform/env.ts';
import { createTranscriber } from '#reading/create-transcriber.ts';
import { createPagePreparer } from '#reading/pages/page-preparer.ts';
import type { TranscribedPage } from '#reading/transcriber.ts';
import { linesOf } from './ink/read-sheets.ts';
import { calibrationError } from './page/calibration.ts';
import { openCompiler, type PageProof } from './page/compile-page.ts';
import { type DoubtScore, scoreDoubts } from './page/score-doubts.ts';
import { type FaultScore, isFormula, scoreFaults } from './page/score-faults.ts';
import { scoreLines } from './page/score-lines.ts';
import { interval } from './support/bootstrap.ts';
import { type Measurement, unavailable } from './support/measurement.ts';

const Truth = z.object({
  pages: z.array(
    z.object({
      file: z.string(),
      lines: z.array(z.string()),
      writer: z.string().optional(),
      turn: z.number().optional(),
      unsure: z.array(z.number()).default([]),
      mistakes: z.array(z.object({ line: z.number(), corrected: z.string() })).default([]),
    }),
  ),
});
type Page = z.infer<typeof Truth>['pages'][number];

/** Results of some pages, as counts that can be added. */
interface Tally extends DoubtScore, FaultScore {
  pages: number;
  lines: number;
  found: number;
  exact: number;
  formulas: number;
  formulasExact: number;
  foundSigns: number;
  foundErrors: number;
  signs: number;
  errors: number;
  turned: number;
  turnsKnown: number;
  /** Lines that were found, by whether a doubt is marked in them. */
  plain: number;
  plainExact: number;
  doubted: number;
  doubtedExact: number;
  /** Pages whose LaTeX compiled, as it was read, and after repair. */
  compiled: number;
  repaired: number;
  ms: number;
}

export async function measure(): Promise<Measurement> {
  const folder = process.argv[3];
  const truth = folder ? path.join(folder, 'truth.json') : null;
  if (!folder || !truth || !existsSync(truth))
    return unavailable(
      'Usage: npm run bench -- page FOLDER. No pages come with the project: photograph some, or fetch a public set of handwritten pages, and write their text into FOLDER/truth.json (the head of bench/page.ts shows its form).',
    );
  const chosen = new RegExp(process.env.PAGE_FILES ?? '');
  const pages = Truth.parse(JSON.parse(await readFile(truth, 'utf8'))).pages.filter(({ file }) =>
    chosen.test(file),
  );
  const writerIn = new RegExp(process.env.PAGE_WRITER ?? '^(.*)-[^-]*$');
  const readerId = process.env.PAGE_READER === 'embedded' ? 'embedded' : undefined;
  const tokens = { input: 0, output: 0 };
  const reader = createTranscriber(parseEnv(process.env), readerId, undefined, undefined, (used) => {
    tokens.input += used.input;
    tokens.output += used.output;
  });
  const compiler = process.env.PAGE_COMPILE === 'no' ? null : await openCompiler();
  const preparer = createPagePreparer({ concurrency: 1, forModel: reader.id === 'vision-model' });
  const details: Record<string, string> = { reader: reader.id };
  const writers = new Map<string, Tally>();
  for (const page of pages) {
    const source = { kind: 'image', path: path.join(folder, page.file), index: 0 } as const;
    const started = performance.now();
    const picture = await preparer.look(source);
    const answer = await reader.transcribe({
      source,
      picture: () => Promise.resolve(picture),
      hints: { pageNumber: 1, pageCount: 1, drawings: 'figure', document: page.file },
      signal: new AbortController().signal,
    });
    const ms = performance.now() - started;
    const [read, seen] =
      answer.kind === 'transcribed' ? [answer.page, answer.turned?.picture ?? picture] : [null, picture];
    const proof = read && compiler ? await compiler.prove(read) : 'failed';
    const tally = tallyOf(page, read, { turned: seen.turned ?? 0, proof, ms });
    details[page.file] = inWords(tally);
    const writer = page.writer ?? writerIn.exec(page.file)?.[1] ?? page.file;
    writers.set(writer, sum([...(writers.has(writer) ? [writers.get(writer)!] : []), tally]));
  }
  await Promise.all([reader.close(), preparer.close(), compiler?.close()]);
  const all = [...writers.values()];
  for (const [writer, tally] of writers) details[`writer ${writer}`] = inWords(tally);
  for (const [name, of] of Object.entries(rates))
    details[`${name}, mean over ${all.length} writers`] = overWriters(all, of);
  const total = sum(all);
  details['all pages'] = inWords(total);
  if (total.turnsKnown > 0) details['pages the wrong way up'] = `${total.turned} of ${total.turnsKnown}`;
  details['found lines with a mark of doubt'] = `${total.doubted}, exact ${total.doubtedExact}`;
  details['found lines without one'] = `${total.plain}, exact ${total.plainExact}`;
  const { doubts, right, offered, wrongWithOthers } = total;
  details['doubtful stretches in found lines'] =
    `${doubts}, right ${right}; of the others ${offered} have the truth among their first four other readings, ${wrongWithOthers} have other readings`;
  const error = calibrationError(total.judged);
  if (error !== null)
    details['calibration error of doubts'] =
      `${error.toFixed(3)} over ${total.judged.length} stretches with a confidence`;
  details['lines of mathematics exact'] = `${total.formulasExact} of ${total.formulas}`;
  if (total.faults > 0)
    details["writers' mistakes"] =
      `kept ${total.kept} of ${total.faults}, corrected unasked ${total.corrected}`;
  if (compiler)
    details['pages that compile'] =
      `${total.compiled} of ${total.pages} as read, ${total.compiled + total.repaired} after repair`;
  if (tokens.input + tokens.output > 0) details['cost a page'] = describeCost(tokens, total.pages);
  details['time a page'] = `${(total.ms / total.pages / 1000).toFixed(1)} s`;
  return {
    ratio: 1 - total.exact / total.lines,
    baseline: 'all lines of the pages',
    details,
  };
}

function describeCost({ input, output }: { input: number; output: number }, pages: number): string {
  const [priceIn = 0, priceOut = 0] = (process.env.PAGE_PRICE ?? '').split(',').map(Number);
  const dollars = (input * priceIn + output * priceOut) / 1e6 / pages;
  const used = `${Math.round(input / pages)} tokens sent and ${Math.round(output / pages)} answered`;
  return dollars > 0 ? `$${dollars.toFixed(4)}: ${used}` : used;
}

interface Run {
  /** Quarter turns that the page was given. */
  turned: number;
  proof: PageProof;
  ms: number;
}

function tallyOf(page: Page, read: TranscribedPage | null, { turned, proof, ms }: Run): Tally {
  const body = read?.body ?? '';
  const lines = linesOf(body);
  let end = 0;
  const places = lines.map((line) => {
    const start = body.indexOf(line, end);
    end = start + line.length;
    return { start, end };
  });
  const doubtful = read?.doubtful ?? [];
  const isDoubted = places.map(({ start, end }) =>
    doubtful.some((span) => span.start < end && span.end > start),
  );
  const { lines: scores, whole } = scoreLines(page.lines, lines, page.unsure);
  const found = scores.filter(({ isFound }) => isFound);
  const truths = new Map(found.map(({ reading, line }) => [reading, page.lines[line]!]));
  const doubted = found.filter(({ reading }) => isDoubted[reading]);
  const readings = page.lines.map((_, line) => {
    const score = found.find((one) => one.line === line);
    return score ? lines[score.reading]! : null;
  });
  const maths = scores.filter(({ line }) => isFormula(page.lines[line]!));
  const exactOf = (some: typeof found) => some.filter(({ isExact }) => isExact).length;
  return {
    pages: 1,
    lines: scores.length,
    found: found.length,
    exact: exactOf(found),
    formulas: maths.length,
    formulasExact: exactOf(maths),
    ...scoreFaults(page.lines, page.mistakes, readings),
    compiled: proof === 'compiled' ? 1 : 0,
    repaired: proof === 'repaired' ? 1 : 0,
    foundSigns: found.reduce((all, { signs }) => all + signs, 0),
    foundErrors: found.reduce((all, { errors }) => all + errors, 0),
    signs: whole.signs,
    errors: whole.errors,
    turned: page.turn !== undefined && page.turn % 360 !== 90 * turned ? 1 : 0,
    turnsKnown: page.turn === undefined ? 0 : 1,
    plain: found.length - doubted.length,
    plainExact: exactOf(found) - exactOf(doubted),
    doubted: doubted.length,
    doubtedExact: exactOf(doubted),
    ...scoreDoubts(
      body,
      places.map((place, at) => ({ ...place, truth: truths.get(at) ?? null })),
      doubtful,
    ),
    ms,
  };
}

function sum(tallies: readonly Tally[]): Tally {
  const [first, ...rest] = tallies as [Tally, ...Tally[]];
  return rest.reduce<Tally>((all, one) => {
    const keys = Object.keys(all) as (keyof Tally)[];
    const add = (key: keyof Tally) =>
      key === 'judged' ? [...all.judged, ...one.judged] : (all[key] as number) + (one[key] as number);
    return Object.fromEntries(keys.map((key) => [key, add(key)])) as unknown as Tally;
  }, first);
}

const rates: Record<string, (tally: Tally) => number> = {
  'lines found': ({ found, lines }) => found / lines,
  'lines exact': ({ exact, lines }) => exact / lines,
  'CER of what was found': ({ foundErrors, foundSigns }) => foundErrors / Math.max(1, foundSigns),
  'CER of whole pages': ({ errors, signs }) => errors / Math.max(1, signs),
};

function inWords(tally: Tally): string {
  const { found, exact, lines, ms, pages } = tally;
  return `found ${found} of ${lines}, exact ${exact}, CER ${rates['CER of what was found']!(tally).toFixed(3)}, of whole pages ${rates['CER of whole pages']!(tally).toFixed(3)}, ${(ms / pages / 1000).toFixed(1)} s`;
}

/** Mean, spread (standard deviation) and the bootstrap's 95 % interval of the mean. */
function overWriters(all: readonly Tally[], of: (tally: Tally) => number): string {
  const values = all.map(of);
  const meanOf = (some: readonly number[]) => some.reduce((a, b) => a + b, 0) / some.length;
  const mean = meanOf(values);
  const spread = Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
  const [low, high] = interval(values, meanOf);
  return `${mean.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)}), spread ${spread.toFixed(3)}`;
}
