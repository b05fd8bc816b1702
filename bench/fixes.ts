/**
 * Documents with one fault each: whether it is reported at the right line, whether the offered fix compiles,
 * and whether "Fix all" repairs the document. Faults are drawn from a seed; another seed tests the rules on
 * faults that nobody has looked at. FIXES_SEED and FIXES_COUNT set seed and number; FIXES_DOCUMENTS is a folder
 * of .tex files to break instead of the project's own; FIXES_SHOW=1 prints those that were not repaired.
 */
import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { applyFix } from '#latex/log/apply-fix.ts';
import { templates } from '#latex/templates/index.ts';
import { fixAll, tryFixes } from '#proving/index.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import { createTypesetter, type Typesetter } from '#typesetting/index.ts';
import { createRandom } from '../test-support/random.ts';
import { type Mutation, mutate } from './fixes/mutate.ts';
import { type Measurement, unavailable } from './support/measurement.ts';

const seed = Number(process.env.FIXES_SEED ?? 1);
const count = Number(process.env.FIXES_COUNT ?? 120);
const isShown = process.env.FIXES_SHOW === '1';
/** Draws per wanted fault: many leave a document that compiles, or have no place in it. */
const drawsPerFault = 12;

interface Outcome {
  mutation: Mutation;
  name: string;
  first: LogMessage;
  isRightLine: boolean;
  offered: 'none' | 'compiles' | 'fails';
  steps: string[];
  isHealed: boolean;
  /** The steps' own edits turn one text into the other: nothing else was changed. */
  isElseSame: boolean;
  compiles: number;
}

export async function measure(): Promise<Measurement> {
  const typesetter = await createTypesetter({
    workDir: path.join(os.tmpdir(), `inkproof-work-${process.getuid?.() ?? 0}`),
  });
  if (typesetter.refusal !== null) unavailable(typesetter.refusal);
  try {
    const documents = await readDocuments(typesetter);
    const random = createRandom(seed);
    const outcomes: Outcome[] = [];
    for (let draw = 0; outcomes.length < count && draw < count * drawsPerFault; draw++) {
      const { name, latex } = random.pick(documents);
      const mutation = mutate(latex, random);
      const outcome = mutation && (await heal(typesetter, name, mutation));
      if (!outcome) continue;
      outcomes.push(outcome);
      if (isShown && (!outcome.isHealed || !outcome.isRightLine || outcome.offered !== 'compiles'))
        show(outcome);
    }
    return sumUp(outcomes, documents.length);
  } finally {
    await typesetter.close();
  }
}

async function readDocuments(typesetter: Typesetter): Promise<{ name: string; latex: string }[]> {
  const folder = process.env.FIXES_DOCUMENTS;
  const fixtures = path.join(import.meta.dirname, '../fixtures/pdf');
  const found: { name: string; latex: string }[] = folder
    ? []
    : templates.map(({ id, latex }) => ({ name: id, latex }));
  for (const file of (await readdir(folder ?? fixtures)).filter((one) => one.endsWith('.tex')).sort())
    found.push({ name: file, latex: await readFile(path.join(folder ?? fixtures, file), 'utf8') });
  const sound: typeof found = [];
  for (const one of found)
    if ((await typesetter.compile({ latex: one.latex, owner: 'bench' })).kind === 'compiled') sound.push(one);
  return sound;
}

/** Null if the document still compiles, or was stopped. */
async function heal(typesetter: Typesetter, name: string, mutation: Mutation): Promise<Outcome | null> {
  let compiles = 0;
  const compile = (latex: string) => {
    compiles++;
    return typesetter.compile({ latex, owner: 'bench' });
  };
  const before = await compile(mutation.latex);
  if (before.kind !== 'failed') return null;
  const first = before.messages.find(({ level }) => level === 'error');
  if (!first) return null;
  compiles = 0;
  const offer = await tryFixes(mutation.latex, before, { compile });
  const fixed = await fixAll(mutation.latex, before, compile);
  let rebuilt: string | null = mutation.latex;
  for (const step of fixed.steps) rebuilt = rebuilt === null ? null : applyFix(rebuilt, step);
  return {
    mutation,
    name,
    first,
    isRightLine:
      first.line !== null &&
      (mutation.lines.length === 0 || mutation.lines.some((line) => Math.abs(line - first.line!) <= 1)),
    offered: offer === null ? 'none' : offer.result.kind === 'compiled' ? 'compiles' : 'fails',
    steps: fixed.steps.map(({ title }) => title),
    isHealed: fixed.result.kind === 'compiled',
    isElseSame: rebuilt === fixed.latex,
    compiles,
  };
}

function sumUp(outcomes: readonly Outcome[], documents: number): Measurement {
  const share = (part: number, of: number) =>
    `${part} of ${of} (${of === 0 ? 0 : Math.round((100 * part) / of)} %)`;
  const of = (test: (outcome: Outcome) => boolean) => outcomes.filter(test).length;
  const offered = of((one) => one.offered !== 'none');
  const repaired = of((one) => one.isHealed);
  const byKind = [...new Set(outcomes.map(({ mutation }) => mutation.kind))].sort().map((kind) => {
    const own = outcomes.filter(({ mutation }) => mutation.kind === kind);
    return [`  ${kind}`, `${own.filter((one) => one.isHealed).length} of ${own.length} healed`] as const;
  });
  return {
    ratio: repaired / Math.max(1, outcomes.length),
    baseline: 'documents with one fault',
    details: {
      'seed and documents': `${seed}, ${documents}`,
      'at the right line, or next to it': share(
        of((one) => one.isRightLine),
        outcomes.length,
      ),
      'a fix is offered': share(offered, outcomes.length),
      'offered fixes that compile': share(
        of((one) => one.offered === 'compiles'),
        offered,
      ),
      'healed by Fix all': share(repaired, outcomes.length),
      'nothing else changed': share(
        of((one) => one.isElseSame),
        outcomes.length,
      ),
      'compiles a document': (
        outcomes.reduce((sum, one) => sum + one.compiles, 0) / Math.max(1, outcomes.length)
      ).toFixed(1),
      ...Object.fromEntries(byKind),
    },
  };
}

function show({ name, mutation, first, isRightLine, offered, steps, isHealed }: Outcome): void {
  const lines = mutation.latex.split('\n');
  const at = mutation.lines.map((line) => `${line}: ${lines[line - 1]?.trim().slice(0, 100)}`).join(' | ');
  process.stdout.write(
    `${isHealed ? 'healed' : 'NOT HEALED'}, ${offered}, line ${first.line} ${isRightLine ? '' : 'WRONG'} — ${mutation.kind} in ${name}\n  ${at}\n  ${first.message.slice(0, 120)}\n  steps: ${steps.join(' / ')}\n`,
  );
}
