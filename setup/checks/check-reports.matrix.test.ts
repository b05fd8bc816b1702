/** Uses the runners themselves, because their output format may change. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPlaywrightReport, readVitestReport } from './check-reports.ts';

/** One test of each outcome; a retried one finds its first try in the folder. */
const tests = `
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
test('passes', () => expect(1).toBe(1));
test('passes later', () => {
  const first = path.join(import.meta.dirname, 'first-try');
  const isAgain = existsSync(first);
  writeFileSync(first, '');
  expect(isAgain).toBe(true);
});
test('never passes', () => expect('ink').toBe('print'));
test.skip('is skipped', () => {});
`;

const root = path.resolve(import.meta.dirname, '../..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-reports-'));
  // a package of its own, in which the runners are found
  write('package.json', '{ "type": "module" }');
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a runner's program in the folder. @returns its exit code */
function run(program: string, args: string[], env: Record<string, string> = {}): number | null {
  const { PATH, HOME } = process.env;
  const bin = path.join(root, 'node_modules/.bin', program);
  return spawnSync(bin, args, { cwd: folder, env: { PATH, HOME, ...env } }).status;
}

function write(name: string, text: string): void {
  writeFileSync(path.join(folder, name), text);
}

test('Vitest: a test that passes on retry counts as passed and is reported', () => {
  write('vitest.config.mjs', `export default { test: { include: ['*.unit.mjs'], retry: 1 } };`);
  write('outcomes.unit.mjs', `import { expect, test } from 'vitest';${tests}`);
  expect(run('vitest', ['run', '--reporter=json', '--outputFile.json=report.json'])).toBe(1);
  const reading = readVitestReport(readFileSync(path.join(folder, 'report.json'), 'utf8'), folder);
  expect(reading).toMatchObject({ passed: 2, failed: 1, skipped: 1 });
  expect(reading.retried).toEqual([expect.stringMatching(/^outcomes\.unit\.mjs › passes later\n +\S/)]);
  expect(reading.failures).toEqual([expect.stringMatching(/^outcomes\.unit\.mjs › never passes\n.*'ink'/)]);
});

test('Vitest: a file that cannot be loaded is a failure, with its reason', () => {
  write('vitest.config.mjs', `export default { test: { include: ['*.broken.mjs'] } };`);
  write('no.broken.mjs', `import './nothing-here.mjs';`);
  expect(run('vitest', ['run', '--reporter=json', '--outputFile.json=broken.json'])).toBe(1);
  const reading = readVitestReport(readFileSync(path.join(folder, 'broken.json'), 'utf8'), folder);
  expect(reading).toMatchObject({ passed: 0, failed: 1, retried: [] });
  expect(reading.failures.join()).toMatch(/^no\.broken\.mjs: .*nothing-here/);
});

test('Playwright: likewise', () => {
  rmSync(path.join(folder, 'first-try'), { force: true });
  write('playwright.config.mjs', `export default { testMatch: '*.flow.mjs', retries: 1, workers: 1 };`);
  write('outcomes.flow.mjs', `import { expect, test } from '@playwright/test';${tests}`);
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: path.join(folder, 'flows.json') };
  expect(run('playwright', ['test', '--reporter=json'], env)).toBe(1);
  const reading = readPlaywrightReport(readFileSync(path.join(folder, 'flows.json'), 'utf8'));
  expect(reading).toMatchObject({ passed: 2, failed: 1, skipped: 1 });
  expect(reading.retried).toEqual([expect.stringMatching(/^outcomes\.flow\.mjs › passes later\n +\S/)]);
  expect(reading.failures).toEqual([
    expect.stringMatching(/^outcomes\.flow\.mjs › never passes\n[\s\S]*"ink"/),
  ]);
});
