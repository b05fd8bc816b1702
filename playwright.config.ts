import './test-support/own-fonts.ts';
import { existsSync } from 'node:fs';
import os from 'node:os';
import { defineConfig } from '@playwright/test';
import { leftOut, main, products, signedInState } from './e2e/support/product/addresses.ts';

/** Debian's Chromium without a window's parts, which costs half the work. */
const shell = '/usr/bin/chromium-headless-shell';
/** Debian's whole Chromium. Without either, Playwright's own is used. */
const whole = '/usr/bin/chromium';
const browser = (...programs: string[]) => ({
  executablePath: programs.find((program) => existsSync(program)),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-quic'],
});
/** Tag of flows that fail in the shell (docs/decisions/080-a-start-that-costs-less.md). */
const needsWhole = /@whole/;

// Flows in a real browser against the real product: server, PostgreSQL, TeX and the embedded reader.
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  testIgnore: leftOut,
  outputDir: 'test-results',
  // runs after the products have started: creates an account in each, and a browser signed in to all
  globalSetup: './e2e/support/product/sign-in.ts',
  fullyParallel: false,
  // each starts a browser of some hundred megabytes; the products need a core too
  workers: Math.max(2, Math.min(4, os.availableParallelism() - 1)),
  // as in vitest.config.ts: real processes on a busy machine; tests that needed a second try are listed at the
  // end
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  // a conversion really compiles: seconds on a quiet machine, more next to other work
  timeout: 180_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL: main.url,
    // every flow starts signed in; those of visitors say `test.use(visitor)`
    storageState: signedInState,
    // animations are redrawn at every frame while a flow waits; flows about motion set this to {}
    contextOptions: { reducedMotion: 'reduce' },
    // recording every flow costs more than some of the flows
    trace: 'on-first-retry',
  },
  projects: [
    {
      name: 'shell',
      grepInvert: needsWhole,
      use: { launchOptions: browser(shell, whole) },
    },
    { name: 'whole', grep: needsWhole, use: { launchOptions: browser(whole) } },
  ],
  webServer: products.map((address) => ({
    command: `node_modules/.bin/node e2e/support/product/serve.ts ${address.name}`,
    url: `${address.apiUrl}/readyz`,
    reuseExistingServer: false,
    timeout: 120_000,
    stdout: 'ignore' as const,
    stderr: 'pipe' as const,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 40_000 },
  })),
});
