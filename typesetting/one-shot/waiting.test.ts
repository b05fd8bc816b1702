/** Whom an engine waits for, and that nothing is left of it. The rest: waiting.matrix.test.ts. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boxedProcesses } from '../testing/left-behind.ts';
import { openPair, type Pair } from './testing/open-pair.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await openPair();
});
afterAll(() => pair?.close());

const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\\begin{document}\n${body}\n\\end{document}\n`;

test('an engine waits for one owner, and knows nothing of another who writes the same preamble', async () => {
  const { compileOneShot, oneShot, told } = pair;
  const preamble = '\\InputIfFileExists{mine}{}{\\newcommand\\mine{nothing}}\n';
  const assets = [{ name: 'mine.tex', bytes: Buffer.from('\\newcommand\\mine{a secret of Ada}\n') }];
  await compileOneShot(wrap('\\section{x}\\label{x}\\mine', preamble), { assets });
  await oneShot.whenReady();
  const other = await compileOneShot(wrap('\\ref{x}\\typeout{}\\PackageWarning{seen}{\\mine}', preamble), {
    owner: 'bob',
  });
  expect(told).toEqual(['cold', 'cold']);
  expect(other.kind === 'compiled' && other.messages.map(({ message }) => message).join()).toMatch(
    /seen: nothing/,
  );
  expect(JSON.stringify(other)).toContain('undefined');
  // the first owner's still waits
  await compileOneShot(wrap('\\mine', preamble), { assets });
  expect(told.slice(2)).toEqual(['fresh']);
});

test('closed, it leaves no process and no folder', async () => {
  await pair.oneShot.close();
  expect(boxedProcesses(pair.home)).toEqual([]);
  const [own] = readdirSync(path.join(pair.home, 'work'));
  expect(readdirSync(path.join(pair.home, 'work', own!)).filter((name) => name.startsWith('job-'))).toEqual(
    [],
  );
});
