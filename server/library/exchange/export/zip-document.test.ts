/** The exported archive compiles in an empty folder with latexmk alone. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseFrom } from '../../../../test-support/matrix.ts';
import type { ExchangeDocument } from '../document.ts';
import { importDocument } from '../import/import-document.ts';
import { type FiledDocument, zipDocument, zipDocuments } from './zip-document.ts';

const run = promisify(execFile);
const samples = new URL('../../../../fixtures/pdf/', import.meta.url);
let home: string;
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'inkproof-exchange-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function compileElsewhere(document: ExchangeDocument, name: string, options: string[]) {
  const folder = path.join(home, name);
  mkdirSync(folder);
  const files = unzipSync(await buffer(zipDocument(document)));
  for (const [file, bytes] of Object.entries(files)) writeFileSync(path.join(folder, file), bytes);
  const environment = { PATH: process.env.PATH, HOME: folder };
  await run('latexmk', ['-interaction=nonstopmode', '-halt-on-error', ...options], {
    cwd: folder,
    env: environment,
    timeout: 120_000,
  });
  return readFileSync(path.join(folder, 'main.pdf')).subarray(0, 5).toString();
}

const names = readdirSync(samples).filter((name) => name.endsWith('.tex'));

describe('the archive compiles elsewhere unchanged', () => {
  test('each sample by plain latexmk', { timeout: 600_000 }, async () => {
    for (const name of chooseFrom(import.meta.filename, names.toReversed())) {
      const latex = readFileSync(new URL(name, samples), 'utf8');
      const document = { title: name, latex, figures: [], pdf: null };
      expect(await compileElsewhere(document, name, []), name).toBe('%PDF-');
    }
  });

  test('with figures, by latexmk -xelatex; another engine where the document asks for it', {
    timeout: 300_000,
  }, async () => {
    const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#246' } })
      .png()
      .toBuffer();
    const figures = [{ name: 'plot-1.png', bytes: new Uint8Array(picture) }];
    const latex =
      '\\documentclass{article}\n\\usepackage{graphicx,ifxetex}\n\\begin{document}\n' +
      '\\includegraphics{plot-1.png}\\ifxetex\\else\\par pdf\\fi\n\\end{document}\n';
    const document = { title: 'Ω', latex, figures, pdf: null };
    expect(await compileElsewhere(document, 'figures', ['-xelatex'])).toBe('%PDF-');
    const pdflatex = `% !TEX program = pdflatex\n${latex.replace('\\ifxetex', '\\ifxetex\\undefinedhere')}`;
    expect(await compileElsewhere({ ...document, latex: pdflatex }, 'pdflatex', [])).toBe('%PDF-');
    const lualatex = latex.replace('pdf', '\\directlua{tex.print(1)}');
    expect(await compileElsewhere({ ...document, latex: lualatex }, 'lualatex', [])).toBe('%PDF-');
  });

  test('with the lists that latexmk needs rules for', { timeout: 300_000 }, async () => {
    const latex = String.raw`\documentclass{article}
\usepackage{nomencl}\makenomenclature
\usepackage[acronym]{glossaries}\makeglossaries
\newacronym{pde}{PDE}{partial differential equation}
\begin{document}
A \gls{pde} of the speed $c$\nomenclature{$c$}{speed of light}.
\printglossaries\printnomenclature
\end{document}
`;
    await compileElsewhere({ title: 'Lists', latex, figures: [], pdf: null }, 'lists', []);
    const { stdout } = await run('pdftotext', [path.join(home, 'lists', 'main.pdf'), '-']);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/Acronyms PDE partial .*Nomenclature c speed of light/);
  });

  test('and can be imported again unchanged', async () => {
    const latex =
      '\\documentclass{article}\\title{T}\\begin{document}\\includegraphics{a.png}\\end{document}\n';
    const figures = [{ name: 'a.png', bytes: Uint8Array.from([1, 2, 3]) }];
    const archive = await buffer(zipDocument({ title: 'T', latex, figures, pdf: null }));
    expect(importDocument('x.zip', archive)).toMatchObject({ title: 'T', latex, figures, missing: [] });
  });

  test('with its files in folders, its own file name, and every byte', async () => {
    const file = (name: string, content: string) => ({ name, bytes: new TextEncoder().encode(content) });
    const latex = '\\documentclass{book}\\title{T}\\begin{document}\\include{parts/a}\\end{document}\n';
    const figures = [
      file('lit/refs.bib', '@book{a}\r\n'),
      file('parts/a.tex', '\\chapter{A}\\input{parts/b}\r\n'),
      file('parts/b.tex', 'B'),
    ];
    const given = { title: 'T', latex, figures, mainName: 'book.tex' };
    const imported = importDocument('x.zip', await buffer(zipDocument({ ...given, pdf: null })));
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    expect({ ...imported, figures: imported.figures.toSorted(byName) }).toMatchObject(given);
  });
});

test('all documents are in their folders, under names that are valid and unique on any file system', async () => {
  const document = (title: string, folders: string[]): FiledDocument => ({
    title,
    folders,
    latex: `% ${title}`,
    figures: [],
    pdf: new TextEncoder().encode('%PDF-'),
  });
  const documents = (async function* () {
    yield document('Week 1', ['Analysis', 'Notes: a/b']);
    yield document('week 1', ['analysis', 'Notes: a/b']);
    yield document('..', []);
    yield document('con', []);
    yield document('積分と極限', []);
  })();
  const files = unzipSync(await buffer(zipDocuments(documents)));
  expect(Object.keys(files).filter((name) => name.endsWith('main.tex'))).toEqual([
    'Analysis/Notes a b/Week 1/main.tex',
    'analysis/Notes a b/week 1 (2)/main.tex',
    'Untitled/main.tex',
    'con-/main.tex',
    '積分と極限/main.tex',
  ]);
  expect(strFromU8(files['積分と極限/main.pdf']!)).toBe('%PDF-');
});
