/**
 * Compiles documents broken on purpose: each fault is reported with its line, in plain words, and with what to
 * do.
 */
import { expect, test } from 'vitest';
import { chooseFrom } from '../test-support/matrix.ts';
import { openTypesetter } from '../test-support/open-typesetter.ts';
import { type BrokenDocument, brokenDocuments } from './testing/broken-documents.ts';

const { typesetter } = await openTypesetter({ concurrency: 3 });

async function messagesOf(latex: string, document: BrokenDocument) {
  const result = await typesetter.compile({ latex, owner: 'somebody', cpuMs: 60_000 });
  if (result.kind !== 'compiled' && result.kind !== 'failed') throw new Error(JSON.stringify(result));
  return result.messages.filter(({ level }) => level === document.level);
}

/** Warnings reported at another place, as expected here. */
const tolerated = new Set([
  'minted',
  'biblatex resource',
  'pdfoutput under xelatex',
  'pdfinfo under xelatex',
  'Lua code',
]);

/** Stopped for its memory before TeX wrote what went wrong. */
const withoutLog = new Set(['command calls itself']);

const all = brokenDocuments();
// one engine is enough if both report the same; the long versions differ only in their lines
const chosen = all.filter(
  ({ name, engine, isLong }) =>
    !isLong &&
    !withoutLog.has(name) &&
    (engine === 'xelatex' || !all.some((other) => other.name === name && other.engine === 'xelatex')),
);
const tried = chooseFrom(import.meta.filename, chosen, 12);

test.concurrent.each(tried.map((document) => [document.name, document] as const))(
  '%s',
  async (_, document) => {
    const messages = await messagesOf(document.latex, document);
    if (tolerated.has(document.name)) return expect(messages).toEqual([]);
    const [found] = messages;
    expect(document.lines).toContain(found?.line);
    expect(found?.explanation).toMatch(/[.!?”]$/);
    expect(found?.suggestion).toBeTruthy();
  },
);
