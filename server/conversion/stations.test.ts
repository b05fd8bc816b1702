/** Assembling and proving, with the real typesetter. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTypesetter, type Typesetter } from '#server/typesetting/index.ts';
import { assembleAndProve } from './stations.ts';
import type { TranscribedPage } from './transcribers/transcriber.ts';

let folder: string;
let typesetter: Typesetter;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'inkproof-stations-'));
  typesetter = await createTypesetter({ workDir: folder });
});
afterAll(async () => {
  await typesetter.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page whose stretches between ⟦ and ⟧ are doubtful. */
function doubtfulPage(number: number, marked: string) {
  const doubtful: TranscribedPage['doubtful'] = [];
  let body = '';
  for (const part of marked.split(/(⟦[^⟧]*⟧)/)) {
    const text = part.replace(/[⟦⟧]/g, '');
    if (part !== text)
      doubtful.push({ start: body.length, end: body.length + text.length, reason: `Read as ${text}.` });
    body += text;
  }
  const transcribed: TranscribedPage = {
    body,
    packages: [],
    preamble: [],
    figures: [],
    warnings: [],
    doubtful,
    startsParagraph: true,
    endsParagraph: true,
  };
  return { number, state: 'read' as const, error: null, transcribed };
}

test('doubtful stretches are delivered at their place in the LaTeX as it was proved', async () => {
  const pages = [
    // a percent sign and a Greek letter before the stretch are changed, so it moves within its page
    doubtfulPage(1, 'About 5 % of α is ⟦faint⟧ and the line ends in a word that is parted-\n'),
    { number: 2, state: 'failed' as const, error: null, transcribed: null },
    // an unescaped ampersand fails its first compile and is mended by rule
    doubtfulPage(3, 'Smith & Sons owe ⟦$x_1$⟧ and ⟦seven⟧.'),
  ];
  const assembly = await assembleAndProve({ typesetter }, pages, 'test', new AbortController().signal);
  if (assembly.kind !== 'proven') throw new Error(assembly.error.error);
  const { latex, doubtful } = assembly.document;
  expect(doubtful.map(({ start, end, page }) => [page, latex.slice(start, end)])).toEqual([
    [1, 'faint'],
    [3, '$x_1$'],
    [3, 'seven'],
  ]);
  expect(doubtful[0]?.reason).toBe('Read as faint.');
  // what moved them is really there
  expect(latex).toContain('5 \\%');
  expect(latex).toContain('Smith \\& Sons');
});
