/**
 * The broken documents of latex/log/cases, compiled again: a fresh log must yield the same messages as the
 * stored one.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLog } from '#latex/log/log.ts';
import { createTypesetter, type Typesetter } from './index.ts';

const folder = new URL('../latex/log/cases/', import.meta.url);
let home: string;
let typesetter: Typesetter;

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'inkproof-messages-'));
  chmodSync(home, 0o755);
  typesetter = await createTypesetter({ workDir: path.join(home, 'work'), concurrency: 3 });
});
afterAll(async () => {
  await typesetter?.close();
  rmSync(home, { recursive: true, force: true });
});

// our tree has a minted that compiles; its log is from elsewhere
const names = readdirSync(folder).filter((name) => name !== 'missing-minted');

test.concurrent.each(names)('%s', async (name) => {
  const latex = readFileSync(new URL(`${name}/main.tex`, folder), 'utf8');
  const stored = readLog(readFileSync(new URL(`${name}/log.txt`, folder), 'utf8'), latex);
  const result = await typesetter.compile({ latex, owner: name });
  if (result.kind !== 'compiled' && result.kind !== 'failed') throw new Error(result.kind);
  const isFailure = stored.some((message) => message.level === 'error');
  expect(result.kind).toBe(isFailure ? 'failed' : 'compiled');
  // wording that TeX Live changes from year to year is not compared: only where, how bad, and what to do
  const gist = (messages: typeof stored) =>
    messages
      .filter((message) => message.level === 'error')
      .slice(0, 1)
      .map(({ file, line, suggestion }) => ({ file, line, suggestion }));
  expect(gist(result.messages)).toEqual(gist(stored));
});
