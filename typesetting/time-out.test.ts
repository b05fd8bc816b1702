/** A document whose time runs out: the pages typeset until then, and how far it came. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { StrategyName } from './engines/strategy.ts';
import { createTypesetter } from './index.ts';
import { pdfText } from './testing/find-leak.ts';

const home = mkdtempSync(path.join(tmpdir(), 'inkproof-time-out-'));
chmodSync(home, 0o755);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const wrap = (body: string) =>
  `\\documentclass{article}\n\\begin{document}\nFirst page.\\newpage\nSecond page.\\newpage\n${body}\n\\end{document}\n`;

const endless = [
  ['a loop', '\\loop\\iftrue\\repeat'],
  ['a command that uses itself', '\\def\\x{\\x}\\x'],
] as const;

describe.each(['fork-server', 'cold'] as const satisfies StrategyName[])('%s', (strategy) => {
  const opened = createTypesetter({
    workDir: path.join(home, strategy),
    concurrency: 1,
    strategies: [strategy],
  });
  afterAll(async () => (await opened).close());

  test.each([
    ['xelatex', ...endless[0]],
    ['pdflatex', ...endless[1]],
    // never warm: once is enough
    ...(strategy === 'cold' ? ([['lualatex', ...endless[0]]] as const) : []),
  ] as const)('%s, %s: the pages so far, and the line', { timeout: 180_000 }, async (engine, _, body) => {
    const typesetter = await opened;
    // enough to reach the loop on this machine: what the pages before it take, cold engine included
    const startedAt = performance.now();
    await typesetter.compile({ engine, owner: 'a', latex: wrap('No loop.') });
    const job = { engine, owner: 'a', cpuMs: 500 + Math.ceil(performance.now() - startedAt) };
    const cut = await typesetter.compile({ ...job, latex: wrap(body), wantsPages: true });
    if (cut.kind !== 'timed-out') throw new Error(JSON.stringify(cut));
    expect(cut.messages[0]).toMatchObject({
      level: 'error',
      file: 'main.tex',
      line: 5,
      message: 'Compiling took too long and was stopped.',
      explanation: 'Compiling took too long and was stopped here, with 2 pages set.',
    });
    expect(cut.messages.filter(({ message }) => message.startsWith('Interruption'))).toEqual([]);
    expect(cut.pageCount).toBe(2);
    expect(pdfText(Buffer.from(cut.pdf!))).toContain('Second page.');
    expect(cut.synctex).not.toBeNull();

    // nobody is watching: the same text, and no work for pages
    const unseen = await typesetter.compile({ ...job, latex: wrap(`${body} unseen`) });
    expect(unseen).toMatchObject({ kind: 'timed-out', pdf: null, messages: [{ line: 5 }] });

    // the remaining part of the engine was not told to stop
    const fixed = await typesetter.compile({ ...job, cpuMs: 30_000, latex: wrap('Third page.') });
    expect(fixed).toMatchObject({ kind: 'compiled', pageCount: 3 });
  });
});
