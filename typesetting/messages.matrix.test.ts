/**
 * The broken documents of latex/log/cases, compiled again: a fresh log must yield the same messages as the
 * stored one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readLog } from '#latex/log/log.ts';
import { openTypesetter } from '../test-support/open-typesetter.ts';

const folder = new URL('../latex/log/cases/', import.meta.url);
const { typesetter } = await openTypesetter({ concurrency: 3 });

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
