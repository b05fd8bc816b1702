/** What an engine waits for, how long, and what is left of it. For whom: waiting.test.ts. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { boxedProcesses, jobFolders } from '../testing/left-behind.ts';
import type { CompileProgress } from '../typesetter.ts';
import type { OneShotOptions } from './create-one-shot-strategy.ts';
import { openPair, type Pair } from './testing/open-pair.ts';

let pair: Pair;
const open = async (options?: OneShotOptions, cpuMs?: number) => {
  pair = await openPair(options, cpuMs);
  return pair;
};
afterEach(async () => {
  const { oneShot, home } = pair;
  await oneShot.close();
  expect(boxedProcesses(home)).toEqual([]);
  expect(jobFolders(path.join(home, 'work'))).toEqual([]);
  const [own] = readdirSync(path.join(home, 'work'));
  expect(readdirSync(path.join(home, 'work', own!)).filter((name) => name.startsWith('job-'))).toEqual([]);
  await pair.close();
});

const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\\begin{document}\n${body}\n\\end{document}\n`;

test('another figure of the same name is another document', async () => {
  const { compileOneShot, oneShot, told } = await open();
  const assets = (text: string) => [{ name: 'mine.tex', bytes: Buffer.from(text) }];
  const latex = wrap('\\PackageWarning{seen}{\\mine}', '\\input{mine}\n');
  await compileOneShot(latex, { assets: assets('\\def\\mine{one}') });
  await oneShot.whenReady();
  const result = await compileOneShot(latex, { assets: assets('\\def\\mine{two}') });
  expect(told).toEqual(['cold', 'cold']);
  expect(JSON.stringify(result)).toContain('seen: two');
});

test('the pages of a pass are shown before the pass that settles the references', async () => {
  const { compileOneShot, oneShot } = await open();
  const shown: CompileProgress[] = [];
  const onProgress = (progress: CompileProgress) => shown.push(progress);
  const latex = (names: string[]) =>
    wrap(`\\tableofcontents${names.map((name) => `\\section{${name}}`).join('')}`);
  await compileOneShot(latex(['A']), { onProgress });
  expect(shown).toMatchObject([{ kind: 'pass', pageCount: 1 }]);
  await oneShot.whenReady();
  const second = await compileOneShot(latex(['A', 'B']), { onProgress });
  expect(shown).toHaveLength(2);
  expect(second).toMatchObject({ kind: 'compiled', passes: 2 });
  await oneShot.whenReady();
  // nothing follows the only pass of an edit that changes no reference
  expect(await compileOneShot(`${latex(['A', 'B'])}%`, { onProgress })).toMatchObject({ passes: 1 });
  expect(shown).toHaveLength(2);
});

test('an engine does not wait past its day', async () => {
  let now = Date.parse('2026-03-01T23:50:00Z');
  const { compileOneShot, oneShot, told } = await open({ now: () => now });
  await compileOneShot(wrap('a'));
  await oneShot.whenReady();
  now = Date.parse('2026-03-02T00:01:00Z');
  await compileOneShot(wrap('b'));
  expect(told).toEqual(['cold', 'cold']);
});

test('engines beyond the budget are ended, the least recently used first', async () => {
  const { compileOneShot, oneShot, told } = await open({ memoryBytes: 1 });
  await compileOneShot(wrap('a'));
  await oneShot.whenReady();
  await compileOneShot(wrap('b'));
  expect(told.filter((what) => what === 'evicted: memory').length).toBeGreaterThan(0);
  expect(told.filter((what) => what === 'fresh')).toEqual([]);
});

test('more owners than boxes may stay: the last ones have theirs', async () => {
  const { compileOneShot, oneShot, told } = await open();
  const owners = ['a', 'b', 'c', 'd', 'e'];
  for (const owner of owners) {
    await compileOneShot(wrap('x'), { owner });
    await oneShot.whenReady();
  }
  told.splice(0);
  await compileOneShot(wrap('y'), { owner: 'e' });
  await compileOneShot(wrap('y'), { owner: 'd' });
  expect(told.filter((what) => !what.startsWith('evicted'))).toEqual(['fresh', 'fresh']);
});

test('a job cancelled at any moment ends, and the next one works', async () => {
  const { compileOneShot } = await open();
  await compileOneShot(wrap('a', '\\usepackage{amsmath}\n'));
  for (const afterMs of [0, 3, 30, 90]) {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), afterMs);
    const latex = wrap(`${afterMs}\\loop\\iftrue\\repeat`, '\\usepackage{amsmath}\n');
    expect(await compileOneShot(latex, {}, abort.signal)).toEqual({ kind: 'cancelled' });
  }
  expect((await compileOneShot(wrap('b', '\\usepackage{amsmath}\n'))).kind).toBe('compiled');
});

test('limits hold for an engine that waited', async () => {
  const { compileOneShot, oneShot, told } = await open({}, 4_000);
  const first = (latex: string) => compileOneShot(latex);
  await first(wrap('a'));
  const bodies: [string, RegExp][] = [
    ['\\loop\\iftrue\\repeat', /timed-out/],
    [
      '\\newwrite\\w\\newcount\\n\\loop\\immediate\\openout\\w=f\\the\\n.txt \\immediate\\write\\w{x}\\immediate\\closeout\\w\\advance\\n1 \\iftrue\\repeat',
      /too many files/,
    ],
  ];
  for (const [body, expected] of bodies) {
    await oneShot.whenReady();
    expect(JSON.stringify(await first(wrap(body)))).toMatch(expected);
  }
  expect(told.filter((what) => what === 'fresh').length).toBe(2);
});

test('closing while engines start leaves nothing', async () => {
  const { compileOneShot, oneShot } = await open();
  await compileOneShot(wrap('a', '\\usepackage{tikz}\n'));
  await sleep(40);
  await oneShot.close();
});
