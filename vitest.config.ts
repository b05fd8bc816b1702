import './test-support/own-fonts.ts';
import os from 'node:os';
import { defineConfig } from 'vitest/config';
import { rooms } from './setup/checks/rooms.ts';
import { matrixPatterns } from './test-support/matrix.ts';

/** Ends a test that hangs. No test depends on it: on a busy machine a page is read in a minute. */
const patienceMs = 300_000;

/** Files of a kind, the matrices only where this run takes them (test-support/matrix.ts). */
const files = (include: string, suffix: string) => ({
  include: [include, ...matrixPatterns(suffix)],
  setupFiles: ['test-support/count-work.ts', 'test-support/quick-start.ts'],
});

// Three kinds: unit, database (*.db.test.ts: a real PostgreSQL), and the browser's own under e2e/ (Playwright).
export default defineConfig({
  test: {
    // real processes on a busy machine: a test may try again once, and the report marks it (retry x1)
    retry: 1,
    // what waits for a process may wait as long as the process takes there
    expect: { poll: { timeout: 120_000 } },
    // Vitest alone would leave a core to itself, and what waits for processes and leases leaves one too
    maxWorkers: os.availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'unit',
          // a worker takes one file after the other: what they import is read once, and each leaves nothing behind
          isolate: false,
          ...files(`{${rooms.join()}}/**/!(*.matrix|*.db).test.{ts,tsx}`, 'test.ts'),
          testTimeout: patienceMs,
          hookTimeout: patienceMs,
        },
      },
      {
        test: {
          name: 'database',
          isolate: false,
          ...files('server/**/!(*.matrix).db.test.ts', 'db.test.ts'),
          globalSetup: ['test-support/database-setup.ts'],
          testTimeout: patienceMs,
          hookTimeout: patienceMs,
        },
      },
    ],
  },
});
