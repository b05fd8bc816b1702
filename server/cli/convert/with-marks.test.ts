/** Marks in a converted document, with the real typesetter. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTypesetter } from '../../../test-support/open-typesetter.ts';
import { withMarks } from './with-marks.ts';

const { typesetter, folder } = await openTypesetter();

function convertedOf(body: string, doubt: string) {
  const latex = `\\documentclass{article}\n\\usepackage{amsmath,tikz}\n\\begin{document}\n${body}\n\\end{document}\n`;
  const start = latex.indexOf(doubt);
  return {
    latex,
    pdf: new Uint8Array(),
    warnings: [],
    figures: [],
    doubtful: [{ start, end: start + doubt.length, page: 1 }],
    lines: [{ first_line: 4, last_line: 4, page: 1 }],
    pages: [1],
  };
}

const { signal } = new AbortController();

function textOf(pdf: Uint8Array): string {
  const file = path.join(folder, 'page.pdf');
  writeFileSync(file, pdf);
  return execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' }).replace(/\s+/g, ' ').trim();
}

test('marks print as if they were not there, and doubts and places are of the marked text', async () => {
  const done = await withMarks(convertedOf('A formula $x^2+1$ here.', '^2'), 'marked', typesetter, signal);
  expect(done.latex).toContain('A formula $x\\unsure{^2}+1$ here.');
  expect(textOf(done.pdf)).toBe('A formula x2 + 1 here. 1');
  expect(done.doubtful.map(({ start, end }) => done.latex.slice(start, end))).toEqual(['^2']);
  const { first_line } = done.lines[0]!;
  expect(done.latex.split('\n')[first_line - 1]).toContain('A formula');
});

test('what would not compile with marks stays as it is, and says so', async () => {
  const converted = convertedOf('\\tikz \\draw (0,0) -- (1,2);', '1');
  const done = await withMarks(
    { ...converted, doubtful: [{ ...converted.doubtful[0]!, ...spanOf(converted.latex, '(1,', 1, 2) }] },
    'colour',
    typesetter,
    signal,
  );
  expect(done.latex).toBe(converted.latex);
  expect(done.warnings).toEqual([expect.objectContaining({ code: 'DOUBTS_NOT_MARKED' })]);
});

function spanOf(latex: string, around: string, from: number, to: number) {
  const start = latex.indexOf(around);
  return { start: start + from, end: start + to };
}
