import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));

/**
 * Lists by nature: one page per decision, one file per migration and per benchmark, whose name is its command, one
 * stand-in per package that TeX may ask for; at the root, what tools look for there.
 */
const lists =
  /^(?:\.|bench|docs\/decisions|server\/database\/migrations|typesetting\/texmf\/last\/tex\/inkproof\/[a-z]+)$/;

test('a file of code has at most 400 lines', () => {
  const long = files.filter(
    (file) =>
      /\.(?:tsx?|css|c|h|py|sh)$/.test(file) &&
      readFileSync(path.join(root, file), 'utf8').split('\n').length > 401,
  );
  expect(long).toEqual([]);
});

test('a folder has at most 20 files', () => {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([folder, count]) => count > 20 && !lists.test(folder))).toEqual([]);
});
