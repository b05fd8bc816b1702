import { expect, test } from 'vitest';
import { readDocument as readParts } from '../edits/document-parts.ts';
import { readLatex } from '../formula/read-latex.ts';
import { readDocument } from './read-document.ts';

// each of these once took quadratic time, in exports or exact edits
test.each(['{', '[', '\\(', '\\a{', '\\a[', '\\begin{a}', '\\textbf{', '\\def\\a', '\n\n{'])(
  'half a million characters of %j are read quickly, including the last word',
  (piece) => {
    const latex = `${piece.repeat(500_000 / piece.length)}\n\nword`;
    const { blocks } = readDocument(latex, new Date(0));
    const last = blocks.at(-1);
    expect(JSON.stringify(last).slice(-200)).toContain('word');
    expect(readLatex(latex).text.slice(-200)).toContain('word');
    expect(readParts(latex).bodyEnd).toBe(latex.length);
  },
);
