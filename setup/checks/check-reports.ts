/** The runners' JSON reports, converted to one form. */
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export interface Reading {
  passed: number;
  failed: number;
  skipped: number;
  /** Each failure: its name, and the beginning of its message on separate lines. */
  failures: string[];
  /** Tests that failed, were retried and passed, in the same form. They count as passed. */
  retried: string[];
}

/** The part of Vitest's report that is used. */
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

/** The part of Playwright's report that is used. */
interface PlaywrightReport {
  stats: { expected: number; flaky: number; unexpected: number; skipped: number };
  suites: PlaywrightSuite[];
  /** Errors outside any flow. */
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

/** @param report JSON @param root the folder that file names are relative to */
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
      // the messages of a first try stay with a test that passes the second time
      const entry = `${file} › ${test.fullName}${say(test.failureMessages.join('\n'))}`;
      if (test.status === 'failed') failures.push(entry);
      else if (test.status === 'passed' && test.failureMessages.length > 0) retried.push(entry);
    }
  }
  return {
    passed: read.numPassedTests,
    // a file that cannot be loaded fails without a test
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
