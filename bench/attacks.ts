/**
 * `npm run bench -- attacks [WORDS]`: runs every attack, or those whose kind or name contains one of the words,
 * with every strategy in every kind of box that works here, and measures how much a neighbour's compile slows
 * down during each exhausting one. Writes the table as Markdown to $ATTACKS_TABLE, or prints it. STRATEGIES and
 * SANDBOXES (comma lists) restrict it. With $ATTACKS_KEEP, a folder, each finished column is stored there and
 * not run again.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { median } from '#reading/box.ts';
import { type StrategyName, strategyNames } from '#typesetting/engines/strategy.ts';
import { possibleKinds } from '#typesetting/sandbox/open-sandbox.ts';
import type { SandboxKind } from '#typesetting/sandbox/sandbox.ts';
import { type AttackRange, openAttackRange } from '#typesetting/testing/attack-range.ts';
import { allAttacks } from '#typesetting/testing/attacks/all-attacks.ts';
import type { Attack } from '#typesetting/testing/attacks/attack.ts';
import { boxedProcesses } from '#typesetting/testing/left-behind.ts';
import { ownerOf, runAttack } from '#typesetting/testing/run-attack.ts';
import type { Measurement } from './support/measurement.ts';

/** The product's two families of box; one without a working kind here is not measured. */
const families = ['bubblewrap', 'landlock'] as const;
/** Compiles of the neighbour alone between two attacks: an attack is compared with those before and after it. */
const idleRounds = 2;
const samplesWanted = 3;
/** How long an attack is repeated to get samples. */
const attackMs = 2_000;
/** How many non-exhausting attacks run in parallel. */
const sideBySide = 2;

interface Cell {
  broken: string[];
  ends: string[];
  /** Durations of the neighbour's compiles during the attack, in ms. */
  neighbourMs: number[];
  /** The same without an attack, just before and after. */
  idleMs: number[];
  /** Longest time in which the server's own process did not respond. */
  stalledMs: number;
}

interface Column {
  strategy: StrategyName;
  kind: SandboxKind | null;
  family: string;
  notMeasured: string | null;
  /** By the attack's name. */
  cells: Map<string, Cell>;
  leftBehind: string[];
}

export async function measure(): Promise<Measurement> {
  const words = process.argv.slice(3);
  const attacks = allAttacks.filter(
    ({ kind, what }) => words.length === 0 || words.some((word) => kind === word || what.includes(word)),
  );
  const columns: Column[] = [];
  for (const { family, kind } of sandboxes())
    for (const strategy of listed('STRATEGIES', strategyNames))
      columns.push(await keep(strategy, kind ?? family, () => runColumn(strategy, family, kind, attacks)));
  const table = render(attacks, columns);
  if (process.env.ATTACKS_TABLE) writeFileSync(process.env.ATTACKS_TABLE, table);
  else process.stdout.write(table);
  const measured = columns.filter((column) => column.notMeasured === null);
  const cells = measured.flatMap((column) => [...column.cells.values()]);
  const ratios = measured.flatMap((column) => ratiosOf(column));
  return {
    ratio: median(ratios.length > 0 ? ratios : [0]),
    baseline: 'neighbour idle',
    details: {
      attacks: attacks.length,
      'runs measured': cells.length,
      'came through': cells.filter((cell) => cell.broken.length > 0).length,
      'not measured':
        columns
          .filter((column) => column.notMeasured !== null)
          .map((column) => `${column.strategy} in ${column.kind ?? column.family}: ${column.notMeasured}`)
          .join('; ') || 'none',
      'left behind': measured.flatMap((column) => column.leftBehind).join('; ') || 'nothing',
      'worst neighbour': Math.max(0, ...ratios).toFixed(2),
    },
  };
}

/** The column from the folder of stored ones, or run now and stored. */
async function keep(strategy: string, box: string, run: () => Promise<Column>): Promise<Column> {
  const folder = process.env.ATTACKS_KEEP;
  if (!folder) return run();
  const file = path.join(folder, `${strategy}-${box}.json`);
  if (existsSync(file)) {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Omit<Column, 'cells'> & {
      cells: [string, Cell][];
    };
    return { ...stored, cells: new Map(stored.cells) };
  }
  const column = await run();
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ ...column, cells: [...column.cells] }));
  return column;
}

