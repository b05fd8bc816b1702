/**
 * Every check, one kind after the other: `./test` runs all, `./test unit browser` some.
 * Each kind prints one line when it is done; the last line is `N passed, N failed`. The exit code is that of the worst kind.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** What is used of the runners' JSON reports. */
interface VitestFile {
  name: string;
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}
interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: {
    file: string;
    title: string;
    tests: { status: string; results: { error?: { message: string } }[] }[];
  }[];
}

interface Kind {
  name: string;
  command: string[];
  /** Reads the counts from the report; without one, the whole command is one check. */
  tally?: (report: string) => Tally;
  /** Reads from the report what failed, a line or a few each: said once more at the end, where it is looked for. */
  failures?: (report: string) => string[];
  env?: Record<string, string>;
}

const reports = mkdtempSync(path.join(tmpdir(), 'inkproof-checks-'));
const reportOf = (name: string) => path.join(reports, `${name}.json`);

/** Vitest's JSON report. */
function tallyVitest(report: string): Tally {
  const {
    numPassedTests,
    numFailedTests,
    numPendingTests = 0,
    numTodoTests = 0,
    numFailedTestSuites = 0,
  } = JSON.parse(report);
  // a file that cannot be loaded fails without a test of its own
  const failed = numFailedTests || Math.min(numFailedTestSuites, 1);
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
}

/** The names of the tests that failed, each with the beginning of its message. */
function failuresOfVitest(report: string): string[] {
  const { testResults }: { testResults: VitestFile[] } = JSON.parse(report);
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return message ? [`${file}: ${shorten(message)}`] : [];
    return failed.map(
      (test) => `${file} › ${test.fullName}\n    ${shorten(test.failureMessages.join('\n'))}`,
    );
  });
}

const shorten = (message: string) =>
  stripVTControlCharacters(message).split('\n').slice(0, 8).join('\n    ').slice(0, 800);

/** The titles of the flows that failed, with the beginning of each message; those that needed a second try are named too. */
function failuresOfPlaywright(report: string): string[] {
  const walk = (suite: PlaywrightSuite): string[] => [
    ...(suite.suites ?? []).flatMap(walk),
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests
        .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
        .map(
          (test) =>
            `${spec.file} › ${spec.title}${test.status === 'flaky' ? ' (passed at the second try)' : ''}\n    ${shorten(test.results[0]?.error?.message ?? '')}`,
        ),
    ),
  ];
  return JSON.parse(report).suites.flatMap(walk);
}

/** Playwright's JSON report. */
function tallyPlaywright(report: string): Tally {
  const { stats } = JSON.parse(report);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

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
  tally: tallyVitest,
  failures: failuresOfVitest,
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
    tally: tallyPlaywright,
    failures: failuresOfPlaywright,
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

function count(kind: Kind, code: number): Tally {
  if (!kind.tally) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  const file = reportOf(kind.name);
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const tally = kind.tally(readFileSync(file, 'utf8'));
  // whatever made the runner fail counts, even when no single test did; a run that found no test proves nothing
  if ((code !== 0 || tally.passed === 0) && tally.failed === 0) tally.failed = 1;
  return tally;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !kinds.some((kind) => kind.name === name));
if (unknown.length) {
  console.error(
    `No check is called ${unknown.join(', ')}. There are: ${kinds.map((kind) => kind.name).join(', ')}.`,
  );
  process.exit(2);
}

const total: Tally = { passed: 0, failed: 0, skipped: 0 };
let worst = 0;
const summary: string[] = [];
const failures: string[] = [];
for (const kind of kinds.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  console.log(`\n== ${kind.name}`);
  const began = Date.now();
  const code = await run(kind);
  const tally = count(kind, code);
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.skipped += tally.skipped;
  worst = Math.max(worst, code, tally.failed > 0 ? 1 : 0);
  if (kind.failures && existsSync(reportOf(kind.name)))
    failures.push(...kind.failures(readFileSync(reportOf(kind.name), 'utf8')));
  else if (tally.failed > 0) failures.push(`${kind.name}: its output stands above`);
  const skipped = tally.skipped ? `, ${tally.skipped} skipped` : '';
  summary.push(
    `${kind.name}: ${tally.passed} passed, ${tally.failed} failed${skipped} (${Math.round((Date.now() - began) / 1000)} s)`,
  );
}
rmSync(reports, { recursive: true, force: true });
if (failures.length) console.log(`\nFailed, or passed only at the second try:\n  ${failures.join('\n  ')}`);
console.log(`\n${summary.join('\n')}\n`);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = worst;
