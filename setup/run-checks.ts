/**
 * Every check, one kind after the other: `./test` runs all, `./test unit browser` some.
 * Each kind prints one line when it is done; the last line is `N passed, N failed`. The exit code is that of the worst kind.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type Reading, readPlaywrightReport, readVitestReport } from './check-reports.ts';

interface Kind {
  name: string;
  command: string[];
  /** Reads the report; without one, the whole command is one check. */
  read?: (report: string) => Reading;
  env?: Record<string, string>;
}

const reports = mkdtempSync(path.join(tmpdir(), 'inkproof-checks-'));
const reportOf = (name: string) => path.join(reports, `${name}.json`);

const vitest = (name: string): Kind => ({
  name,
  command: [
    'vitest',
    'run',
    '--project',
    name,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportOf(name)}`,
  ],
  read: (report) => readVitestReport(report, process.cwd()),
});

const kinds: Kind[] = [
  { name: 'format', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'arrows', command: ['node', 'setup/check-arrows.ts'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
  { name: 'migrations', command: ['npm', 'run', '--silent', 'migrations:check'] },
  vitest('unit'),
  vitest('database'),
  {
    name: 'browser',
    command: ['playwright', 'test', '--reporter=line,json'],
    read: readPlaywrightReport,
    env: {
      PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('browser'),
      PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf('browser'),
    },
  },
];

function run(kind: Kind): Promise<number> {
  return new Promise((resolve) => {
    const [program, ...args] = kind.command;
    const child = spawn(program!, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...kind.env },
    });
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(127);
    });
    child.on('close', (code, signal) => resolve(code ?? (signal ? 128 : 1)));
  });
}

function readOutcome(kind: Kind, code: number): Reading {
  const file = reportOf(kind.name);
  const reading: Reading = kind.read
    ? existsSync(file)
      ? kind.read(readFileSync(file, 'utf8'))
      : { passed: 0, failed: 0, skipped: 0, failures: [], retried: [] }
    : { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0, failures: [], retried: [] };
  // whatever made the runner fail counts, even when no single test did; a run that found no test proves nothing
  if ((code !== 0 || reading.passed === 0) && reading.failed === 0) reading.failed = 1;
  if (reading.failed > 0 && reading.failures.length === 0)
    reading.failures.push(`${kind.name}: its output stands above`);
  return reading;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !kinds.some((kind) => kind.name === name));
if (unknown.length) {
  console.error(
    `No check is called ${unknown.join(', ')}. There are: ${kinds.map((kind) => kind.name).join(', ')}.`,
  );
  process.exit(2);
}

const total = { passed: 0, failed: 0, skipped: 0 };
let worst = 0;
const summary: string[] = [];
const failures: string[] = [];
const retried: string[] = [];
for (const kind of kinds.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  console.log(`\n== ${kind.name}`);
  const began = Date.now();
  const code = await run(kind);
  const reading = readOutcome(kind, code);
  for (const count of ['passed', 'failed', 'skipped'] as const) total[count] += reading[count];
  worst = Math.max(worst, code, reading.failed > 0 ? 1 : 0);
  failures.push(...reading.failures);
  retried.push(...reading.retried);
  const skipped = reading.skipped ? `, ${reading.skipped} skipped` : '';
  const again = reading.retried.length ? `, ${reading.retried.length} only at the second try` : '';
  const seconds = Math.round((Date.now() - began) / 1000);
  summary.push(
    `${kind.name}: ${reading.passed} passed, ${reading.failed} failed${skipped}${again} (${seconds} s)`,
  );
}
rmSync(reports, { recursive: true, force: true });
if (retried.length) console.log(`\nPassed only at the second try:\n  ${retried.join('\n  ')}`);
if (failures.length) console.log(`\nFailed:\n  ${failures.join('\n  ')}`);
console.log(`\n${summary.join('\n')}\n`);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = worst;
