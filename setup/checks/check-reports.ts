/** What the runners of the checks say in their JSON reports, in one form. */
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export interface Reading {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed: its name, and on lines of their own the beginning of its message. */
  failures: string[];
  /** What failed, was tried again and passed, in the same form. It counts as passed. */
  retried: string[];
}

/** What is used of Vitest's report. */
interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests?: number;
  numTodoTests?: number;
  numFailedTestSuites?: number;
  testResults: VitestFile[];
}
interface VitestFile {
  name: string;
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

/** What is used of Playwright's. */
interface PlaywrightReport {
  stats: { expected: number; flaky: number; unexpected: number; skipped: number };
  suites: PlaywrightSuite[];
  /** What went wrong outside of any flow. */
  errors?: { message?: string }[];
}
interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: {
    file: string;
    title: string;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
}

/** @param report JSON @param root what the names of files are relative to */
export function readVitestReport(report: string, root: string): Reading {
  const read: VitestReport = JSON.parse(report);
  const failures: string[] = [];
  const retried: string[] = [];
  for (const { name, message, assertionResults } of read.testResults) {
    const file = path.relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // a file that cannot be loaded has a message of its own
    if (failed.length === 0 && message) failures.push(`${file}: ${shorten(message)}`);
    for (const test of assertionResults) {
      // the messages of a first try stay with a test that passes at its second
      const entry = `${file} › ${test.fullName}${say(test.failureMessages.join('\n'))}`;
      if (test.status === 'failed') failures.push(entry);
      else if (test.status === 'passed' && test.failureMessages.length > 0) retried.push(entry);
    }
  }
  return {
    passed: read.numPassedTests,
    // a file that cannot be loaded fails without a test of its own
    failed: read.numFailedTests || Math.min(read.numFailedTestSuites ?? 0, 1),
    skipped: (read.numPendingTests ?? 0) + (read.numTodoTests ?? 0),
    failures,
    retried,
  };
}

/** @param report JSON */
export function readPlaywrightReport(report: string): Reading {
  const { stats, suites, errors = [] }: PlaywrightReport = JSON.parse(report);
  const failures: string[] = errors.map((error) => shorten(error.message ?? ''));
  const retried: string[] = [];
  const walk = (suite: PlaywrightSuite): void => {
    for (const inner of suite.suites ?? []) walk(inner);
    for (const spec of suite.specs ?? [])
      for (const { status, results } of spec.tests) {
        const entry = `${spec.file} › ${spec.title}${say(results[0]?.error?.message ?? '')}`;
        if (status === 'unexpected') failures.push(entry);
        else if (status === 'flaky') retried.push(entry);
      }
  };
  for (const suite of suites) walk(suite);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures,
    retried,
  };
}

const say = (message: string) => (message ? `\n    ${shorten(message)}` : '');

const shorten = (message: string) =>
  stripVTControlCharacters(message).split('\n').slice(0, 8).join('\n    ').slice(0, 800);
