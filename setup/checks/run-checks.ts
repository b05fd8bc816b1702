/**
 * Runs the checks, as described by `./test --help`. Quick ones run in parallel, the rest two at a time, each
 * line with its kind. Progress is printed after each; the last line is `N passed, N failed`. The exit code is
 * that of the worst kind.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { type Kind, listLeftOut, plan } from './check-kinds.ts';
import type { Reading } from './check-reports.ts';

const usage = `./test                  everything that is needed at every change
./test --all            the matrices too (test-support/matrix.ts)
./test --changed        what belongs to the files that changed, their rooms' matrices included
./test PATH…            what belongs to a folder, a test or a source file
./test --watch PATH…    the same again whenever a file changes
./test KIND…            one kind: format, arrows, types, migrations, unit, database, browser`;

const reports = mkdtempSync(path.join(tmpdir(), 'inkproof-checks-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const workList = path.join(reports, 'work.txt');
const workOfKind = path.join(reports, 'kind-');

const commandLine = process.argv.slice(2);
if (commandLine.includes('--help')) {
  console.log(usage);
  process.exit(0);
}
const planned = plan(commandLine, { root: path.resolve(import.meta.dirname, '../..'), reports });
if (planned.kind === 'unknown') {
  console.error(`${planned.reason}\n\n${usage}`);
  process.exit(2);
}
const env: NodeJS.ProcessEnv = {
  ...process.env,
  CHECKS_WORK: workList,
  CHECKS_WHOLE: planned.whole.join(' '),
};
if (planned.kind === 'watch')
  process.exit(spawnSync('vitest', ['watch', ...planned.paths], { stdio: 'inherit', env }).status ?? 1);
const rooms = planned.whole.filter((room) => !commandLine.includes(room));
if (rooms.length > 0) console.log(`Matrices run whole: ${rooms.join(', ')}.`);

interface Outcome {
  code: number;
  /** Its output, if that is collected until it has ended. */
  output: string;
  seconds: number;
  /** CPU seconds of every process that was waited for. */
  work: number | null;
}

function run(kind: Kind): Promise<Outcome> {
  const began = Date.now();
  const workFile = workOfKind + kind.name;
  // bash reports the CPU time of a command and all its waited-for descendants, which Node cannot
  const counted = `TIMEFORMAT='%U %S'; { time "$@" 2>&4; } 4>&2 2>"$0"`;
  return new Promise((resolve) => {
    let output = '';
    const end = (code: number) => {
      const seconds = (Date.now() - began) / 1000;
      const timing = existsSync(workFile) ? readFileSync(workFile, 'utf8') : '';
      // bash uses the decimal separator of the user's locale
      const times = timing.trim().replaceAll(',', '.').split(/\s+/);
      const work = times.length === 2 ? Number(times[0]) + Number(times[1]) : null;
      resolve({ code, output, seconds, work });
    };
    const stdio = isAlone(kind) ? 'inherit' : 'pipe';
    const child = spawn('bash', ['-c', counted, workFile, ...kind.command], {
      stdio: ['ignore', stdio, stdio],
      env: { ...env, ...kind.env },
    });
    for (const stream of [child.stdout, child.stderr].filter((stream) => stream !== null)) {
      if (kind.isQuick) stream.on('data', (text: Buffer) => (output += text));
      else createInterface(stream).on('line', (line) => console.log(`${kind.name.padEnd(8)} | ${line}`));
    }
    child.on('error', (error) => {
      console.error(`${kind.name}: ${error.message}`);
      end(127);
    });
    child.on('close', (code, signal) => end(code ?? (signal ? 128 : 1)));
  });
}

function readOutcome(kind: Kind, code: number): Reading {
  const none: Reading = { passed: 0, failed: 0, skipped: 0, failures: [], retried: [] };
  let reading = none;
  if (!kind.read) reading = { ...none, passed: code === 0 ? 1 : 0 };
  else if (existsSync(kind.report)) reading = kind.read(readFileSync(kind.report, 'utf8'));
  // a failing runner counts even if no single test failed; a run that found no test proves nothing
  const isEmpty = reading.passed === 0 && !kind.mayBeEmpty;
  if ((code !== 0 || isEmpty) && reading.failed === 0) reading.failed = 1;
  if (reading.failed > 0 && reading.failures.length === 0)
    reading.failures.push(`${kind.name}: see its output above`);
  return reading;
}

const { kinds } = planned;
const isAlone = ({ isQuick }: Kind) => !isQuick && kinds.filter((kind) => !kind.isQuick).length === 1;
const total = { passed: 0, failed: 0, skipped: 0 };
let worst = 0;
const summary: string[] = [];
const failures: string[] = [];
const retried: string[] = [];
const began = Date.now();

function take(kind: Kind, { code, output, seconds, work }: Outcome): void {
  const reading = readOutcome(kind, code);
  for (const count of ['passed', 'failed', 'skipped'] as const) total[count] += reading[count];
  worst = Math.max(worst, code, reading.failed > 0 ? 1 : 0);
  failures.push(...reading.failures);
  retried.push(...reading.retried);
  const skipped = reading.skipped ? `, ${reading.skipped} skipped` : '';
  const again = reading.retried.length ? `, ${reading.retried.length} only at the second try` : '';
  const used = work === null ? '' : `, ${Math.round(work)} s of a core`;
  const line = `${kind.name}: ${reading.passed} passed, ${reading.failed} failed${skipped}${again} (${say(seconds)}${used})`;
  summary.push(line);
  if (code !== 0 && output) console.log(`\n== ${kind.name}\n${output}`);
  console.log(`[${summary.length} of ${kinds.length}, ${say((Date.now() - began) / 1000)}] ${line}`);
}

const say = (seconds: number) =>
  seconds < 100
    ? `${Math.round(seconds)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;

/**
 * Prints the cost of the most expensive test files. A file's figure covers the processes it saw end; the kind's
 * covers more.
 */
function printSlowest(): void {
  if (!existsSync(workList)) return;
  const files = readFileSync(workList, 'utf8').trim().split('\n');
  const slowest = files.sort((one, other) => Number.parseFloat(other) - Number.parseFloat(one)).slice(0, 8);
  if (files.length > 8) console.log(`\nSlowest test files, in seconds of a core:\n  ${slowest.join('\n  ')}`);
}

await Promise.all(kinds.filter(({ isQuick }) => isQuick).map(async (kind) => take(kind, await run(kind))));
// two in parallel: one alone leaves a core idle whenever it waits for a process or a page
const waiting = kinds.filter(({ isQuick }) => !isQuick);
const runInTurn = async () => {
  for (let kind = waiting.shift(); kind; kind = waiting.shift()) take(kind, await run(kind));
};
await Promise.all([runInTurn(), runInTurn()]);

printSlowest();
if (retried.length) console.log(`\nPassed only at the second try:\n  ${retried.join('\n  ')}`);
if (failures.length) console.log(`\nFailed:\n  ${failures.join('\n  ')}`);
if (commandLine.length === 0) console.log(`\n${listLeftOut(planned.whole)}`);
console.log(`\n${summary.join('\n')}\n`);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = worst;