function sandboxes(): { family: string; kind: SandboxKind | null }[] {
  const possible = listed('SANDBOXES', possibleKinds());
  return families.flatMap((family): { family: string; kind: SandboxKind | null }[] => {
    const kinds = possible.filter((kind) => kind.startsWith(family));
    return kinds.length > 0
      ? kinds.map((kind) => ({ family, kind }))
      : process.env.SANDBOXES
        ? []
        : [{ family, kind: null }];
  });
}

function listed<T extends string>(name: string, all: readonly T[]): readonly T[] {
  const wanted = process.env[name]?.split(',');
  return wanted ? all.filter((one) => wanted.includes(one)) : all;
}

async function runColumn(
  strategy: StrategyName,
  family: string,
  kind: SandboxKind | null,
  attacks: readonly Attack[],
): Promise<Column> {
  const column: Column = {
    strategy,
    family,
    kind,
    notMeasured: null,
    cells: new Map(),
    leftBehind: [],
  };
  const name = `${strategy} in ${kind ?? family}`;
  if (kind === null) return { ...column, notMeasured: 'no such sandbox for this user' };
  const opened = await openAttackRange({ sandbox: [kind], strategies: [strategy] });
  if (opened.kind !== 'open') {
    process.stderr.write(`${name}: not measured, ${opened.reason}\n`);
    return { ...column, notMeasured: opened.reason };
  }
  const { range } = opened;
  const measureIdle = async () => {
    const idle: number[] = [];
    for (let round = 0; round < idleRounds; round++) idle.push(await compileOfNeighbour(range));
    return idle;
  };
  const startedMs = Date.now();
  const quiet = attacks.filter((attack) => attack.kind !== 'exhaust');
  let next = 0;
  await Promise.all(
    Array.from({ length: sideBySide }, async () => {
      for (let attack = quiet[next++]; attack; attack = quiet[next++]) {
        const { broken, ends } = await runAttack(range, attack, { isWatched: true });
        column.cells.set(attack.what, { broken, ends, neighbourMs: [], idleMs: [], stalledMs: 0 });
        report(name, attack, broken, ends);
      }
    }),
  );
  await measureIdle();
  let before = await measureIdle();
  for (const attack of attacks.filter(({ kind: what }) => what === 'exhaust')) {
    const cell = await exhaust(range, attack);
    const after = await measureIdle();
    cell.idleMs = [...before, ...after];
    before = after;
    column.cells.set(attack.what, cell);
    const ratio = ratioOf(cell);
    report(name, attack, cell.broken, [
      ...cell.ends,
      ratio === null
        ? 'no sample'
        : `neighbour ${ratio.toFixed(2)} of idle ${Math.round(median(cell.idleMs))} ms, ${cell.neighbourMs.length} samples`,
      `stalled ${Math.round(cell.stalledMs)} ms`,
    ]);
  }
  await range.close();
  const left = boxedProcesses(range.workDir);
  if (left.length > 0) column.leftBehind.push(`${name}: ${left.length} processes`);
  process.stderr.write(
    `${name}: ${attacks.length} attacks in ${Math.round((Date.now() - startedMs) / 1000)} s\n`,
  );
  return column;
}

function report(name: string, attack: Attack, broken: string[], ends: string[]): void {
  process.stderr.write(
    `${broken.length > 0 ? 'BROKEN' : 'held'}  ${name}  ${attack.kind}: ${attack.what}  [${ends.join(', ')}]${broken.length > 0 ? `  ${broken.join('; ')}` : ''}\n`,
  );
}

