/** Uses git itself, in repositories made for it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { matrixPatterns, runsWhole } from '../../test-support/matrix.ts';
import { findBase, flowsOf, listChangedFiles, roomOf } from './changed-files.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'inkproof-changed-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let root: string;
let count = 0;
beforeEach(() => {
  root = path.join(home, String(count++));
  mkdirSync(root);
  git('init', '--quiet', '--initial-branch=main');
});

function git(...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function write(name: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), name);
}

/** @param hour of 1 January 2020 and the days after it */
function commit(name: string, hour: number): void {
  write(name);
  git('add', '.');
  const date = new Date(Date.UTC(2020, 0, 1, hour)).toISOString();
  process.env.GIT_COMMITTER_DATE = date;
  git('commit', '--quiet', `--date=${date}`, '--message=one');
  delete process.env.GIT_COMMITTER_DATE;
}

test('a branch: committed, uncommitted and new files, but nothing that landed before', () => {
  commit('typesetting/engines/passes.ts', 1);
  git('switch', '--quiet', '--create', 'work');
  commit('server/credits/ledger.ts', 2);
  write('web/app/routes.ts');
  expect(listChangedFiles(root, findBase(root)).sort()).toEqual([
    'server/credits/ledger.ts',
    'web/app/routes.ts',
  ]);
});

test('the matrices of a changed room run completely, and no others', () => {
  const rooms = [
    'typesetting/native/warm.c',
    'server/library/routes.ts',
    'reading/ink/layout/find-rows.ts',
    'reading/box.ts',
    'e2e/support/test.ts',
    'README.md',
    'server/app.ts',
  ].map(roomOf);
  expect(rooms).toEqual(['typesetting', 'server/library', 'reading/ink', 'reading', 'e2e', null, null]);
  // a changed test concerns none of its neighbours
  expect(roomOf('server/library/kills.matrix.db.test.ts')).toBe('server/library/kills.matrix.db.test.ts');
  const file = (name: string) => path.resolve(import.meta.dirname, '../..', name);
  const whole = ['typesetting'];
  expect(runsWhole(file('typesetting/attacks.matrix.test.ts'), whole)).toBe(true);
  expect(runsWhole(file('typesetting-else/attacks.matrix.test.ts'), whole)).toBe(false);
  expect(runsWhole(file('server/library/kills.matrix.db.test.ts'), whole)).toBe(false);
  expect(runsWhole(file('server/library/kills.matrix.db.test.ts'), ['all'])).toBe(true);
  expect(matrixPatterns('test.ts', whole)).toEqual(['typesetting/**/*.matrix.test.ts']);
  const named = ['server/library/kills.matrix.db.test.ts'];
  expect([matrixPatterns('test.ts', named), matrixPatterns('db.test.ts', named)]).toEqual([[], named]);
});

test('the flows that see a change run completely', () => {
  const flows = [
    'web/features/document/source/undo.ts',
    'web/features/viewer/pdf-view.tsx',
    'content/blog/first.md',
    'web/ui/pane.tsx',
    'web/app/routes.ts',
  ].map(flowsOf);
  expect(flows).toEqual(['e2e/document', 'e2e/library', 'e2e/site', 'e2e', 'e2e']);
  for (const file of ['web/public/samples/sample-print.json', 'web/ui/button.test.tsx', 'reading/box.ts'])
    expect(flowsOf(file)).toBeNull();
});

test('every feature has flows of its own', () => {
  const features = path.resolve(import.meta.dirname, '../../web/features');
  for (const feature of readdirSync(features)) {
    const flows = flowsOf(`web/features/${feature}/screen.tsx`)!;
    expect(flows, feature).not.toBe('e2e');
    expect(existsSync(path.resolve(features, '../..', flows)), flows).toBe(true);
  }
});
