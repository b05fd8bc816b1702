import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeOutputs } from './write-outputs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-outputs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bytes = (text: string) => new TextEncoder().encode(text);
const document = { latex: 'LaTeX', pdf: bytes('PDF'), figures: [] as { name: string; bytes: Uint8Array }[] };

const write = (options: Partial<Parameters<typeof writeOutputs>[0]> = {}) =>
  writeOutputs({ document, folder, name: 'notes', inputs: [], shouldReplace: false, ...options });

test('writes NAME.tex and NAME.pdf, creating the folder', async () => {
  const inner = path.join(folder, 'a/b');
  expect(await write({ folder: inner })).toEqual([
    path.join(inner, 'notes.tex'),
    path.join(inner, 'notes.pdf'),
  ]);
  expect(await readFile(path.join(inner, 'notes.pdf'), 'utf8')).toBe('PDF');
});

test('keeps existing files and uses the next free name', async () => {
  await writeFile(path.join(folder, 'notes.tex'), 'mine');
  expect((await write()).map((file) => path.basename(file))).toEqual(['notes-2.tex', 'notes-2.pdf']);
  expect(await readFile(path.join(folder, 'notes.tex'), 'utf8')).toBe('mine');
});

test('never replaces its input, even with --force', async () => {
  const input = path.join(folder, 'notes.pdf');
  await writeFile(input, 'the notes');
  await writeFile(path.join(folder, 'notes-2.tex'), 'an earlier result');
  const written = await write({ inputs: [input], shouldReplace: true });
  expect(written.map((file) => path.basename(file))).toEqual(['notes-2.tex', 'notes-2.pdf']);
  expect(await readFile(input, 'utf8')).toBe('the notes');
  expect(await readFile(path.join(folder, 'notes-2.tex'), 'utf8')).toBe('LaTeX');
});

test('figures are next to the document under its name, and the LaTeX refers to them', async () => {
  const withFigure = {
    ...document,
    latex: '\\includegraphics[width=\\linewidth]{figure-p1-1.png}',
    figures: [{ name: 'figure-p1-1.png', bytes: bytes('PNG') }],
  };
  await write({ document: withFigure, name: 'Übung 3 (neu)' });
  expect((await readdir(folder)).toSorted()).toEqual(
    ['U-bung-3-neu-figure-p1-1.png', 'Übung 3 (neu).pdf', 'Übung 3 (neu).tex'].toSorted(),
  );
  expect(await readFile(path.join(folder, 'Übung 3 (neu).tex'), 'utf8')).toContain(
    '{U-bung-3-neu-figure-p1-1.png}',
  );
});

test('a folder that is not writable is reported with a message', async () => {
  const file = path.join(folder, 'a file');
  await writeFile(file, '');
  await expect(write({ folder: path.join(file, 'inside') })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('-o'),
  });
});
