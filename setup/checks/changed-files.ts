/** Which files a change touches, for `./test --changed` and for a run in CI, which knows a commit and no change. */
import { spawnSync } from 'node:child_process';
import { crafts } from './rooms.ts';

/** How far back a run in CI looks for rooms that changed: it sees one commit, and several may have landed with it. */
const landedWithinMs = 4 * 3_600_000;

function git(root: string, ...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

const lines = (text: string | null) => (text ? text.split('\n') : []);

/**
 * The commit that the work at hand began with: where this branch left the main one; for work on the main branch itself,
 * the last commit that was pushed. Without either, the last commit.
 */
export function findBase(root: string): string {
  for (const main of ['@{upstream}', 'origin/HEAD', 'origin/main', 'main']) {
    const base = git(root, 'merge-base', 'HEAD', main);
    if (base) return base;
  }
  return 'HEAD';
}

/** Files that differ from `base`, those that git does not know yet included; from the project's root. */
export function listChangedFiles(root: string, base: string): string[] {
  return [
    ...lines(git(root, 'diff', '--name-only', '--no-renames', base)),
    ...lines(git(root, 'ls-files', '--others', '--exclude-standard')),
  ];
}

/** Files that were changed by the last commit or within four hours before it. A clone without history knows the commit alone. */
export function listLandedFiles(root: string): string[] {
  const landed = git(root, 'log', '-1', '--format=%ct');
  if (!landed) return [];
  const since = new Date(Number(landed) * 1000 - landedWithinMs).toISOString();
  const log = git(root, 'log', `--since=${since}`, '--name-only', '--no-renames', '--format=');
  return [...new Set(lines(log).filter(Boolean))];
}

/**
 * What runs whole because a file changed: the room of a source file (a craft, or two folders elsewhere), and all flows
 * where it belongs to them; of a test, the test alone. Null where that is none.
 */
export function roomOf(file: string): string | null {
  if (isTest(file)) return file;
  const folders = file.split('/').slice(0, -1);
  if (folders[0] === 'e2e' || crafts.includes(folders[0]!)) return folders[0]!;
  return folders.length > 1 ? folders.slice(0, 2).join('/') : null;
}

/** @param file of tests or of flows, by its name */
export const isTest = (file: string) => /\.(?:test|spec)\.tsx?$/.test(file);