/** Runs the attack, repeatedly if it ends soon, while the neighbour compiles. */
async function exhaust(range: AttackRange, attack: Attack): Promise<Cell> {
  const cell: Cell = { broken: [], ends: [], neighbourMs: [], idleMs: [], stalledMs: 0 };
  // hostile files are made before timing starts
  attack.steps(range.place);
  const until = Date.now() + attackMs;
  const stalls = monitorEventLoopDelay({ resolution: 5 });
  stalls.enable();
  for (
    let round = 1;
    round === 1 || (cell.neighbourMs.length < samplesWanted && Date.now() < until);
    round++
  ) {
    let isOver = false;
    const attackRun = runAttack(range, attack, { isWatched: false, isAlone: true, round }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const ms = await compileOfNeighbour(range);
      // a compile that continued after the attack was not disturbed all the time; it counts only if there is no
      // other
      if (!isOver || cell.neighbourMs.length === 0) cell.neighbourMs.push(ms);
    }
    const { broken, ends } = await attackRun;
    cell.broken = [...new Set([...cell.broken, ...broken])];
    cell.ends = [...new Set([...cell.ends, ...ends])];
  }
  stalls.disable();
  cell.stalledMs = stalls.max / 1e6;
  return cell;
}

let edit = 0;

/** Compiles one page of the neighbour's, with a new edit; returns the milliseconds until its PDF is there. */
async function compileOfNeighbour(range: AttackRange): Promise<number> {
  const startedMs = performance.now();
  const latex = `\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\nA page of the neighbour.\n\\[ \\int_0^1 x^2\\,dx = \\frac13 \\]\nEdit ${++edit}.\n\\end{document}\n`;
  const result = await range.typesetter.compile({
    latex,
    owner: ownerOf({ owner: 'neighbour' }),
    cpuMs: 60_000,
  });
  if (result.kind !== 'compiled') throw new Error(`the neighbour's compile ended as ${result.kind}`);
  return performance.now() - startedMs;
}

function ratioOf({ neighbourMs, idleMs }: Cell): number | null {
  return neighbourMs.length > 0 && idleMs.length > 0 ? median(neighbourMs) / median(idleMs) : null;
}

function ratiosOf(column: Column): number[] {
  return [...column.cells.values()].map(ratioOf).filter((ratio) => ratio !== null);
}

function idleOf(column: Column): number {
  const idle = [...column.cells.values()].flatMap((cell) => cell.idleMs);
  return idle.length > 0 ? median(idle) : 0;
}

function render(attacks: readonly Attack[], columns: readonly Column[]): string {
  const heads = columns.map(({ strategy, kind, family }) => `${strategy}, ${kind ?? family}`);
  const lines = [`| kind | attack | ${heads.join(' | ')} |`, `|---|---|${heads.map(() => '---|').join('')}`];
  for (const attack of attacks) {
    const cells = columns.map((column) => {
      if (column.notMeasured !== null) return 'not measured';
      const cell = column.cells.get(attack.what);
      if (!cell) return 'not measured';
      const own = ratioOf(cell);
      const ratio = own === null ? '' : `, neighbour ${own.toFixed(2)}`;
      return `${cell.broken.length > 0 ? `**came through**: ${cell.broken.join('; ')}` : 'held'}${ratio}`;
    });
    lines.push(`| ${attack.kind} | ${attack.what.replaceAll('|', '\\|')} | ${cells.join(' | ')} |`);
  }
  const rows: [string, (column: Column) => string][] = [
    [
      'came through',
      (column) =>
        `${[...column.cells.values()].filter(({ broken }) => broken.length > 0).length} of ${column.cells.size}`,
    ],
    ['neighbour idle, ms', (column) => String(Math.round(idleOf(column)))],
    [
      'neighbour during an attack, median and worst of the ratios',
      (column) =>
        ratiosOf(column).length > 0
          ? `${median(ratiosOf(column)).toFixed(2)}, ${Math.max(...ratiosOf(column)).toFixed(2)}`
          : '–',
    ],
    ['beyond twice idle', (column) => String(ratiosOf(column).filter((ratio) => ratio > 2).length)],
    [
      'longest stall of the server, ms',
      (column) =>
        String(Math.round(Math.max(0, ...[...column.cells.values()].map(({ stalledMs }) => stalledMs)))),
    ],
    ['processes left', (column) => (column.leftBehind.length > 0 ? column.leftBehind.join('; ') : '0')],
  ];
  for (const [what, value] of rows)
    lines.push(
      `| | **${what}** | ${columns.map((column) => (column.notMeasured !== null ? 'not measured' : value(column))).join(' | ')} |`,
    );
  return `${lines.join('\n')}\n`;
}
