/** Which files a change touches, and what `./test --changed` runs for them. */
import { spawnSync } from 'node:child_process';
import { crafts } from './rooms.ts';

function git(root: string, ...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

const lines = (text: string | null) => (text ? text.split('\n') : []);

/**
 * The commit that the present work started from: where this branch left the main one; on the main branch
 * itself, the last pushed commit. Without either, the last commit.
 */
export function findBase(root: string): string {
  for (const main of ['@{upstream}', 'origin/HEAD', 'origin/main', 'main']) {
    const base = git(root, 'merge-base', 'HEAD', main);
    if (base) return base;
  }
  return 'HEAD';
}

/** Files that differ from `base`, including untracked ones, relative to the project's root. */
export function listChangedFiles(root: string, base: string): string[] {
  return [
    ...lines(git(root, 'diff', '--name-only', '--no-renames', base)),
    ...lines(git(root, 'ls-files', '--others', '--exclude-standard')),
  ];
}

/**
 * What runs completely because a file changed: the room of a source file (a craft, but each reader by itself, or two
 * folders elsewhere), and all flows if it affects them; for a test, only the test. Null if there is none.
 */
export function roomOf(file: string): string | null {
  if (isTest(file)) return file;
  const folders = file.split('/').slice(0, -1);
  if (folders[0] === 'reading') return folders.slice(0, 2).join('/');
  if (folders[0] === 'e2e' || crafts.includes(folders[0]!)) return folders[0]!;
  return folders.length > 1 ? folders.slice(0, 2).join('/') : null;
}

/** @param file name of a file that may contain tests or flows */
export const isTest = (file: string) => /\.(?:test|spec)\.tsx?$/.test(file);

/** The flows that show a feature of the browser's side. */
const flowsOfFeature: Record<string, string> = {
  account: 'e2e/account',
  billing: 'e2e/account',
  blog: 'e2e/site',
  convert: 'e2e/convert',
  document: 'e2e/document',
  landing: 'e2e/site',
  library: 'e2e/library',
  site: 'e2e/site',
  viewer: 'e2e/library',
};

/**
 * The flows that see a change: a feature's own, those of the site for what it is made of, and all of them for what
 * features share. What `site/` writes are pictures and samples, which its own tests compare with what is read now.
 *
 * @returns a folder of flows, or null if no flow sees it
 */
export function flowsOf(file: string): string | null {
  if (file.startsWith('web/public/') || isTest(file)) return null;
  const [top, second, feature] = file.split('/');
  if (top === 'site' || top === 'content') return 'e2e/site';
  if (top !== 'web') return null;
  return (second === 'features' && flowsOfFeature[feature!]) || 'e2e';
}
