/**
 * Checks that a personal preamble can be used in every document: before it is saved, it is compiled with each symbol
 * used once. Errors are reported by line; if TeX names none, the shortest prefix that fails is searched for.
 */

import {
  type PersonalPreamble,
  type PreamblePlace,
  type PreambleRefusal,
  readPersonalPreamble,
} from '#latex/assemble/personal-preamble.ts';
import { definedName, mergeOptions } from '#latex/assemble/preamble.ts';
import type { CompileResult, Typesetter } from '#typesetting/index.ts';

/** Longest compile, in ms: a slower preamble would slow down every document. */
const compileCpuMs = 10_000;

export type PreambleVerdict =
  | { kind: 'good' }
  | { kind: 'bad'; refused: PreambleRefusal[] }
  /** The typesetter did not run it, so the result is unknown. */
  | { kind: 'unknown'; result: Extract<CompileResult, { kind: 'refused' | 'cancelled' }> };

interface Check {
  typesetter: Pick<Typesetter, 'compile'>;
  owner: string;
  signal: AbortSignal;
}

/** One line of the test document and where the user wrote it. */
interface TrialLine {
  text: string;
  place: PreamblePlace | null;
}

/** What every document of ours loads; a definition that conflicts with it would conflict everywhere. */
const opening = ['\\documentclass{article}', '\\usepackage{amsmath,amssymb,amsthm,graphicx}'];

export async function checkPreamble(personal: PersonalPreamble, check: Check): Promise<PreambleVerdict> {
  const { packages, lines, refused, places } = readPersonalPreamble(personal);
  const all = [...refused, ...findTwice(lines, places.lines)];
  if (all.length > 0) return { kind: 'bad', refused: all.sort(byPlace) };
  const head: TrialLine[] = [];
  packages.forEach(({ name }, index) => {
    if (packages.findIndex((one) => one.name === name) !== index) return;
    const options = mergeOptions(packages.flatMap((one) => (one.name === name ? [one.options ?? ''] : [])));
    const text = `\\usepackage${options ? `[${options}]` : ''}{${name}}`;
    head.push({ text, place: places.packages[index] ?? null });
  });
  lines.forEach((text, index) => {
    head.push({ text, place: places.lines[index]! });
  });
  const defined = await findFaults(check, head, []);
  if (defined.kind !== 'good') return defined;
  const uses = (isMath: boolean, wanted: (place: number) => boolean): TrialLine[] =>
    personal.notation.flatMap(({ command, latex }, index) =>
      wanted(index + 1)
        ? [{ text: writeUse(command, latex, isMath), place: { in: 'notation' as const, place: index + 1 } }]
        : [],
    );
  const inMath = await findFaults(
    check,
    head,
    uses(true, () => true),
  );
  if (inMath.kind !== 'bad') return inMath;
  // symbols for text are allowed too
  const failed = new Set(inMath.refused.map(({ place }) => place));
  return findFaults(
    check,
    head,
    uses(false, (place) => failed.has(place)),
  );
}

function writeUse(command: string, latex: string, isMath: boolean): string {
  const count = Math.max(0, ...[...latex.matchAll(/#([1-9])/g)].map(([, digit]) => Number(digit)));
  const use = `${command}${'{x}'.repeat(count)}`;
  return isMath ? `$${use}$\\par` : `${use}\\par`;
}

function byPlace(a: PreamblePlace, b: PreamblePlace): number {
  return a.in === b.in ? a.place - b.place : a.in === 'preamble' ? -1 : 1;
}

/** Finds names defined twice; changing an existing command takes \renewcommand. */
function findTwice(lines: readonly string[], places: readonly PreamblePlace[]): PreambleRefusal[] {
  const seen = new Set<string>();
  return lines.flatMap((line, index) => {
    const name = definedName(line);
    if (!name || line.startsWith('\\renewcommand')) return [];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ ...places[index]!, message: `${name.replace(/^environment /, '')} is defined twice.` }];
  });
}

/** Compiles all lines at once, then again without those that TeX names, until all faulty ones are found. */
async function findFaults(
  check: Check,
  head: readonly TrialLine[],
  body: readonly TrialLine[],
): Promise<PreambleVerdict> {
  const refused: PreambleRefusal[] = [];
  let left = [...head, ...body];
  for (let round = 0; round < 4 && left.length > 0; round++) {
    const result = await compileLines(check, left, body);
    if (result.kind === 'compiled') break;
    if (result.kind === 'refused' || result.kind === 'cancelled') return { kind: 'unknown', result };
    const found = await blame(check, left, body, result);
    if (found.kind === 'unknown') return found;
    refused.push(...found.refused.map(({ line, message }) => ({ ...line.place!, message })));
    const bad = new Set(found.refused.map(({ line }) => line));
    left = left.filter((line) => !bad.has(line));
    if (result.kind === 'timed-out' || bad.size === 0) break;
  }
  return refused.length === 0 ? { kind: 'good' } : { kind: 'bad', refused: refused.sort(byPlace) };
}

type Blame =
  | { kind: 'found'; refused: { line: TrialLine; message: string }[] }
  | Extract<PreambleVerdict, { kind: 'unknown' }>;

async function blame(
  check: Check,
  lines: readonly TrialLine[],
  body: readonly TrialLine[],
  result: Extract<CompileResult, { kind: 'failed' | 'timed-out' }>,
): Promise<Blame> {
  const order = layOut(lines, body);
  const named = new Map<TrialLine, string>();
  for (const { level, line, message } of result.messages) {
    const found = level === 'error' && line !== null ? order[line - 1] : undefined;
    if (found?.place && !named.has(found)) named.set(found, message);
  }
  if (named.size > 0 && result.kind === 'failed')
    return { kind: 'found', refused: [...named].map(([line, message]) => ({ line, message })) };
  // the shortest prefix that fails ends with the faulty line
  let good = 0;
  let bad = lines.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const trial = await compileLines(check, lines.slice(0, middle), body);
    if (trial.kind === 'refused' || trial.kind === 'cancelled') return { kind: 'unknown', result: trial };
    if (trial.kind === 'compiled') good = middle;
    else bad = middle;
  }
  const line =
    lines.slice(0, bad).findLast(({ place }) => place !== null) ?? lines.find(({ place }) => place);
  const message =
    result.kind === 'timed-out'
      ? 'With this, a document takes too long to compile.'
      : (result.messages.find(({ level }) => level === 'error')?.message ?? 'With this, nothing compiles.');
  return { kind: 'found', refused: line ? [{ line, message }] : [] };
}

/** The test document's lines, each with its origin. */
function layOut(lines: readonly TrialLine[], body: readonly TrialLine[]): (TrialLine | undefined)[] {
  const isUse = new Set(body);
  return [
    ...opening.map(() => undefined),
    ...lines.filter((line) => !isUse.has(line)),
    undefined,
    ...lines.filter((line) => isUse.has(line)),
  ];
}

function compileLines(
  { typesetter, owner, signal }: Check,
  lines: readonly TrialLine[],
  body: readonly TrialLine[],
): Promise<CompileResult> {
  const texts = layOut(lines, body).map((line) => line?.text);
  texts.splice(0, opening.length, ...opening);
  texts[texts.indexOf(undefined)] = '\\begin{document}\\LaTeX\\par';
  const latex = `${texts.join('\n')}\n\\end{document}\n`;
  return typesetter.compile({ latex, owner, signal, cpuMs: compileCpuMs });
}
