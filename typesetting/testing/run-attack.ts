/** Runs an attack and reports whether it succeeded. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { elapsedLimit } from '#platform/work/work-limit.ts';
import type { CompileProgress, CompileResult } from '../typesetter.ts';
import { type AttackRange, serverSecrets } from './attack-range.ts';
import type { Attack, Step } from './attacks/attack.ts';
import { findLeak, type Needle, pdfText } from './find-leak.ts';
import { boxedProcesses } from './left-behind.ts';

export interface AttackOutcome {
  /** What succeeded, one phrase each; empty if the box held. */
  broken: string[];
  /** How its documents ended, each kind once. */
  ends: string[];
}

/** Programs that may be seen in a box, or building one. A thread of Node's has the process's name. */
const knownPrograms =
  /^(?:xelatex|xetex|pdflatex|pdftex|lualatex|luahbtex|xdvipdfmx|bibtexu|biber|makeindex|bwrap|setpriv|prlimit|env|jail|inkproof-jail|node|MainThread)$/;
/** How much longer than its time limit a job may take to end: queue and clean-up on a busy machine. */
const graceMs = 15_000;
const watchIntervalMs = 80;
/** Searching all processes of a machine is work itself. */
const processIntervalMs = 400;

export interface RunOptions {
  /** Also searches the jobs' folders for the server's secrets while they run, and checks which programs run. */
  isWatched: boolean;
  /** Nothing else is queued: each document must end soon after its time limit. */
  isAlone?: boolean;
  /** Appended to every document, so that none comes from the cache. */
  round?: number;
}

export async function runAttack(
  range: AttackRange,
  attack: Attack,
  { isWatched, isAlone = false, round = 0 }: RunOptions,
): Promise<AttackOutcome> {
  const broken = new Set<string>();
  const ends = new Set<string>();
  const watchers = isWatched
    ? [
        setInterval(() => lookAtFiles(range.workDir, broken), watchIntervalMs),
        setInterval(() => lookAtProcesses(range.workDir, broken), processIntervalMs),
      ]
    : [];
  const steps = attack.steps(range.place);
  let group: Promise<void>[] = [];
  for (const step of steps) {
    if (!step.isTogether) {
      await Promise.all(group);
      group = [];
    }
    const mustEndSoon = isAlone && !steps.some(({ isTogether }) => isTogether);
    group.push(take(range, step, { round, mustEndSoon }, broken, ends));
  }
  await Promise.all(group);
  for (const watcher of watchers) clearInterval(watcher);
  if (isWatched) lookAtFiles(range.workDir, broken);
  for (const trace of range.takeTraces()) broken.add(trace);
  return { broken: [...broken], ends: [...ends] };
}

/** The queue's name for them: all attackers come from one network. */
export const ownerOf = (step: Pick<Step, 'owner'>) =>
  step.owner === 'neighbour' ? 'a/neighbour' : `b/${step.owner}`;

async function take(
  range: AttackRange,
  step: Step,
  { round, mustEndSoon }: { round: number; mustEndSoon: boolean },
  broken: Set<string>,
  ends: Set<string>,
): Promise<void> {
  const { secret, mark } = range.place;
  const isNeighbour = step.owner === 'neighbour';
  const needles: Needle[] = [...serverSecrets, isNeighbour ? mark : secret];
  const search = (given: CompileResult | CompileProgress) => {
    const leak = findLeak(given, needles);
    if (leak) broken.add(`${step.owner}: ${leak}`);
  };
  const controller = new AbortController();
  const cancel =
    step.cancelAfterMs === undefined ? undefined : setTimeout(() => controller.abort(), step.cancelAfterMs);
  const cpuMs = step.cpuMs ?? 20_000;
  const startedMs = Date.now();
  try {
    const result = await range.typesetter.compile({
      latex: round > 0 ? `${step.latex}% ${round}\n` : step.latex,
      assets: step.assets ?? [],
      owner: ownerOf(step),
      cpuMs,
      signal: controller.signal,
      onProgress: search,
    });
    ends.add(result.kind);
    search(result);
    if (mustEndSoon && Date.now() - startedMs > elapsedLimit({ cpuMs }) + graceMs)
      broken.add('did not end in time');
    if (step.shows !== undefined) {
      const shown = result.kind === 'compiled' ? pdfText(result.pdf).replace(/\s+/g, '') : '';
      if (!shown.includes(step.shows.replace(/\s+/g, '')))
        broken.add(`${step.owner} did not get its own text (${result.kind})`);
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // names that no asset may have are refused before anything runs
    if (message.includes('plain file name')) ends.add('refused');
    else broken.add(`the typesetter failed: ${message.slice(0, 200)}`);
  } finally {
    clearTimeout(cancel);
  }
}

/** Looks for foreign bytes in auxiliary files. */
function lookAtFiles(workDir: string, broken: Set<string>): void {
  for (const file of filesBelow(workDir, 4)) {
    try {
      if (statSync(file).size > 4_000_000) continue;
      const bytes = readFileSync(file);
      const found = serverSecrets.find((needle) => bytes.includes(Buffer.from(needle as string)));
      if (found) broken.add(`${path.basename(file)} of a job: ${found}`);
    } catch {
      // ended already
    }
  }
}

/** Looks for programs that have no business in a box. */
function lookAtProcesses(workDir: string, broken: Set<string>): void {
  for (const pid of boxedProcesses(workDir)) {
    try {
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      if (name !== '' && !knownPrograms.test(name)) broken.add(`ran ${name}`);
    } catch {
      // ended already
    }
  }
}

/** Regular files below a folder; our own TeX tree, also there, does not belong to a job. */
function filesBelow(folder: string, depth: number): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 && entry.name !== 'texmf' ? filesBelow(place, depth - 1) : [];
      return entry.isFile() ? [place] : [];
    });
  } catch {
    return [];
  }
}
