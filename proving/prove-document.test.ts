/** Broken pages, each a folder under cases/, proved with the real typesetter. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseFrom } from '../test-support/matrix.ts';
import { openTypesetter } from '../test-support/open-typesetter.ts';
import { maxVerbatimShare, proveDocument } from './prove-document.ts';
import { keyCases, listCases } from './testing/cases.ts';

const { typesetter, folder } = await openTypesetter();

/** Returns a PDF's text with blanks collapsed. */
function textOf(pdf: Uint8Array): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.pdf`);
  writeFileSync(path, pdf);
  return execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).replace(/\s+/g, ' ');
}

describe('broken pages', () => {
  const chosen = chooseFrom(import.meta.filename, listCases(), keyCases.length);
  test('the representative ones exist', () =>
    expect(chosen.slice(0, keyCases.length).map(({ name }) => name)).toEqual(keyCases));
  for (const { name, pages, expected } of chosen) {
    test.concurrent(`${name}: ${expected.about}`, { timeout: 180_000 }, async () => {
      const proof = await proveDocument({
        pages,
        assets: [],
        typesetter,
        owner: name,
        signal: new AbortController().signal,
      });
      expect(proof.kind).toBe(expected.outcome ?? 'proved');
      if (proof.kind === 'cancelled') return;
      expect(proof.compileCount, 'compiles').toBeLessThanOrEqual(expected.compilesAtMost ?? 6);
      if (proof.kind === 'failed') return;
      for (const part of expected.contains ?? []) expect(proof.latex).toContain(part);
      for (const part of expected.lacks ?? []) expect(proof.latex).not.toContain(part);
      const shares = Object.values(proof.verbatimShare);
      expect(Math.max(...shares)).toBeLessThanOrEqual(
        Math.min(maxVerbatimShare, expected.verbatimAtMost ?? 0),
      );
      expect(proof.failedPages).toEqual(expected.failedPages ?? []);
      const codes = proof.warnings.map((warning) => warning.code);
      for (const code of expected.warnings ?? []) expect(codes).toContain(code);
      if (expected.prints) {
        const text = textOf(proof.pdf);
        for (const words of expected.prints) expect(text).toContain(words);
      }
      if (proof.compileCount === 1) return;
      // The invariant: the result compiles as returned.
      const again = await typesetter.compile({ latex: proof.latex, engine: 'xelatex', owner: name });
      expect(again.kind).toBe('compiled');
    });
  }
});
