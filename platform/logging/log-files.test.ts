import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFiles, removeOldLogs } from './log-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (day: string, time = '12:00') => Date.parse(`${day}T${time}:00Z`);

test('each day has its file, which only its owner can read; the first line of another day starts a new one', () => {
  let now = at('2026-03-01', '23:59');
  const files = openLogFiles(folder, () => now);
  files.write('one\n');
  now = at('2026-03-02', '00:00');
  files.write('two\n');
  files.write('three\n');
  files.close();
  expect(readdirSync(folder).sort()).toEqual(['inkproof-2026-03-01.log', 'inkproof-2026-03-02.log']);
  expect(readFileSync(path.join(folder, 'inkproof-2026-03-02.log'), 'utf8')).toBe('two\nthree\n');
  expect(statSync(path.join(folder, 'inkproof-2026-03-01.log')).mode & 0o777).toBe(0o600);
});

test('files are kept for 14 days and then removed, whoever wrote them; others stay', () => {
  const names = [
    'inkproof-2026-03-01.log',
    'inkproof-2026-03-02.log',
    'postgresql-2026-02-27.log',
    'postgresql-2026-03-15.log',
    'notes.txt',
    'inkproof.log',
  ];
  for (const name of names) writeFileSync(path.join(folder, name), '');
  removeOldLogs(folder, at('2026-03-16'));
  expect(readdirSync(folder).sort()).toEqual(
    ['inkproof-2026-03-02.log', 'inkproof.log', 'notes.txt', 'postgresql-2026-03-15.log'].sort(),
  );
});

test('a process that runs for a month never has more than 15 files', () => {
  let now = at('2026-03-01');
  const files = openLogFiles(folder, () => now);
  for (let day = 0; day < 30; day++, now += 24 * 60 * 60_000) files.write(`day ${day}\n`);
  files.close();
  const names = readdirSync(folder).sort();
  expect(names).toHaveLength(15);
  expect([names[0], names.at(-1)]).toEqual(['inkproof-2026-03-16.log', 'inkproof-2026-03-30.log']);
});

test('a folder that cannot be written costs no request', () => {
  const files = openLogFiles(folder);
  rmSync(folder, { recursive: true });
  expect(() => files.write('lost\n')).not.toThrow();
});
